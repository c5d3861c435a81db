import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageBatchCommand, type Message } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { counts, createFifoQueue, createQueue, receive, refusalOf } from "./setup.js";

/** Messages that may be in flight in one queue. */
const LIMIT = 120_000;

/** Fills a queue with 10 messages more than may be in flight, and receives all but the last 5 that may. Answers one in flight. */
async function fill(simAws: SimAws, QueueUrl: string, groupOf: (index: number) => string | undefined): Promise<Message> {
  for (let sent = 0; sent < LIMIT + 10; sent += 10) {
    const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: "m", MessageDeduplicationId: groupOf(sent + index), MessageGroupId: groupOf(sent + index) }));
    await simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
  for (let received = 0; received < LIMIT - 10; received += 10) await receive(simAws, QueueUrl, { VisibilityTimeout: 3_600 });
  return (await receive(simAws, QueueUrl, { VisibilityTimeout: 3_600, MaxNumberOfMessages: 5 }))[0]!; // there are more
}

describe.each([
  { kind: "standard", create: (simAws: SimAws) => createQueue(simAws, "q"), groupOf: () => undefined, shortPoll: { name: "OverLimit", status: 403 } },
  { kind: "FIFO", create: (simAws: SimAws) => createFifoQueue(simAws), groupOf: (index: number) => `g${index}`, shortPoll: undefined },
])("with 120,000 messages of a $kind queue in flight", ({ create, groupOf, shortPoll }) => {
  test(`a short poll ${shortPoll === undefined ? "finds nothing" : "is refused"}, and a long poll waits until one is deleted, or comes back`, async () => {
    const simAws = new SimAws({ iam: "off" });
    const QueueUrl = await create(simAws);
    const one = await fill(simAws, QueueUrl, groupOf);
    expect(await receive(simAws, QueueUrl)).toHaveLength(5);
    expect(await counts(simAws, QueueUrl)).toEqual([10, LIMIT, 0]);

    if (shortPoll === undefined) expect(await receive(simAws, QueueUrl)).toEqual([]);
    else expect(await refusalOf(receive(simAws, QueueUrl))).toMatchObject(shortPoll);
    const poll = () => simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20, MaxNumberOfMessages: 10 }));
    const [waiting, hopeless] = [poll(), poll()];
    await simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: one.ReceiptHandle }));
    expect((await waiting).Messages).toHaveLength(1);
    await simAws.clock().advanceBy({ seconds: 20 });
    expect((await hopeless).Messages).toBeUndefined();

    const hopeful = poll();
    await simAws.clock().advanceBy({ seconds: 10 });
    expect((await hopeful).Messages).toHaveLength(6);
    expect(await counts(simAws, QueueUrl)).toEqual([9, LIMIT, 0]);
  }, 120_000);
});
