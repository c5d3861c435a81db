import { SendMessageBatchCommand, SendMessageCommand, type Message } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { counts, createQueue, deleteMessages, invalidParameter, receive, refusalOf } from "./setup.js";

let simAws: SimAws;
let QueueUrl: string;
beforeEach(async () => {
  simAws = new SimAws();
  QueueUrl = await createQueue(simAws, "q");
});

/** Sends messages of one tenant, or of none. */
async function sendMany(MessageGroupId: string | undefined, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 10) {
    const Entries = Array.from({ length: Math.min(10, count - sent) }, (_, index) => ({ Id: String(index), MessageBody: `${MessageGroupId ?? "none"}-${sent + index}`, MessageGroupId }));
    await simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
}

async function take(count: number, VisibilityTimeout = 30): Promise<Message[]> {
  const taken: Message[] = [];
  while (taken.length < count) taken.push(...(await receive(simAws, QueueUrl, { MaxNumberOfMessages: Math.min(10, count - taken.length), VisibilityTimeout })));
  return taken;
}

/** How many messages of each tenant. */
const tally = (messages: readonly Message[]): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const { Body = "" } of messages) counted[Body.split("-")[0]!] = (counted[Body.split("-")[0]!] ?? 0) + 1;
  return counted;
};

test("a message's group comes back with it; nothing of FIFO queues does", async () => {
  const sent = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "message", MessageGroupId: "test" }));
  expect(sent).not.toHaveProperty("SequenceNumber");
  const [message] = await receive(simAws, QueueUrl, { MessageSystemAttributeNames: ["All"] });
  expect(message!.Attributes).toEqual({
    ApproximateFirstReceiveTimestamp: expect.any(String),
    ApproximateReceiveCount: "1",
    MessageGroupId: "test",
    SenderId: expect.any(String),
    SentTimestamp: expect.any(String),
  });
});

test.each([
  ["empty", ""],
  ["too long", "a".repeat(129)],
  ["with spaces", "group 123"],
])("a group that is %s is refused", async (_, MessageGroupId) => {
  const reason = "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.";
  const sent = simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m", MessageGroupId }));
  expect(await refusalOf(sent)).toEqual(invalidParameter(`Value ${MessageGroupId} for parameter MessageGroupId is invalid. Reason: ${reason}`));
  expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
});

test("groups are neither locked, nor kept apart, nor freed of duplicates", async () => {
  for (const [MessageBody, MessageGroupId] of [["1", "a"], ["2", "b"], ["1", "a"], ["4", undefined]] as const) await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId }));
  expect((await receive(simAws, QueueUrl, { MaxNumberOfMessages: 1 })).map(({ Body }) => Body)).toEqual(["1"]);
  expect((await receive(simAws, QueueUrl)).map(({ Body }) => Body)).toEqual(["2", "1", "4"]);
});

describe("a noisy tenant: 30 messages and more than a tenth of all in flight", () => {
  test("does not keep quiet ones waiting, however much it has waiting itself", async () => {
    await sendMany("noisy", 500);
    expect(tally(await take(30))).toEqual({ noisy: 30 });
    await sendMany("quiet", 5);
    await sendMany(undefined, 5);
    expect(tally(await take(10))).toEqual({ quiet: 5, none: 5 });
    expect(tally(await take(10))).toEqual({ noisy: 10 });
  });

  test("is not one with 29", async () => {
    await sendMany("a", 100);
    await take(29);
    await sendMany("b", 5);
    expect(tally(await take(5))).toEqual({ a: 5 });
  });

  test.each([
    { others: 269, isNoisy: true },
    { others: 270, isNoisy: false },
  ])("among $others others in flight, 30 are noisy: $isNoisy", async ({ others, isNoisy }) => {
    await sendMany(undefined, others);
    await take(others);
    await sendMany("a", 100);
    await take(30);
    await sendMany("b", 5);
    expect(tally(await take(1))).toEqual(isNoisy ? { b: 1 } : { a: 1 });
  });

  test("is quiet again when enough of its messages are deleted, or have come back", async () => {
    await sendMany("a", 100);
    const taken = await take(40);
    await sendMany("b", 5);
    await deleteMessages(simAws, QueueUrl, ...taken.slice(0, 10));
    expect(tally(await take(1))).toEqual({ b: 1 });
    await deleteMessages(simAws, QueueUrl, taken[10]!);
    expect(tally(await take(1))).toEqual({ a: 1 });
    expect(tally(await take(1))).toEqual({ b: 1 });
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await counts(simAws, QueueUrl)).toEqual([94, 0, 0]);
    expect(tally(await take(30))).toEqual({ a: 30 });
  });

  test("shares with others as noisy as it is, by age", async () => {
    await sendMany("a", 60);
    await sendMany("b", 60);
    await take(60);
    expect(tally(await take(30))).toEqual({ a: 30 });
    await sendMany("a", 10);
    await sendMany("c", 1);
    expect(tally(await take(1))).toEqual({ c: 1 });
    expect(tally(await take(40))).toEqual({ b: 30, a: 10 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 131, 0]);
  });
});

test("messages of tenants come back by age, are deleted with lapsed handles, and expire", async () => {
  await sendMany("a", 3);
  await sendMany("b", 2);
  const taken = await take(5, 5);
  await simAws.clock().advanceBy({ seconds: 5 });
  await deleteMessages(simAws, QueueUrl, taken[1]!, taken[3]!);
  expect((await take(3, 5)).map(({ Body }) => Body)).toEqual(["a-0", "a-2", "b-1"]);
  await simAws.clock().advanceBy({ days: 4 });
  expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  await sendMany("a", 1);
  expect(tally(await take(1))).toEqual({ a: 1 });
});
