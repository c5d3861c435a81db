import { createHash } from "node:crypto";
import { PurgeQueueCommand, SendMessageBatchCommand, SendMessageCommand, type Message } from "@aws-sdk/client-sqs";
import { invoke, World } from "@sandstack/core";
import { iamService } from "@sandstack/iam";
import { SimAws } from "sandstack";
import { sqsService } from "@sandstack/sqs";
import { bodiesOf, changeVisibility, counts, createFifoQueue, createQueue, deleteMessages, invalidParameter, missingParameter, receive, refusalOf, sendToGroups } from "./setup.js";

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws();
});

type Input = Omit<ConstructorParameters<typeof SendMessageCommand>[0], "QueueUrl" | "MessageBody"> & { MessageBody?: string };

const sendOne = (QueueUrl: string, input: Input) => simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m", MessageGroupId: "g", ...input }));
const explicitQueue = (): Promise<string> => createFifoQueue(simAws, "q.fifo", { ContentBasedDeduplication: "false" });
const after = (milliseconds: number): Promise<void> => simAws.clock().advanceBy({ milliseconds });

describe("a duplicate", () => {
  test("is answered as its original for five minutes from the first send, to the millisecond, also when that was deleted", async () => {
    const QueueUrl = await explicitQueue();
    const first = await sendOne(QueueUrl, { MessageBody: "one", MessageDeduplicationId: "d" });
    await deleteMessages(simAws, QueueUrl, ...(await receive(simAws, QueueUrl)));
    await after(200_000);
    const second = await sendOne(QueueUrl, { MessageBody: "two", MessageDeduplicationId: "d" });
    expect(second).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber, MD5OfMessageBody: createHash("md5").update("two").digest("hex") });
    await after(99_999);
    await sendOne(QueueUrl, { MessageBody: "three", MessageDeduplicationId: "d" });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
    await after(1);
    const fourth = await sendOne(QueueUrl, { MessageBody: "four", MessageDeduplicationId: "d" });
    expect(fourth.MessageId).not.toBe(first.MessageId);
    expect(BigInt(fourth.SequenceNumber!)).toBeGreaterThan(BigInt(first.SequenceNumber!));
    expect(bodiesOf(await receive(simAws, QueueUrl))).toEqual(["four"]);
  });

  test("is a message of its own after that, though the first is still in the queue", async () => {
    const QueueUrl = await explicitQueue();
    await sendOne(QueueUrl, { MessageBody: "one", MessageDeduplicationId: "d" });
    await after(300_000);
    await sendOne(QueueUrl, { MessageBody: "two", MessageDeduplicationId: "d" });
    expect(bodiesOf(await receive(simAws, QueueUrl))).toEqual(["one", "two"]);
  });

  test("is told by the log", async () => {
    const QueueUrl = await explicitQueue();
    const { MessageId } = await sendOne(QueueUrl, { MessageDeduplicationId: "d" });
    await sendOne(QueueUrl, { MessageDeduplicationId: "d" });
    const records = [...simAws.log().filter({ message: MessageId })].map(({ kind }) => kind);
    expect(records).toEqual(["sqs.message.sent", "sqs.message.deduplicated"]);
    expect(String(simAws.log())).toContain("a duplicate, which is not stored");
  });

  test("is one in a batch, too, and after a purge", async () => {
    const QueueUrl = await explicitQueue();
    const Entries = ["a", "b", "a"].map((MessageDeduplicationId, index) => ({ Id: String(index), MessageBody: `m${index}`, MessageGroupId: "g", MessageDeduplicationId }));
    const { Successful = [] } = await simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(Successful).toHaveLength(3);
    expect(Successful[2]).toMatchObject({ MessageId: Successful[0]!.MessageId, SequenceNumber: Successful[0]!.SequenceNumber });
    await simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl }));
    await sendOne(QueueUrl, { MessageDeduplicationId: "a" });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });
});

describe("what makes a duplicate", () => {
  const hash = createHash("sha256").update("m").digest("hex");
  const scopes = { queue: {}, group: { DeduplicationScope: "messageGroup" } };

  test.each<{ name: string; attributes?: object; sent: Input[]; stored: number }>([
    { name: "the same body", sent: [{}, {}], stored: 1 },
    { name: "the same body with other attributes", sent: [{}, { MessageAttributes: { a: { DataType: "String", StringValue: "x" } } }], stored: 1 },
    { name: "another body", sent: [{}, { MessageBody: "n" }], stored: 2 },
    { name: "the same body in another group, in the scope of the queue", attributes: scopes.queue, sent: [{}, { MessageGroupId: "h" }], stored: 1 },
    { name: "the same body in another group, in the scope of the group", attributes: scopes.group, sent: [{}, { MessageGroupId: "h" }, { MessageGroupId: "h" }], stored: 2 },
    { name: "the same body with an id of its own", sent: [{}, { MessageDeduplicationId: "d" }], stored: 2 },
    { name: "the hash of the body as an id", sent: [{}, { MessageDeduplicationId: hash, MessageBody: "n" }], stored: 1 },
    { name: "the same id for another body", sent: [{ MessageDeduplicationId: "d" }, { MessageDeduplicationId: "d", MessageBody: "n" }], stored: 1 },
    { name: "the same id in another group, in the scope of the queue", attributes: scopes.queue, sent: [{ MessageDeduplicationId: "d" }, { MessageDeduplicationId: "d", MessageGroupId: "h" }], stored: 1 },
    { name: "the same id in another group, in the scope of the group", attributes: scopes.group, sent: [{ MessageDeduplicationId: "d" }, { MessageDeduplicationId: "d", MessageGroupId: "h" }], stored: 2 },
    { name: "high throughput", attributes: { ...scopes.group, FifoThroughputLimit: "perMessageGroupId" }, sent: [{}, { MessageGroupId: "h" }, {}], stored: 2 },
  ])("$name: $stored", async ({ attributes, sent, stored }) => {
    const QueueUrl = await createFifoQueue(simAws, "q.fifo", attributes);
    for (const each of sent) await sendOne(QueueUrl, each);
    expect(await counts(simAws, QueueUrl)).toEqual([stored, 0, 0]);
  });

  test("a message without an id has the SHA-256 of its body for one", async () => {
    const QueueUrl = await createFifoQueue(simAws);
    await sendOne(QueueUrl, { MessageBody: "grün" });
    const [message] = await receive(simAws, QueueUrl, { MessageSystemAttributeNames: ["MessageDeduplicationId"] });
    expect(message!.Attributes).toEqual({ MessageDeduplicationId: createHash("sha256").update("grün").digest("hex") });
  });
});

describe("ids", () => {
  const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  const reason = (name: string, value: string): string => `Value ${value} for parameter ${name} is invalid. Reason: ${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`;

  test.each(["MessageDeduplicationId", "MessageGroupId"] as const)("%s is 1 to 128 letters, digits and punctuation", async (name) => {
    const QueueUrl = await explicitQueue();
    const sendWith = (value: string) => sendOne(QueueUrl, { MessageDeduplicationId: "d", [name]: value });
    for (const bad of ["", "a".repeat(129), "group 123", "é", "a\n"]) expect(await refusalOf(sendWith(bad))).toEqual(invalidParameter(reason(name, bad)));
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
    await sendWith("a".repeat(128));
    await after(300_000);
    await sendWith(`aZ09${PUNCTUATION}`);
    expect(await counts(simAws, QueueUrl)).toEqual([2, 0, 0]);
  });

  const NO_ID = "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly";

  test.each<{ name: string; input: Input; refusal: object }>([
    { name: "no group", input: { MessageGroupId: undefined, MessageDeduplicationId: "d" }, refusal: missingParameter("MessageGroupId") },
    { name: "no id for deduplication", input: {}, refusal: invalidParameter(NO_ID) },
  ])("are needed: $name fails a message, and a whole batch", async ({ input, refusal }) => {
    const QueueUrl = await explicitQueue();
    expect(await refusalOf(sendOne(QueueUrl, input))).toEqual(refusal);
    const good = { Id: "good", MessageBody: "m", MessageGroupId: "g", MessageDeduplicationId: "good" };
    const bad = { Id: "bad", MessageBody: "m", MessageGroupId: "g", ...input };
    expect(await refusalOf(simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries: [good, bad] })))).toEqual(refusal);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("in a batch, one that cannot be fails its entry alone", async () => {
    const QueueUrl = await explicitQueue();
    const Entries = ["a b", "ab"].map((MessageDeduplicationId) => ({ Id: String(MessageDeduplicationId.length), MessageBody: "m", MessageGroupId: "g", MessageDeduplicationId }));
    const { Successful, Failed } = await simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(Successful).toMatchObject([{ Id: "2", SequenceNumber: expect.stringMatching(/^\d{20}$/) }]);
    expect(Failed).toEqual([{ Id: "3", SenderFault: true, Code: "InvalidParameterValue", Message: reason("MessageDeduplicationId", "a b") }]);
  });
});

test("sequence numbers have 20 digits and grow within each group and over the queue", async () => {
  const QueueUrl = await createFifoQueue(simAws);
  const numbers: string[] = [];
  for (const [MessageBody, MessageGroupId] of [["1", "g"], ["2", "h"], ["3", "g"], ["4", "h"]] as const) numbers.push((await sendOne(QueueUrl, { MessageBody, MessageGroupId })).SequenceNumber!);
  expect(numbers).toEqual(Array(4).fill(expect.stringMatching(/^\d{20}$/)));
  expect([...numbers].sort()).toEqual(numbers);
  expect(new Set(numbers).size).toBe(4);
  const received = await receive(simAws, QueueUrl, { MessageSystemAttributeNames: ["SequenceNumber"] });
  expect(received.map(({ Body, Attributes }) => [Body, Attributes])).toEqual(["1", "3", "2", "4"].map((body) => [body, { SequenceNumber: numbers[Number(body) - 1] }]));
});

test("a message has the system attributes of FIFO queues, and keeps them when it is received again", async () => {
  const QueueUrl = await createFifoQueue(simAws, "q.fifo", { VisibilityTimeout: "0", DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" });
  const { SequenceNumber } = await sendOne(QueueUrl, { MessageGroupId: "group-1", MessageDeduplicationId: "dedup-1" });
  for (const ApproximateReceiveCount of ["1", "2"]) {
    const [message] = await receive(simAws, QueueUrl, { MessageSystemAttributeNames: ["All"] });
    expect(message!.Attributes).toEqual({
      ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
      ApproximateReceiveCount,
      MessageDeduplicationId: "dedup-1",
      MessageGroupId: "group-1",
      SenderId: expect.any(String),
      SentTimestamp: expect.stringMatching(/^\d{13}$/),
      SequenceNumber,
    });
  }
});

describe("ReceiveRequestAttemptId", () => {
  let QueueUrl: string;
  beforeEach(async () => {
    QueueUrl = await createFifoQueue(simAws);
    await sendToGroups(simAws, QueueUrl, "g-1", "g-2", "h-1");
  });
  const attempt = (ReceiveRequestAttemptId: string, options: object = {}): Promise<Message[]> => receive(simAws, QueueUrl, { ReceiveRequestAttemptId, MaxNumberOfMessages: 2, ...options });
  const NOT_RETRYABLE = invalidParameter("Value try-1 for parameter ReceiveRequestAttemptId is invalid. Reason: The receiveRequestAttemptId is not valid anymore since the receive call is not retryable.");

  test("repeats a receive with the same messages and handles, and hides them anew", async () => {
    const first = await attempt("try-1");
    expect(bodiesOf(first)).toEqual(["g-1", "g-2"]);
    await simAws.clock().advanceBy({ seconds: 20 });
    expect(await attempt("try-1", { MaxNumberOfMessages: 10, MessageSystemAttributeNames: ["ApproximateReceiveCount"] })).toEqual(first.map((message) => ({ ...message, Attributes: { ApproximateReceiveCount: "1" } })));
    await simAws.clock().advanceBy({ milliseconds: 29_999 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 2, 0]);
    expect(bodiesOf(await attempt("try-2", { VisibilityTimeout: 100 }))).toEqual(["h-1"]);
    expect(await attempt("try-3")).toEqual([]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await counts(simAws, QueueUrl)).toEqual([2, 1, 0]);
  });

  test("does so for five minutes, to the millisecond", async () => {
    const first = await attempt("try-1", { VisibilityTimeout: 1_000 });
    await after(299_999);
    expect(await attempt("try-1", { VisibilityTimeout: 1_000 })).toEqual(first);
    await after(1);
    expect(bodiesOf(await attempt("try-1"))).toEqual(["h-1"]);
  });

  test("is a receive like any other once the messages are visible again", async () => {
    const first = await attempt("try-1");
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(bodiesOf(await attempt("try-1"))).toEqual(["h-1", "g-1"]);
    await simAws.clock().advanceBy({ seconds: 30 });
    const third = await attempt("try-1");
    expect(bodiesOf(third)).toEqual(["g-1", "g-2"]);
    expect(third[0]!.ReceiptHandle).not.toBe(first[0]!.ReceiptHandle);
  });

  test.each<{ name: string; modify: (message: Message) => Promise<unknown> }>([
    { name: "deleted", modify: (message) => deleteMessages(simAws, QueueUrl, message) },
    { name: "hidden for longer", modify: (message) => changeVisibility(simAws, QueueUrl, message, 60) },
    { name: "hidden for as long", modify: (message) => changeVisibility(simAws, QueueUrl, message, 30) },
    { name: "made visible", modify: (message) => changeVisibility(simAws, QueueUrl, message, 0) },
  ])("cannot repeat a receive of which a message was $name", async ({ modify }) => {
    const [, second] = await attempt("try-1");
    await modify(second!);
    const before = await counts(simAws, QueueUrl);
    expect(await refusalOf(attempt("try-1"))).toEqual(NOT_RETRYABLE);
    expect(await counts(simAws, QueueUrl)).toEqual(before);
    await after(300_000);
    await expect(attempt("try-1")).resolves.toHaveLength(2);
  });

  test("repeats nothing where nothing was received", async () => {
    expect(await attempt("try-1", { MaxNumberOfMessages: 10 })).toHaveLength(3);
    expect(await attempt("try-2")).toEqual([]);
    await sendToGroups(simAws, QueueUrl, "new-1");
    expect(bodiesOf(await attempt("try-2"))).toEqual(["new-1"]);
  });

  test("is 1 to 128 letters, digits and punctuation; standard queues take no notice of it", async () => {
    for (const bad of ["", "a b", "a".repeat(129)]) {
      const reason = "ReceiveRequestAttemptId can only include alphanumeric and punctuation characters. 1 to 128 in length.";
      expect(await refusalOf(attempt(bad))).toEqual(invalidParameter(`Value ${bad} for parameter ReceiveRequestAttemptId is invalid. Reason: ${reason}`));
    }
    expect(await counts(simAws, QueueUrl)).toEqual([3, 0, 0]);
    expect(await attempt("a".repeat(128))).toHaveLength(2);
    const standard = await createQueue(simAws, "q");
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: standard, MessageBody: "m" }));
    expect(await receive(simAws, standard, { ReceiveRequestAttemptId: "a b" })).toHaveLength(1);
    expect(await receive(simAws, standard, { ReceiveRequestAttemptId: "a b" })).toEqual([]);
  });
});

test("what deduplication and attempts remember is given up when its five minutes are over, though nothing calls", async () => {
  const world = new World({ services: [sqsService, iamService], seed: 1, clock: "manual", startTimeMs: 0, iam: "off" });
  const call = async <Output>(operation: string, input: object): Promise<Output> => (await invoke(world, { accountId: "888888888888", region: "us-east-1" }, "sqs", operation, input)) as Output;
  const { QueueUrl } = await call<{ QueueUrl: string }>("CreateQueue", { QueueName: "q.fifo", Attributes: { FifoQueue: "true", ContentBasedDeduplication: "true" } });
  const size = (): number => JSON.stringify(world.state.services, (_, value: unknown) => (value instanceof Map ? [...value] : value)).length;
  const empty = size();
  for (let index = 0; index < 100; index++) {
    await call("SendMessage", { QueueUrl, MessageBody: `m${index}`, MessageGroupId: `g${index}` });
    const { Messages } = await call<{ Messages: Message[] }>("ReceiveMessage", { QueueUrl, ReceiveRequestAttemptId: `try-${index}` });
    await call("DeleteMessage", { QueueUrl, ReceiptHandle: Messages[0]!.ReceiptHandle });
  }
  expect(size()).toBeGreaterThan(empty + 100 * 100);
  await world.background.advance(300_000);
  expect(size()).toBeLessThan(empty + 100);
});
