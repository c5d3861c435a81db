import { ChangeMessageVisibilityCommand, DeleteMessageBatchCommand, DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, SetQueueAttributesCommand, type Message } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { bodiesOf, changeVisibility, counts, createFifoQueue, createQueue, deleteMessages, invalidParameter, receive, receiveOne, redrivePolicy, refusalOf, sendToGroups } from "./setup.js";

let simAws: SimAws;
let QueueUrl: string;
beforeEach(async () => {
  simAws = new SimAws();
  QueueUrl = await createFifoQueue(simAws);
});

const sendAll = (...bodies: string[]): Promise<void> => sendToGroups(simAws, QueueUrl, ...bodies);
const take = (MaxNumberOfMessages = 10, VisibilityTimeout?: number): Promise<Message[]> => receive(simAws, QueueUrl, { MaxNumberOfMessages, VisibilityTimeout });
const takeBodies = async (...options: [count?: number, visibilityTimeoutSeconds?: number]): Promise<unknown> => bodiesOf(await take(...options));
const remove = (...messages: Message[]): Promise<void> => deleteMessages(simAws, QueueUrl, ...messages);

/** Recorded on AWS, as the tests of public tools assert it there: what a receive of 10 answers after some of the messages were received. */
const INTERLEAVED = ["g1-m1", "g2-m1", "g1-m2", "g2-m2", "g1-m3", "g1-m4", "g3-m1"];
const recorded: readonly { name: string; sent: readonly string[]; before: () => Promise<unknown>; expected: readonly string[]; visibilityTimeoutSeconds?: number }[] = [
  { name: "a group as far as it goes, then the next", sent: ["g1-m1", "g2-m1", "g1-m2", "g1-m3"], before: async () => {}, expected: ["g1-m1", "g1-m2", "g1-m3", "g2-m1"] },
  { name: "nothing of a group of which some is deleted and some in flight", sent: INTERLEAVED, before: async () => remove((await take(2))[0]!), expected: ["g2-m1", "g2-m2", "g3-m1"] },
  { name: "a group whose messages were deleted, by the age of its next one", sent: INTERLEAVED, before: async () => remove(...(await take(2))), expected: ["g2-m1", "g2-m2", "g1-m3", "g1-m4", "g3-m1"] },
  {
    name: "groups whose visibility timeout lapsed, behind one that nobody touched",
    sent: ["g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1", "g3-m1"],
    async before() {
      expect(await takeBodies(2, 1)).toEqual(["g1-m1", "g1-m2"]);
      expect(await takeBodies(1, 1)).toEqual(["g2-m1"]);
      await simAws.clock().advanceBy({ seconds: 2 });
    },
    visibilityTimeoutSeconds: 0,
    expected: ["g3-m1", "g1-m1", "g1-m2", "g1-m3", "g1-m4", "g2-m1"],
  },
  {
    name: "groups that were received with a visibility timeout of 0, behind one that nobody touched",
    sent: ["g1-m1", "g2-m1", "g2-m2", "g3-m1", "g1-m2"],
    before: async () => expect(await takeBodies(3, 0)).toEqual(["g1-m1", "g1-m2", "g2-m1"]),
    visibilityTimeoutSeconds: 0,
    expected: ["g3-m1", "g1-m1", "g1-m2", "g2-m1", "g2-m2"],
  },
  {
    name: "a first message whose visibility timeout was ended, without the next one that is in flight",
    sent: ["g1-m1", "g1-m2", "g2-m1"],
    before: async () => changeVisibility(simAws, QueueUrl, (await take(2))[0]!, 0),
    expected: ["g2-m1", "g1-m1"],
  },
  {
    name: "a first message whose visibility timeout was shortened, without the next one that is in flight",
    sent: ["g1-m1", "g1-m2", "g2-m1"],
    async before() {
      await changeVisibility(simAws, QueueUrl, (await take(2))[0]!, 1);
      await simAws.clock().advanceBy({ seconds: 2 });
    },
    expected: ["g2-m1", "g1-m1"],
  },
];

test.each(recorded)("a receive answers, as recorded on AWS, $name", async ({ sent, before, expected, visibilityTimeoutSeconds }) => {
  await sendAll(...sent);
  await before();
  expect(await takeBodies(10, visibilityTimeoutSeconds)).toEqual(expected);
});

describe("a group with messages in flight", () => {
  test("is closed, also to messages sent to it since, and opens when all of them are deleted", async () => {
    await sendAll("g-a", "g-b");
    const [a, b] = (await take()) as [Message, Message];
    await sendAll("g-c", "other-x");
    expect(await takeBodies()).toEqual(["other-x"]);
    await remove(a);
    expect(await takeBodies()).toEqual([]);
    await remove(b);
    expect(await takeBodies()).toEqual(["g-c"]);
  });

  test("opens when they come back, in their order, and not a millisecond before", async () => {
    await sendAll("g-1", "g-2", "g-3", "g-4");
    expect(await takeBodies(3)).toEqual(["g-1", "g-2", "g-3"]);
    await simAws.clock().advanceBy({ milliseconds: 29_999 });
    expect(await takeBodies()).toEqual([]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await takeBodies()).toEqual(["g-1", "g-2", "g-3", "g-4"]);
  });

  test("stays closed for as long as its first message is hidden, though the others have come back", async () => {
    await sendAll("g-1", "g-2", "g-3");
    const [first] = (await take()) as [Message];
    await changeVisibility(simAws, QueueUrl, first, 45);
    await simAws.clock().advanceBy({ seconds: 31 });
    expect(await counts(simAws, QueueUrl)).toEqual([2, 1, 0]);
    expect(await takeBodies()).toEqual([]);
    await simAws.clock().advanceBy({ seconds: 14 });
    expect(await takeBodies()).toEqual(["g-1", "g-2", "g-3"]);
  });

  test("gives what comes before the first message in flight, and nothing behind it", async () => {
    await sendAll("g-1", "g-2", "g-3", "g-4");
    const [one, two, three] = (await take(3)) as [Message, Message, Message];
    await changeVisibility(simAws, QueueUrl, three, 0);
    expect(await takeBodies()).toEqual([]);
    await changeVisibility(simAws, QueueUrl, one, 0);
    const [again] = (await take()) as [Message];
    expect(again.Body).toBe("g-1");
    await remove(again);
    expect(await takeBodies()).toEqual([]);
    await remove(two);
    expect(await takeBodies()).toEqual(["g-3", "g-4"]);
  });

  test("works again after it was empty", async () => {
    await sendAll("g-1");
    await remove(...(await take()));
    expect(await takeBodies()).toEqual([]);
    await sendAll("g-2");
    expect(await takeBodies()).toEqual(["g-2"]);
  });

  test.each([
    { name: "a deletion", free: (message: Message) => remove(message), expected: ["g-2"] },
    {
      name: "the deletion in a batch",
      free: ({ ReceiptHandle }: Message) => simAws.sqs().deleteMessageBatch(new DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: "a", ReceiptHandle }] })),
      expected: ["g-2"],
    },
    { name: "the end of its visibility timeout", free: (message: Message) => changeVisibility(simAws, QueueUrl, message, 0), expected: ["g-1", "g-2"] },
    { name: "the lapse of its visibility timeout", free: () => simAws.clock().advanceBy({ seconds: 15 }), expected: ["g-1", "g-2"] },
  ])("wakes a waiting receive by $name", async ({ free, expected }) => {
    await sendAll("g-1", "g-2");
    const first = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 15 });
    const waiting = simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }));
    await free(first);
    expect(bodiesOf((await waiting).Messages ?? [])).toEqual(expected);
  });
});

test("counts fall when messages are received, not when they are deleted", async () => {
  await sendAll("g1-m1", "g1-m2", "g1-m3", "g2-m1", "g3-m1");
  expect(await counts(simAws, QueueUrl)).toEqual([5, 0, 0]);
  const messages = await take(4);
  expect(await counts(simAws, QueueUrl)).toEqual([1, 4, 0]);
  await remove(...messages);
  expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
});

describe("receipt handles", () => {
  const EXPIRED = (handle: string): ReturnType<typeof invalidParameter> => invalidParameter(`Value ${handle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`);

  test("expire with the visibility timeout, for a deletion and a change alike, alone and in a batch", async () => {
    await sendAll("g-1");
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 2 });
    await simAws.clock().advanceBy({ seconds: 2 });
    expect(await refusalOf(simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })))).toEqual(EXPIRED(ReceiptHandle));
    expect(await refusalOf(simAws.sqs().changeMessageVisibility(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 9 })))).toEqual(EXPIRED(ReceiptHandle));
    const { Successful, Failed } = await simAws.sqs().deleteMessageBatch(new DeleteMessageBatchCommand({ QueueUrl, Entries: [{ Id: "a", ReceiptHandle }] }));
    expect(Successful).toBeUndefined();
    expect(Failed).toEqual([{ Id: "a", SenderFault: true, Code: "InvalidParameterValue", Message: EXPIRED(ReceiptHandle).message }]);
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
  });

  test("live on while the visibility timeout is prolonged, and delete once and again", async () => {
    await sendAll("g-1");
    const message = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 2 });
    await changeVisibility(simAws, QueueUrl, message, 5);
    await simAws.clock().advanceBy({ milliseconds: 4_999 });
    await remove(message);
    await remove(message);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("of an earlier receive have expired while the message is in flight again", async () => {
    await sendAll("g-1");
    const { ReceiptHandle: old } = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 2 });
    await simAws.clock().advanceBy({ seconds: 2 });
    const now = await receiveOne(simAws, QueueUrl);
    expect(await refusalOf(simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: old })))).toEqual(EXPIRED(old));
    expect(await counts(simAws, QueueUrl)).toEqual([0, 1, 0]);
    await remove(now);
  });
});

describe("delay", () => {
  const setDelay = (DelaySeconds: number): Promise<unknown> => simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { DelaySeconds: String(DelaySeconds) } }));

  test("is the queue's, for each message, and keeps their order; 0 in a message changes nothing", async () => {
    await setDelay(5);
    await sendAll("g-1");
    await simAws.clock().advanceBy({ seconds: 2 });
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "g-2", MessageGroupId: "g", DelaySeconds: 0 }));
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 2]);
    await simAws.clock().advanceBy({ milliseconds: 2_999 });
    expect(await takeBodies()).toEqual([]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await takeBodies(10, 1)).toEqual(["g-1"]);
    await simAws.clock().advanceBy({ seconds: 2 });
    expect(await takeBodies()).toEqual(["g-1", "g-2"]);
  });

  test.each([
    { DelaySeconds: 2, message: "Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type." },
    { DelaySeconds: 901, message: "Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900." },
  ])("of a message is refused: $DelaySeconds", async ({ DelaySeconds, message }) => {
    const sent = simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m", MessageGroupId: "g", DelaySeconds }));
    expect(await refusalOf(sent)).toEqual(invalidParameter(message));
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("when changed, applies to messages in the queue from when they were sent, save those received before", async () => {
    await sendAll("g1-m1", "g1-m2", "g2-m1");
    const first = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 1 });
    await simAws.clock().advanceBy({ seconds: 2 });
    await setDelay(10);
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 2]);
    expect(await takeBodies(10, 0)).toEqual([first.Body]);
    await simAws.clock().advanceBy({ milliseconds: 7_999 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 2]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await takeBodies(10, 0)).toEqual(["g2-m1", "g1-m1", "g1-m2"]);
    await setDelay(60);
    await sendAll("g3-m1");
    expect(await takeBodies()).toEqual(["g2-m1", "g1-m1", "g1-m2"]);
    const waiting = simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    await setDelay(0);
    expect((await waiting).Messages).toMatchObject([{ Body: "g3-m1" }]);
  });
});

test("messages expire in each group, the hidden ones too, at their instant", async () => {
  await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { MessageRetentionPeriod: "60" } }));
  await sendAll("g1-m1", "g2-m1");
  await simAws.clock().advanceBy({ seconds: 10 });
  await sendAll("g1-m2", "g2-m2", "g3-m1");
  expect(await takeBodies(1, 3_600)).toEqual(["g1-m1"]);
  await simAws.clock().advanceBy({ milliseconds: 49_999 });
  expect(await counts(simAws, QueueUrl)).toEqual([4, 1, 0]);
  await simAws.clock().advanceBy({ milliseconds: 1 });
  expect(await counts(simAws, QueueUrl)).toEqual([3, 0, 0]);
  expect(await takeBodies()).toEqual(["g1-m2", "g2-m2", "g3-m1"]);
  await simAws.clock().advanceBy({ seconds: 10 });
  expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
});

describe("a dead-letter queue", () => {
  let dlq: string;
  beforeEach(async () => {
    dlq = await createFifoQueue(simAws, "dlq.fifo");
    QueueUrl = await createFifoQueue(simAws, "source.fifo", redrivePolicy("dlq.fifo", 1));
  });
  const deadLetters = (): Promise<Message[]> => receive(simAws, dlq, { MessageSystemAttributeNames: ["All"] });

  test("takes a group's messages in their order, and the group goes on", async () => {
    await sendAll("g-1", "g-2", "g-3", "other-1");
    expect(await takeBodies(2)).toEqual(["g-1", "g-2"]);
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await counts(simAws, dlq)).toEqual([2, 0, 0]);
    expect(await takeBodies()).toEqual(["g-3", "other-1"]);
    expect(bodiesOf(await deadLetters())).toEqual(["g-1", "g-2"]);
  });

  test("gets the message as new in its age, with its id for deduplication, and its count going on", async () => {
    const sentAtMs = simAws.clock().now().getTime();
    await sendAll("g-1");
    const { MessageId } = await receiveOne(simAws, QueueUrl);
    await simAws.clock().advanceBy({ seconds: 30 });
    const [dead] = await deadLetters();
    expect(dead).toMatchObject({
      MessageId,
      Body: "g-1",
      Attributes: {
        MessageGroupId: "g",
        MessageDeduplicationId: MessageId,
        SentTimestamp: String(sentAtMs + 30_000),
        ApproximateReceiveCount: "2",
        ApproximateFirstReceiveTimestamp: String(sentAtMs),
        SequenceNumber: expect.stringMatching(/^\d{20}$/),
        DeadLetterQueueSourceArn: expect.stringMatching(/:source\.fifo$/),
      },
    });
    await sendToGroups(simAws, dlq, "g-1");
    await deleteMessages(simAws, dlq, dead!);
    expect(bodiesOf(await deadLetters())).toEqual(["g-1"]);
  });

  test("gets a message whose timeout was ended by hand or by a receive with a timeout of 0", async () => {
    await sendAll("g-1", "g-2");
    await changeVisibility(simAws, QueueUrl, await receiveOne(simAws, QueueUrl), 0);
    expect(await counts(simAws, dlq)).toEqual([1, 0, 0]);
    expect(await takeBodies(1, 0)).toEqual(["g-2"]);
    expect(await takeBodies()).toEqual([]);
    expect(bodiesOf(await deadLetters())).toEqual(["g-1", "g-2"]);
  });

  test.each([
    { name: "is deleted", end: (first: Message) => remove(first), expected: ["g-2", "g-3"] },
    { name: "lapses itself", end: () => simAws.clock().advanceBy({ seconds: 30 }), expected: ["g-1", "g-2", "g-3"] },
  ])("waits for a lapsed message behind one in flight until that $name", async ({ end, expected }) => {
    await sendAll("g-1", "g-2", "g-3", "g-4");
    const [first] = (await take(3)) as [Message];
    await changeVisibility(simAws, QueueUrl, first, 60);
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await counts(simAws, dlq)).toEqual([0, 0, 0]);
    expect(await takeBodies()).toEqual([]);
    await end(first);
    expect(await counts(simAws, dlq)).toEqual([expected.length, 0, 0]);
    expect(bodiesOf(await deadLetters())).toEqual(expected);
    expect(await takeBodies()).toEqual(["g-4"]);
  });

  test("wakes who waits for the rest of the group", async () => {
    await sendAll("g-1", "g-2");
    await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 5 });
    const waiting = simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    await simAws.clock().advanceBy({ seconds: 5 });
    expect((await waiting).Messages).toMatchObject([{ Body: "g-2" }]);
  });

  test("delays what comes as its own delay says, so that nothing of a group is overtaken", async () => {
    await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl: dlq, Attributes: { DelaySeconds: "10" } }));
    await sendToGroups(simAws, dlq, "g-0");
    await sendAll("g-1");
    await changeVisibility(simAws, QueueUrl, await receiveOne(simAws, QueueUrl), 0);
    expect(await counts(simAws, dlq)).toEqual([0, 0, 2]);
    await simAws.clock().advanceBy({ seconds: 10 });
    expect(bodiesOf(await deadLetters())).toEqual(["g-0", "g-1"]);
  });

  test.each([
    { source: "plain", target: "dlq.fifo" },
    { source: "more.fifo", target: "plain-dlq" },
  ])("is of the same type as its source: $target is none for $source", async ({ source, target }) => {
    await createQueue(simAws, "plain-dlq");
    const policy = redrivePolicy(target, 1);
    const isFifo = source.endsWith(".fifo");
    const created = isFifo ? createFifoQueue(simAws, source, policy) : createQueue(simAws, source, policy);
    expect(await refusalOf(created)).toEqual(invalidParameter(`Value ${policy.RedrivePolicy} for parameter RedrivePolicy is invalid. Reason: Dead-letter queue must be same type of queue as the source.`));
    const plain = isFifo ? await createFifoQueue(simAws, source) : await createQueue(simAws, source);
    expect(await refusalOf(simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl: plain, Attributes: policy })))).toMatchObject({ name: "InvalidParameterValue" });
  });
});
