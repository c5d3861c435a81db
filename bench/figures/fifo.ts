import { CreateQueueCommand, DeleteMessageBatchCommand, ReceiveMessageCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { figure, type Benchmark } from "../figure.js";
import { interleaved, timed } from "../measure.js";

const ROUNDS = 15;
const FEW_GROUPS = 10;
const MANY_GROUPS = 10_000;
/** Waiting in the queues whose groups are compared, and worked through in one round. */
const WAITING = 50_000;
const PER_ROUND = 5_000;
const DRAINED = 1_000_000;
/** What a drain is compared with. */
const DRAINED_FEW = 100_000;
const GROUPS_DRAINED = 1_000;

/** What a message of a FIFO queue costs (sent, received, deleted, in batches of 10) with many groups against a few, and with many messages. */
export const fifo: Benchmark = {
  name: "fifo",
  async run() {
    const works = { few: await working(FEW_GROUPS), many: await working(MANY_GROUPS) };
    await interleaved(3, works);
    const timesMs = await interleaved(ROUNDS, works);
    const microseconds = (timeMs: number, messages: number): number => (timeMs / messages) * 1000;
    const fewMs = await drainMs(DRAINED_FEW);
    const manyMs = await drainMs(DRAINED);
    return [
      figure(`fifo.groups-${MANY_GROUPS}`, microseconds(timesMs.many, PER_ROUND), "µs/message", { ratioTo: `${FEW_GROUPS} groups`, ratio: timesMs.many / timesMs.few, target: 1.5 }),
      figure(`fifo.drain-${DRAINED}`, microseconds(manyMs, DRAINED), "µs/message", { ratioTo: `${DRAINED_FEW} messages`, ratio: manyMs / DRAINED / (fewMs / DRAINED_FEW), target: 1.5 }),
    ];
  },
};

interface FifoQueue {
  send(count: number): Promise<void>;
  /** Receives and deletes until so many messages are gone. */
  work(count: number): Promise<void>;
}

async function fifoQueue(groupCount: number): Promise<FifoQueue> {
  const sqs = new SimAws().sqs();
  const { QueueUrl } = await sqs.createQueue(new CreateQueueCommand({ QueueName: "bench.fifo", Attributes: { FifoQueue: "true" } }));
  let sent = 0;
  return {
    async send(count) {
      for (const end = sent + count; sent < end; sent += 10) {
        const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: "message", MessageGroupId: `group-${(sent + index) % groupCount}`, MessageDeduplicationId: String(sent + index) }));
        await sqs.sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries }));
      }
    },
    async work(count) {
      for (let done = 0; done < count; ) {
        const { Messages = [] } = await sqs.receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
        const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
        await sqs.deleteMessageBatch(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
        done += Messages.length;
      }
    },
  };
}

async function working(groupCount: number): Promise<() => Promise<void>> {
  const queue = await fifoQueue(groupCount);
  await queue.send(WAITING);
  return async () => {
    await queue.work(PER_ROUND);
    await queue.send(PER_ROUND);
  };
}

async function drainMs(messageCount: number): Promise<number> {
  const queue = await fifoQueue(GROUPS_DRAINED);
  await queue.send(messageCount);
  return timed(() => queue.work(messageCount));
}
