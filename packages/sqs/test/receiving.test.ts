import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  type ReceiveMessageCommandOutput,
} from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { arnOf, counts, createQueue, invalidParameter, missingParameter, receive, receiveOne, redrivePolicy, refusalOf, send } from "./setup.js";

let simAws: SimAws;
let QueueUrl: string;
beforeEach(async () => {
  simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z") });
  QueueUrl = await createQueue(simAws, "q");
});

const bodies = async (options = {}): Promise<unknown[]> => (await receive(simAws, QueueUrl, options)).map(({ Body }) => Body);
const changeVisibility = (ReceiptHandle: string, VisibilityTimeout: number, url = QueueUrl): Promise<unknown> =>
  simAws.sqs().changeMessageVisibility(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout }));
const deleteMessage = (ReceiptHandle: string, url = QueueUrl): Promise<unknown> => simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
const unavailable = (handle: string): object => invalidParameter(`Value ${handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`);

describe("a receive", () => {
  test("gives the oldest first, one unless more are asked for, ten at most", async () => {
    await send(simAws, QueueUrl, ..."abcdefghijkl".split(""));
    const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl }));
    expect(Messages).toMatchObject([{ Body: "a" }]);
    expect(await bodies({ MaxNumberOfMessages: 10 })).toEqual("bcdefghijk".split(""));
    expect(await bodies()).toEqual(["l"]);
    expect(Object.keys(await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl })))).toEqual(["$metadata"]);
  });

  test("leaves no message for a second consumer within the visibility timeout", async () => {
    await send(simAws, QueueUrl, "m");
    expect(await bodies()).toEqual(["m"]);
    expect(await bodies()).toEqual([]);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 1, 0]);
  });

  test.each([
    { given: { MaxNumberOfMessages: 0 }, message: "Value 0 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided." },
    { given: { MaxNumberOfMessages: 11 }, message: "Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided." },
    { given: { WaitTimeSeconds: 21 }, message: "Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided." },
    { given: { WaitTimeSeconds: -1 }, message: "Value -1 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided." },
    { given: { VisibilityTimeout: -1 }, message: "Value -1 for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided." },
    { given: { VisibilityTimeout: 43_201 }, message: "Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided." },
  ])("with $given is refused and takes nothing", async ({ given, message }) => {
    await send(simAws, QueueUrl, "m");
    expect(await refusalOf(simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, ...given })))).toEqual(invalidParameter(message));
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
  });

  test("may hide messages for 12 hours", async () => {
    await send(simAws, QueueUrl, "m");
    await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 43_200 });
    await simAws.clock().advanceBy({ hours: 12, milliseconds: -1 });
    expect(await bodies()).toEqual([]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await bodies()).toEqual(["m"]);
  });
});

describe("system attributes", () => {
  const SENT = String(Date.parse("2026-01-01T00:00:00Z"));
  const FIRST_RECEIVED = String(Date.parse("2026-01-01T00:00:05Z"));

  beforeEach(async () => {
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m", MessageSystemAttributes: { AWSTraceHeader: { DataType: "String", StringValue: "Root=1" } } }));
    await simAws.clock().advanceBy({ seconds: 5 });
    await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 1 });
    await simAws.clock().advanceBy({ seconds: 1 });
  });

  test.each<{ name: string; given: object; expected: object | undefined }>([
    { name: "none", given: {}, expected: undefined },
    { name: "those asked for", given: { MessageSystemAttributeNames: ["SenderId", "SequenceNumber"] }, expected: { SenderId: "888888888888" } },
    { name: "none of those that do not apply", given: { MessageSystemAttributeNames: ["SequenceNumber", "DeadLetterQueueSourceArn"] }, expected: undefined },
    { name: "none of those that queues have", given: { AttributeNames: ["Policy", "VisibilityTimeout", "SqsManagedSseEnabled", "QueueArn"] }, expected: undefined },
    { name: "those of messages among those of queues", given: { AttributeNames: ["QueueArn", "SenderId"] }, expected: { SenderId: "888888888888" } },
    { name: "by the old member and the new", given: { AttributeNames: ["SentTimestamp"], MessageSystemAttributeNames: ["SenderId"] }, expected: { SenderId: "888888888888", SentTimestamp: SENT } },
    {
      name: "all",
      given: { AttributeNames: ["All"] },
      expected: { SenderId: "888888888888", SentTimestamp: SENT, ApproximateReceiveCount: "2", ApproximateFirstReceiveTimestamp: FIRST_RECEIVED, AWSTraceHeader: "Root=1" },
    },
  ])("are answered: $name", async ({ given, expected }) => {
    expect((await receiveOne(simAws, QueueUrl, given)).Attributes).toEqual(expected);
  });

  test("unknown to AWS are refused", async () => {
    const input = { QueueUrl, MessageSystemAttributeNames: ["Foobar" as "All"] };
    expect(await refusalOf(simAws.sqs().receiveMessage({ input }))).toEqual({ name: "InvalidAttributeName", message: "Unknown Attribute Foobar.", status: 400 });
  });
});

describe("message attributes", () => {
  const attribute = (StringValue: string): object => ({ DataType: "String", StringValue });
  const all = { "Pre.One": attribute("1"), Two: attribute("second"), Three: attribute("third") };

  test.each<{ asked: string[] | undefined; expected: object | undefined; digest: string | undefined }>([
    { asked: undefined, expected: undefined, digest: undefined },
    { asked: [], expected: undefined, digest: undefined },
    { asked: ["All"], expected: all, digest: "e50565858ce09d77949dce963adf77ce" },
    { asked: [".*"], expected: all, digest: "e50565858ce09d77949dce963adf77ce" },
    { asked: ["*"], expected: all, digest: "e50565858ce09d77949dce963adf77ce" },
    { asked: ["Foo", "Pre"], expected: undefined, digest: undefined },
    { asked: ["two"], expected: undefined, digest: undefined },
    { asked: ["Foo", "Two"], expected: { Two: all.Two }, digest: "86205ba1615191cf7b59d437ea72642c" },
    { asked: ["Pre.*"], expected: { "Pre.One": all["Pre.One"] }, digest: "aa3a0fdf78bc1a7ee1a66d2ddba3a585" },
  ])("asked for as $asked are selected, and the digest covers what is answered", async ({ asked, expected, digest }) => {
    await simAws.sqs().sendMessage({ input: { QueueUrl, MessageBody: "m", MessageAttributes: all as Record<string, { DataType: string }> } });
    const { MessageAttributes, MD5OfMessageAttributes } = await receiveOne(simAws, QueueUrl, { MessageAttributeNames: asked });
    expect({ MessageAttributes, MD5OfMessageAttributes }).toEqual({ MessageAttributes: expected, MD5OfMessageAttributes: digest });
  });
});

describe("visibility", () => {
  test("a message comes back when its timeout lapses, not a millisecond before, in its old place", async () => {
    await send(simAws, QueueUrl, "a");
    const first = await receiveOne(simAws, QueueUrl);
    await send(simAws, QueueUrl, "b");
    await simAws.clock().advanceBy({ milliseconds: 29_999 });
    expect(await bodies({ VisibilityTimeout: 0 })).toEqual(["b"]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    const [again, b] = await receive(simAws, QueueUrl, { MessageSystemAttributeNames: ["ApproximateReceiveCount"] });
    expect(again).toMatchObject({ Body: "a", MessageId: first.MessageId, Attributes: { ApproximateReceiveCount: "2" } });
    expect(again!.ReceiptHandle).not.toBe(first.ReceiptHandle);
    expect(b).toMatchObject({ Body: "b" });
  });

  test("a timeout of 0 leaves a message receivable, and the next receive uses the queue's own", async () => {
    await send(simAws, QueueUrl, "m");
    const first = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 0 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
    const second = await receiveOne(simAws, QueueUrl);
    expect(second.MessageId).toBe(first.MessageId);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 1, 0]);
  });

  test("can be changed, counted from now, for this receive only", async () => {
    await send(simAws, QueueUrl, "m");
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 10 });
    await simAws.clock().advanceBy({ seconds: 9 });
    await changeVisibility(ReceiptHandle, 60);
    await simAws.clock().advanceBy({ seconds: 60, milliseconds: -1 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 1, 0]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await bodies()).toEqual(["m"]);
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await bodies()).toEqual(["m"]);
  });

  test("can be ended at once", async () => {
    await send(simAws, QueueUrl, "m");
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl);
    await changeVisibility(ReceiptHandle, 0);
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
    expect(await refusalOf(changeVisibility(ReceiptHandle, 0))).toEqual(unavailable(ReceiptHandle));
  });

  test("adds up to 12 hours from the receive at most", async () => {
    await send(simAws, QueueUrl, "m");
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl);
    await changeVisibility(ReceiptHandle, 43_200);
    await simAws.clock().advanceBy({ seconds: 10 });
    expect(await refusalOf(changeVisibility(ReceiptHandle, 43_191))).toEqual(
      invalidParameter("Value 43191 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]"),
    );
    await changeVisibility(ReceiptHandle, 43_190);
    await simAws.clock().advanceBy({ seconds: 43_189 });
    expect(await bodies()).toEqual([]);
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(await bodies()).toEqual(["m"]);
  });

  test("cannot be changed out of range, or of a message that is not in flight under that handle", async () => {
    await send(simAws, QueueUrl, "m");
    const lapsed = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 1 });
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(await refusalOf(changeVisibility(lapsed.ReceiptHandle, 10))).toEqual(unavailable(lapsed.ReceiptHandle));
    const current = await receiveOne(simAws, QueueUrl);
    expect(await refusalOf(changeVisibility(lapsed.ReceiptHandle, 10))).toEqual(unavailable(lapsed.ReceiptHandle));
    expect(await refusalOf(changeVisibility(current.ReceiptHandle, 43_201))).toEqual(
      invalidParameter("Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided."),
    );
    expect(await refusalOf(simAws.sqs().changeMessageVisibility({ input: { QueueUrl, ReceiptHandle: current.ReceiptHandle, VisibilityTimeout: undefined } }))).toEqual(missingParameter("VisibilityTimeout"));
    expect(await refusalOf(changeVisibility("garbage", 10))).toEqual({ name: "ReceiptHandleIsInvalid", message: 'The input receipt handle "garbage" is not a valid receipt handle.', status: 400 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 1, 0]);
    await deleteMessage(current.ReceiptHandle);
    expect(await refusalOf(changeVisibility(current.ReceiptHandle, 10))).toEqual(unavailable(current.ReceiptHandle));
  });
});

describe("deleting", () => {
  beforeEach(() => send(simAws, QueueUrl, "m"));

  test("twice is no error", async () => {
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl);
    await deleteMessage(ReceiptHandle);
    await deleteMessage(ReceiptHandle);
    await simAws.clock().advanceBy({ hours: 1 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("with a lapsed handle still deletes", async () => {
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 2 });
    await simAws.clock().advanceBy({ seconds: 3 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
    await deleteMessage(ReceiptHandle);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("with a superseded handle succeeds and deletes nothing", async () => {
    const first = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 2 });
    await simAws.clock().advanceBy({ seconds: 2 });
    const second = await receiveOne(simAws, QueueUrl);
    await deleteMessage(first.ReceiptHandle);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 1, 0]);
    await deleteMessage(second.ReceiptHandle);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("with a handle of a message that was purged succeeds", async () => {
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl);
    await simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl }));
    await deleteMessage(ReceiptHandle);
  });

  test("with a handle this queue never issued is refused, the queue looked at first", async () => {
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl);
    const last = ReceiptHandle.at(-1) === "0" ? "1" : "0";
    const other = await createQueue(simAws, "other");
    for (const [handle, url] of [["garbage", QueueUrl], [`${ReceiptHandle.slice(0, -1)}${last}`, QueueUrl], [`${ReceiptHandle}0`, QueueUrl], [ReceiptHandle, other]] as const) {
      expect(await refusalOf(deleteMessage(handle, url))).toEqual({
        name: "ReceiptHandleIsInvalid",
        message: `The input receipt handle "${handle}" is not a valid receipt handle.`,
        status: 400,
      });
    }
    expect(await refusalOf(deleteMessage("", QueueUrl))).toEqual(missingParameter("ReceiptHandle"));
    expect(await refusalOf(deleteMessage("garbage", QueueUrl.replace(/q$/, "missing")))).toMatchObject({ name: "QueueDoesNotExist" });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 1, 0]);
  });

  test("with a handle of an earlier queue of that name is refused", async () => {
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl);
    await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl }));
    await simAws.clock().advanceBy({ minutes: 1 });
    await createQueue(simAws, "q");
    expect(await refusalOf(deleteMessage(ReceiptHandle))).toMatchObject({ name: "ReceiptHandleIsInvalid" });
  });
});

describe("retention", () => {
  const setRetention = (seconds: number): Promise<unknown> =>
    simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { MessageRetentionPeriod: String(seconds) } }));

  /** One visible, one in flight and one delayed message, all sent now. */
  async function sendThree(): Promise<void> {
    await send(simAws, QueueUrl, "in flight");
    await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 43_200 });
    await send(simAws, QueueUrl, "visible");
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "delayed", DelaySeconds: 900 }));
    expect(await counts(simAws, QueueUrl)).toEqual([1, 1, 1]);
  }

  test("ends visible, in-flight and delayed messages alike, not a millisecond early", async () => {
    await setRetention(60);
    await sendThree();
    await simAws.clock().advanceBy({ milliseconds: 59_999 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 1, 1]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
    expect(simAws.log().filter({ kind: "sqs.message.expired" }).records).toHaveLength(3);
    await simAws.clock().advanceBy({ days: 1 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("is 4 days by default", async () => {
    await send(simAws, QueueUrl, "m");
    await simAws.clock().advanceBy({ days: 4, milliseconds: -1 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("when shortened takes stored messages too, those past it at once", async () => {
    await sendThree();
    await simAws.clock().advanceBy({ seconds: 70 });
    await send(simAws, QueueUrl, "young");
    await setRetention(80);
    expect(await counts(simAws, QueueUrl)).toEqual([2, 1, 1]);
    await simAws.clock().advanceBy({ seconds: 10 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
    await setRetention(60);
    await simAws.clock().advanceBy({ seconds: 49 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("when lengthened keeps what is still there", async () => {
    await setRetention(60);
    await sendThree();
    await simAws.clock().advanceBy({ seconds: 59 });
    await setRetention(1000);
    await simAws.clock().advanceBy({ seconds: 900 });
    expect(await counts(simAws, QueueUrl)).toEqual([2, 1, 0]);
    await simAws.clock().advanceBy({ seconds: 41 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("shortened below a message's age ends it at once", async () => {
    await sendThree();
    await simAws.clock().advanceBy({ seconds: 100 });
    await setRetention(100);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });
});

describe("dead letters", () => {
  let dlq: string;
  beforeEach(async () => {
    dlq = await createQueue(simAws, "dlq");
    QueueUrl = await createQueue(simAws, "work", { ...redrivePolicy("dlq", 2), VisibilityTimeout: "10" });
  });

  test("go when their last timeout lapses, without another receive, and look as they did", async () => {
    const attributes = { kind: { DataType: "String", StringValue: "alpha" } };
    const { MessageId } = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "poison", MessageAttributes: attributes }));
    const SentTimestamp = String(simAws.clock().now().getTime());
    for (let round = 0; round < 2; round++) {
      await simAws.clock().advanceBy({ seconds: 10 });
      expect(await bodies()).toEqual(["poison"]);
    }
    await simAws.clock().advanceBy({ milliseconds: 9_999 });
    expect(await counts(simAws, dlq)).toEqual([0, 0, 0]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect([await counts(simAws, QueueUrl), await counts(simAws, dlq)]).toEqual([[0, 0, 0], [1, 0, 0]]);
    expect(await receiveOne(simAws, dlq, { MessageSystemAttributeNames: ["All"], MessageAttributeNames: ["All"] })).toMatchObject({
      MessageId,
      Body: "poison",
      MessageAttributes: attributes,
      MD5OfMessageAttributes: "f23c286939eefebefd68116276484336",
      Attributes: { SentTimestamp, ApproximateReceiveCount: "3", DeadLetterQueueSourceArn: arnOf("work") },
    });
  });

  test("go at once when their last visibility is ended", async () => {
    await send(simAws, QueueUrl, "poison");
    await changeVisibility((await receiveOne(simAws, QueueUrl)).ReceiptHandle, 0);
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
    await changeVisibility((await receiveOne(simAws, QueueUrl)).ReceiptHandle, 0);
    expect([await counts(simAws, QueueUrl), await counts(simAws, dlq)]).toEqual([[0, 0, 0], [1, 0, 0]]);
  });

  test("go at the next receive where no timeout was to lapse", async () => {
    await send(simAws, QueueUrl, "poison", "good");
    for (let round = 0; round < 2; round++) expect(await bodies({ VisibilityTimeout: 0, MaxNumberOfMessages: 1 })).toEqual(["poison"]);
    expect(await counts(simAws, dlq)).toEqual([0, 0, 0]);
    expect(await bodies()).toEqual(["good"]);
    expect(await counts(simAws, dlq)).toEqual([1, 0, 0]);
  });

  test("are none when they were deleted in time, or the last extension still runs", async () => {
    await send(simAws, QueueUrl, "saved", "slow");
    await receive(simAws, QueueUrl);
    await simAws.clock().advanceBy({ seconds: 10 });
    const [saved, slow] = await receive(simAws, QueueUrl);
    await deleteMessage(saved!.ReceiptHandle!);
    await changeVisibility(slow!.ReceiptHandle!, 100);
    await simAws.clock().advanceBy({ seconds: 99 });
    expect([await counts(simAws, QueueUrl), await counts(simAws, dlq)]).toEqual([[0, 1, 0], [0, 0, 0]]);
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(await counts(simAws, dlq)).toEqual([1, 0, 0]);
  });

  test("stay in their queue when the dead-letter queue is gone", async () => {
    await send(simAws, QueueUrl, "poison");
    await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl: dlq }));
    for (let round = 0; round < 4; round++) {
      expect(await bodies()).toEqual(["poison"]);
      await simAws.clock().advanceBy({ seconds: 10 });
    }
    await simAws.clock().advanceBy({ seconds: 20 });
    await createQueue(simAws, "dlq");
    expect(await bodies()).toEqual([]);
    expect(await counts(simAws, dlq)).toEqual([1, 0, 0]);
  });

  test("do not exist in a queue that names itself", async () => {
    const url = await createQueue(simAws, "self");
    await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: redrivePolicy("self", 1) }));
    await send(simAws, url, "m");
    for (let round = 0; round < 3; round++) expect(await receive(simAws, url, { VisibilityTimeout: 0 })).toHaveLength(1);
  });

  test("have their chances anew in a dead-letter queue that has one itself", async () => {
    await createQueue(simAws, "last");
    await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl: dlq, Attributes: redrivePolicy("last", 1) }));
    await send(simAws, QueueUrl, "poison");
    for (let round = 0; round < 2; round++) {
      await receiveOne(simAws, QueueUrl);
      await simAws.clock().advanceBy({ seconds: 10 });
    }
    expect(await receive(simAws, dlq)).toHaveLength(1);
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await counts(simAws, dlq)).toEqual([0, 0, 0]);
  });

  test("keep their age: the dead-letter queue's retention runs from when they were sent", async () => {
    await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl: dlq, Attributes: { MessageRetentionPeriod: "60" } }));
    await send(simAws, QueueUrl, "poison");
    for (let round = 0; round < 2; round++) {
      await simAws.clock().advanceBy({ seconds: 5 });
      await receiveOne(simAws, QueueUrl);
      await simAws.clock().advanceBy({ seconds: 10 });
    }
    expect(await counts(simAws, dlq)).toEqual([1, 0, 0]);
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await counts(simAws, dlq)).toEqual([0, 0, 0]);
  });

  test("are none of messages that expire in flight", async () => {
    await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: { ...redrivePolicy("dlq", 1), MessageRetentionPeriod: "60" } }));
    await send(simAws, QueueUrl, "m");
    await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 120 });
    await simAws.clock().advanceBy({ seconds: 200 });
    expect([await counts(simAws, QueueUrl), await counts(simAws, dlq)]).toEqual([[0, 0, 0], [0, 0, 0]]);
  });

  test("are told in the message's account", async () => {
    const [message] = await send(simAws, QueueUrl, "poison");
    await receiveOne(simAws, QueueUrl);
    await simAws.clock().advanceBy({ seconds: 10 });
    await changeVisibility((await receiveOne(simAws, QueueUrl)).ReceiptHandle, 20);
    await simAws.clock().advanceBy({ seconds: 20 });
    await deleteMessage((await receiveOne(simAws, dlq)).ReceiptHandle, dlq);
    const root = "arn:aws:iam::888888888888:root";
    expect(String(simAws.log().filter({ message })).split("\n")).toEqual([
      `2026-01-01T00:00:00.000Z  Message ${message} was sent to work by ${root}.`,
      `2026-01-01T00:00:00.000Z  Message ${message} was received from work by ${root} (receive 1), hidden for 10 s.`,
      `2026-01-01T00:00:10.000Z  Message ${message} came back to work: its visibility timeout lapsed.`,
      `2026-01-01T00:00:10.000Z  Message ${message} was received from work by ${root} (receive 2), hidden for 10 s.`,
      `2026-01-01T00:00:10.000Z  Message ${message} of work is hidden for 20 s from now on by ${root}.`,
      `2026-01-01T00:00:30.000Z  Message ${message} was moved from work to its dead-letter queue dlq after 2 receives.`,
      `2026-01-01T00:00:30.000Z  Message ${message} was received from dlq by ${root} (receive 3), hidden for 30 s.`,
      `2026-01-01T00:00:30.000Z  Message ${message} was deleted from dlq by ${root}.`,
    ]);
  });
});

describe("long polling", () => {
  /** A receive that waits, and whether it is done. */
  function poll(options: object = { WaitTimeSeconds: 20 }): { readonly answer: Promise<ReceiveMessageCommandOutput>; readonly isDone: () => boolean } {
    let done = false;
    const answer = simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...options }));
    void answer.finally(() => (done = true));
    return { answer, isDone: () => done };
  }

  test("is answered at once where something is there, even less than asked for", async () => {
    await send(simAws, QueueUrl, "m");
    expect(await poll().answer).toMatchObject({ Messages: [{ Body: "m" }] });
  });

  test("is answered by a send, at the same instant", async () => {
    const { answer } = poll();
    const before = simAws.clock().now();
    await send(simAws, QueueUrl, "m");
    expect(await answer).toMatchObject({ Messages: [{ Body: "m" }] });
    expect(simAws.clock().now()).toEqual(before);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 1, 0]);
  });

  test("is answered when a delay ends, neither before nor at the end of the wait", async () => {
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "later", DelaySeconds: 5 }));
    const { answer, isDone } = poll();
    await simAws.clock().advanceBy({ seconds: 5, milliseconds: -1 });
    expect(isDone()).toBe(false);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(isDone()).toBe(true);
    expect(await answer).toMatchObject({ Messages: [{ Body: "later" }] });
  });

  test("is answered when a visibility timeout lapses or is ended", async () => {
    await send(simAws, QueueUrl, "m");
    await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 7 });
    const first = poll();
    await simAws.clock().advanceBy({ seconds: 20 });
    const { Messages } = await first.answer;
    expect(Messages).toMatchObject([{ Body: "m" }]);
    const second = poll();
    await changeVisibility(Messages![0]!.ReceiptHandle!, 0);
    expect(await second.answer).toMatchObject({ Messages: [{ Body: "m" }] });
  });

  test("is answered by what falls due at the very end of the wait", async () => {
    await send(simAws, QueueUrl, "m");
    // The queue's earlier deadline comes first and is armed anew behind that of the wait.
    const { ReceiptHandle } = await receiveOne(simAws, QueueUrl, { VisibilityTimeout: 1 });
    await changeVisibility(ReceiptHandle, 20);
    const { answer } = poll();
    await simAws.clock().advanceBy({ seconds: 20 });
    expect(await answer).toMatchObject({ Messages: [{ Body: "m" }] });
  });

  test("is answered empty at its deadline", async () => {
    const { answer, isDone } = poll({ WaitTimeSeconds: 20 });
    await simAws.clock().advanceBy({ seconds: 20, milliseconds: -1 });
    expect(isDone()).toBe(false);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(isDone()).toBe(true);
    expect(Object.keys(await answer)).toEqual(["$metadata"]);
    await send(simAws, QueueUrl, "for the next one");
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
  });

  test("is the queue's default where it says so, and an explicit 0 overrides it", async () => {
    QueueUrl = await createQueue(simAws, "patient", { ReceiveMessageWaitTimeSeconds: "3" });
    expect(await bodies({ WaitTimeSeconds: 0 })).toEqual([]);
    const { answer, isDone } = poll({});
    await simAws.clock().advanceBy({ seconds: 3, milliseconds: -1 });
    expect(isDone()).toBe(false);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(Object.keys(await answer)).toEqual(["$metadata"]);
  });

  test("serves those who wait in their order, one message each", async () => {
    const [first, second, third] = [poll(), poll(), poll()];
    await send(simAws, QueueUrl, "a", "b");
    expect(await first.answer).toMatchObject({ Messages: [{ Body: "a" }] });
    expect(await second.answer).toMatchObject({ Messages: [{ Body: "b" }] });
    expect(third.isDone()).toBe(false);
    await simAws.clock().advanceBy({ seconds: 20 });
    expect((await third.answer).Messages).toBeUndefined();
  });

  test("is answered by dead letters as they arrive", async () => {
    await createQueue(simAws, "work", { ...redrivePolicy("q", 1), VisibilityTimeout: "5" });
    const work = QueueUrl.replace(/q$/, "work");
    await send(simAws, work, "poison");
    await receiveOne(simAws, work);
    const { answer } = poll();
    await simAws.clock().advanceBy({ seconds: 5 });
    expect(await answer).toMatchObject({ Messages: [{ Body: "poison" }] });
  });

  test("ends empty when its queue is deleted, and takes nothing from the next one of that name", async () => {
    const { answer } = poll();
    await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl }));
    expect((await answer).Messages).toBeUndefined();
    await simAws.clock().advanceBy({ seconds: 61 });
    await createQueue(simAws, "q");
    await send(simAws, QueueUrl, "fresh");
    expect(await receiveOne(simAws, QueueUrl, { MessageSystemAttributeNames: ["ApproximateReceiveCount"] })).toMatchObject({ Body: "fresh", Attributes: { ApproximateReceiveCount: "1" } });
  });

  test("is refused before it waits", async () => {
    const call = simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20, VisibilityTimeout: -1 }));
    expect(await refusalOf(call)).toMatchObject({ name: "InvalidParameterValue" });
  });

  test("does not hang a test that neither sends nor moves the clock", async () => {
    const before = simAws.clock().now();
    expect((await poll().answer).Messages).toBeUndefined();
    expect(simAws.clock().now()).toEqual(before);
  });
});
