import { CreateQueueCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { figure, type Benchmark, type Figure } from "../figure.js";

const MESSAGES = 50_000;
const BODY_LENGTH = 1_024;

/** What a queued message of 1 KiB takes, against the same messages, as a consumer gets them, in a plain array. */
export const messageMemory: Benchmark = {
  name: "message-memory",
  async run() {
    const collectGarbage = garbageCollector();
    const figures: Figure[] = [];
    for (const kind of ["standard", "fifo"] as const) {
      const plain = await bytesOf(collectGarbage, () => Promise.resolve(Array.from({ length: MESSAGES }, (_, index) => plainMessage(index))));
      const queued = await bytesOf(collectGarbage, () => filledQueue(kind));
      figures.push(figure(`message-memory.${kind}`, queued / MESSAGES, "bytes/message", { ratioTo: "a plain array", ratio: queued / plain, target: 1.5 }));
    }
    return figures;
  },
};

function bodyOf(index: number): string {
  // Made of one piece: a concatenation would be kept as its parts.
  return Buffer.from(String(index).padEnd(BODY_LENGTH, "x")).toString("latin1");
}

function plainMessage(index: number): object {
  const digits = String(index).padStart(32, "0");
  return {
    MessageId: Buffer.from(`${digits}${digits}`).toString("latin1", 0, 36),
    Body: bodyOf(index),
    MD5OfBody: Buffer.from(digits).toString("latin1"),
    Attributes: { SenderId: "AIDAEXAMPLE", SentTimestamp: String(1_700_000_000_000 + index), ApproximateReceiveCount: "0", MessageGroupId: `group-${index % 100}`, MessageDeduplicationId: String(index) },
  };
}

async function filledQueue(kind: "standard" | "fifo"): Promise<SimAws> {
  const simAws = new SimAws();
  const fifo = kind === "fifo" ? { QueueName: "bench.fifo", Attributes: { FifoQueue: "true" } } : { QueueName: "bench" };
  const { QueueUrl } = await simAws.sqs().createQueue(new CreateQueueCommand(fifo));
  for (let sent = 0; sent < MESSAGES; sent += 10) {
    const Entries = Array.from({ length: 10 }, (_, index) => ({
      Id: String(index),
      MessageBody: bodyOf(sent + index),
      ...(kind === "fifo" && { MessageGroupId: `group-${(sent + index) % 100}`, MessageDeduplicationId: String(sent + index) }),
    }));
    await simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
  return simAws;
}

/** How much longer-lived memory there is with what `make` makes. */
async function bytesOf(collectGarbage: () => void, make: () => Promise<unknown>): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const made = await make();
  collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  kept.push(made);
  kept.length = 0;
  return bytes;
}

/** Holds on to what is measured until it is. */
const kept: unknown[] = [];

function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void; // it is there once the flag is set
}
