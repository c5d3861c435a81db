import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { figure, type Benchmark } from "../figure.js";
import { interleaved, repeated } from "../measure.js";

const ROUNDS = 21;
const TIMES = 500;
const FEW = 1_000;
const MANY_WAITING = 1_000_000;
const MANY_IN_FLIGHT = 100_000;

/** What a receive costs with many messages on the queue, against a few. Each receive is made up for, so that the number stays. */
export const queueDepth: Benchmark = {
  name: "queue-depth",
  async run() {
    const works = {
      few: await receiving({ waiting: FEW, inFlight: 0 }),
      fewInFlight: await receiving({ waiting: FEW, inFlight: FEW }),
      waiting: await receiving({ waiting: MANY_WAITING, inFlight: 0 }),
      inFlight: await receiving({ waiting: FEW, inFlight: MANY_IN_FLIGHT }),
    };
    await interleaved(3, works);
    const timesMs = await interleaved(ROUNDS, works);
    const microseconds = (name: keyof typeof works): number => (timesMs[name] / TIMES) * 1000;
    return [
      figure("queue-depth.waiting-1000000", microseconds("waiting"), "µs", { ratioTo: "1,000 waiting", ratio: timesMs.waiting / timesMs.few, target: 1.5 }),
      figure("queue-depth.in-flight-100000", microseconds("inFlight"), "µs", { ratioTo: "1,000 in flight", ratio: timesMs.inFlight / timesMs.fewInFlight, target: 1.5 }),
    ];
  },
};

async function receiving({ waiting, inFlight }: { waiting: number; inFlight: number }): Promise<() => Promise<void>> {
  const simAws = new SimAws();
  const sqs = simAws.sqs();
  const { QueueUrl } = await sqs.createQueue(new CreateQueueCommand({ QueueName: "bench" }));
  const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: "message" }));
  const sendTen = repeated(1, () => sqs.sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries })));
  for (let sent = 0; sent < inFlight; sent += 10) {
    await sendTen();
    await sqs.receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 43_200 }));
  }
  for (let sent = 0; sent < waiting; sent += 10) await sendTen();
  return repeated(TIMES, async () => {
    const { Messages } = await sqs.receiveMessage(new ReceiveMessageCommand({ QueueUrl }));
    await sqs.deleteMessage(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages?.[0]?.ReceiptHandle }));
    await sqs.sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "message" }));
  });
}
