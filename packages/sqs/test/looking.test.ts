import { ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { ACCOUNT, counts, createQueue, MISSING, queueDoesNotExist, receive, receiveOne, redrivePolicy, refusalOf, send } from "./setup.js";

const START = Date.parse("2026-01-01T00:00:00Z");

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws({ startTime: new Date(START) });
});

test("the messages of a queue are seen oldest first, wherever they are, and nothing changes by it", async () => {
  const url = await createQueue(simAws, "q");
  await send(simAws, url, "held", "waiting");
  await receiveOne(simAws, url);
  await simAws.clock().advanceBy({ seconds: 1 });
  const MessageAttributes = { kind: { DataType: "String", StringValue: "x" }, raw: { DataType: "Binary", BinaryValue: new Uint8Array([1, 2]) } };
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: url, MessageBody: "late", DelaySeconds: 10, MessageAttributes }));
  const before = simAws.log().records.length;

  const messages = simAws.sqs().messages(url);
  expect(messages).toEqual([
    {
      MessageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      Body: "held",
      MD5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      Attributes: { SenderId: ACCOUNT, SentTimestamp: String(START), ApproximateReceiveCount: "1", ApproximateFirstReceiveTimestamp: String(START) },
      MessageAttributes: {},
      state: "inFlight",
      hiddenUntil: new Date(START + 30_000),
      receiveCount: 1,
    },
    expect.objectContaining({ Body: "waiting", state: "visible", receiveCount: 0, Attributes: expect.objectContaining({ ApproximateReceiveCount: "0" }) }),
    expect.objectContaining({ Body: "late", state: "delayed", hiddenUntil: new Date(START + 11_000), MessageAttributes, MD5OfMessageAttributes: expect.stringMatching(/^[0-9a-f]{32}$/) }),
  ]);
  expect(messages[1]).not.toHaveProperty("hiddenUntil");

  // What it answers are copies.
  Object.assign(messages[2]!.MessageAttributes, { kind: undefined });
  messages[2]!.MessageAttributes.raw!.BinaryValue!.fill(9);
  expect(simAws.sqs().messages(url)[2]).toMatchObject({ MessageAttributes });
  expect(simAws.log().records).toHaveLength(before);
  expect(await counts(simAws, url)).toEqual([1, 1, 1]);
  expect(await receive(simAws, url)).toMatchObject([{ Body: "waiting" }]);
});

test("what time has done is seen: messages come back, expire and are dead-lettered", async () => {
  const dlq = await createQueue(simAws, "dlq");
  const url = await createQueue(simAws, "q", { ...redrivePolicy("dlq", 1), MessageRetentionPeriod: "60" });
  const states = (): string[] => simAws.sqs().messages(url).map(({ Body, state }) => `${Body} ${state}`);
  await send(simAws, url, "a", "b");
  await receive(simAws, url, { MaxNumberOfMessages: 1, VisibilityTimeout: 5 });
  await simAws.clock().advanceBy({ milliseconds: 4_999 });
  expect(states()).toEqual(["a inFlight", "b visible"]);
  await simAws.clock().advanceBy({ milliseconds: 1 });
  expect(states()).toEqual(["b visible"]);
  expect(simAws.sqs().messages(dlq)).toMatchObject([{ Body: "a", receiveCount: 1, Attributes: { DeadLetterQueueSourceArn: expect.stringMatching(/:q$/) } }]);
  await simAws.clock().advanceBy({ seconds: 55 });
  expect(states()).toEqual([]);
});

test("the account and region asked are those of a call", async () => {
  const there = simAws.account("210987654321").region("eu-west-1");
  const { QueueUrl } = await there.sqs().createQueue({ input: { QueueName: "q" } });
  await there.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
  expect(there.sqs().messages(QueueUrl!)).toHaveLength(1);
  expect(simAws.region("eu-west-1").sqs().messages(QueueUrl!)).toHaveLength(1);
  for (const url of [QueueUrl!, MISSING, "no url"]) expect(await refusalOf(Promise.resolve().then(() => simAws.sqs().messages(url)))).toEqual(queueDoesNotExist);
});

test("a purge and a deletion stand in the account of each message they dropped", async () => {
  const url = await createQueue(simAws, "q");
  const [held, waiting] = await send(simAws, url, "held", "waiting");
  await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: url }));
  await simAws.sqs().purgeQueue({ input: { QueueUrl: url } });
  for (const message of [held!, waiting!]) expect(simAws.log().filter({ message }).records.at(-1)).toMatchObject({ kind: "sqs.queue.purged", messageCount: 2 });
  const [last] = await send(simAws, url, "last");
  await simAws.sqs().deleteQueue({ input: { QueueUrl: url } });
  const account = simAws.log().filter({ message: last! });
  expect(account.records.map(({ kind }) => kind)).toEqual(["sqs.message.sent", "sqs.queue.deleted"]);
  expect(String(account)).toContain("Queue q was deleted by arn:aws:iam::888888888888:root: 1 message went with it.");
});

test("the record of a purge names a thousand of what it dropped, and counts all", async () => {
  const url = await createQueue(simAws, "q");
  await send(simAws, url, ...Array.from({ length: 1_001 }, (_, index) => String(index)));
  await simAws.sqs().purgeQueue({ input: { QueueUrl: url } });
  const [purged] = simAws.log().filter({ kind: "sqs.queue.purged" });
  expect(purged!.messageCount).toBe(1_001);
  expect(purged!.messageIds).toHaveLength(1_000);
  expect(simAws.sqs().messages(url)).toEqual([]);
});
