import type { Message, MessageSystemAttributeName, QueueAttributeName } from "@aws-sdk/client-sqs";
import { ACCOUNT, arnOf } from "./setup.js";
import { answerOf, EPOCH_MILLISECONDS, EPOCH_SECONDS, errorOf, invalidParameterValue, missingParameter, newQueue, receivedMessage, recorded, UUID, type Session } from "./recorded.js";

type Attributes = Partial<Record<QueueAttributeName, string>>;

const newFifoQueue = async (session: Session, attributes: Attributes = {}): Promise<string> => newQueue(session, "q.fifo", { FifoQueue: "true", ...attributes });
const CONTENT_BASED = { ContentBasedDeduplication: "true" };
const NO_DEDUPLICATION_ID = invalidParameterValue("The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly");

/** What a receive answers, as recorded. */
async function receive({ sqs }: Session, QueueUrl: string, more: object = {}): Promise<{ Messages?: Message[] }> {
  return answerOf(sqs.receiveMessage({ QueueUrl, ...more }));
}

const messageOf = (Body: string, MD5OfBody: string): Partial<Message> => receivedMessage({ Body, MD5OfBody });

describe("queues", () => {
  recorded("create_fifo_queue_with_different_attributes_raises_error", async (session) => {
    await newFifoQueue(session, CONTENT_BASED);
    expect(await errorOf(newFifoQueue(session, { ContentBasedDeduplication: "false" }))).toEqual({
      Code: "QueueAlreadyExists",
      Message: "A queue already exists with the same name and a different value for attribute ContentBasedDeduplication",
      status: 400,
    });
  });

  recorded("fifo_set_content_based_deduplication_strategy", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newFifoQueue(session, CONTENT_BASED);
    const attributes = {
      ApproximateNumberOfMessages: "0",
      ApproximateNumberOfMessagesDelayed: "0",
      ApproximateNumberOfMessagesNotVisible: "0",
      ContentBasedDeduplication: "true",
      CreatedTimestamp: EPOCH_SECONDS,
      DeduplicationScope: "queue",
      DelaySeconds: "0",
      FifoQueue: "true",
      FifoThroughputLimit: "perQueue",
      LastModifiedTimestamp: EPOCH_SECONDS,
      MaximumMessageSize: "1048576",
      MessageRetentionPeriod: "345600",
      QueueArn: arnOf("q.fifo"),
      ReceiveMessageWaitTimeSeconds: "0",
      SqsManagedSseEnabled: "true",
      VisibilityTimeout: "30",
    };
    const all = (): Promise<object> => answerOf(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ["All"] }));
    expect(await all()).toEqual({ Attributes: attributes });
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { ContentBasedDeduplication: "false" } });
    expect(await all()).toEqual({ Attributes: { ...attributes, ContentBasedDeduplication: "false" } });
  });
});

describe("sending", () => {
  recorded("fifo_queue_send_message_with_delay_seconds_fails", async (session) => {
    const QueueUrl = await newFifoQueue(session, CONTENT_BASED);
    const send = session.sqs.sendMessage({ QueueUrl, MessageBody: "message-1", MessageGroupId: "1", DelaySeconds: 2 });
    expect(await errorOf(send)).toEqual(invalidParameterValue("Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type."));
  });

  recorded("posting_to_fifo_requires_deduplicationid_group_id", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newFifoQueue(session);
    expect(await errorOf(sqs.sendMessage({ QueueUrl, MessageBody: "test", MessageGroupId: "test" }))).toEqual(NO_DEDUPLICATION_ID);
    expect(await errorOf(sqs.sendMessage({ QueueUrl, MessageBody: "test", MessageDeduplicationId: "test" }))).toEqual(missingParameter("MessageGroupId"));
  });

  recorded("send_batch_missing_deduplication_id_for_fifo_queue", async (session) => {
    const QueueUrl = await newFifoQueue(session);
    const Entries = ["1", "2"].map((Id) => ({ Id, MessageBody: `message-${Id}`, MessageGroupId: "group", ...(Id === "1" && { MessageDeduplicationId: "d" }) }));
    expect(await errorOf(session.sqs.sendMessageBatch({ QueueUrl, Entries }))).toEqual(NO_DEDUPLICATION_ID);
    expect(await receive(session, QueueUrl)).toEqual({});
  });

  for (const [kind, MessageDeduplicationId] of [["empty", ""], ["too_long", "a".repeat(129)], ["spaces", "group 123"]] as const) {
    recorded(`message_deduplication_id_invalid[${kind}]`, async (session) => {
      const QueueUrl = await newFifoQueue(session);
      const reason = "MessageDeduplicationId can only include alphanumeric and punctuation characters. 1 to 128 in length.";
      const send = session.sqs.sendMessage({ QueueUrl, MessageBody: "message", MessageGroupId: "test", MessageDeduplicationId });
      expect(await errorOf(send)).toEqual(invalidParameterValue(`Value ${MessageDeduplicationId} for parameter MessageDeduplicationId is invalid. Reason: ${reason}`));
    });
  }

  recorded("message_deduplication_id_success", async (session) => {
    const QueueUrl = await newFifoQueue(session);
    await answerOf(session.sqs.sendMessage({ QueueUrl, MessageBody: "message", MessageGroupId: "test", MessageDeduplicationId: "a".repeat(128) }));
  });
});

describe("receiving and deleting", () => {
  recorded("fifo_message_attributes", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newFifoQueue(session, { VisibilityTimeout: "0" });
    const ids = { MessageDeduplicationId: "dedup-1", MessageGroupId: "group-1" };
    const sent = (await answerOf(sqs.sendMessage({ QueueUrl, MessageBody: "message-body-1", ...ids }))) as { SequenceNumber: string };
    expect(sent).toEqual({ MD5OfMessageBody: "19c9e282d65f9733bc6b35d50062c7ee", MessageId: UUID, SequenceNumber: expect.stringMatching(/^\d{20}$/) });
    const { SequenceNumber } = sent;
    const handles = new Set<unknown>();
    for (const ApproximateReceiveCount of ["1", "2"]) {
      const answer = await receive(session, QueueUrl, { AttributeNames: ["All" satisfies MessageSystemAttributeName] });
      const Attributes = { ApproximateFirstReceiveTimestamp: EPOCH_MILLISECONDS, ApproximateReceiveCount, ...ids, SenderId: ACCOUNT, SentTimestamp: EPOCH_MILLISECONDS, SequenceNumber };
      expect(answer).toEqual({ Messages: [{ ...messageOf("message-body-1", "19c9e282d65f9733bc6b35d50062c7ee"), Attributes }] });
      handles.add(answer.Messages?.[0]?.ReceiptHandle);
    }
    expect(handles.size).toBe(2);
  });

  recorded("fifo_empty_message_groups_added_back_to_queue", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newFifoQueue(session, CONTENT_BASED);
    await sqs.sendMessage({ QueueUrl, MessageBody: "Message 1", MessageGroupId: "g1" });
    const first = await receive(session, QueueUrl);
    expect(first).toEqual({ Messages: [messageOf("Message 1", "68390233272823b7adf13a1db79b2cd7")] });
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: first.Messages?.[0]?.ReceiptHandle });
    expect(await receive(session, QueueUrl)).toEqual({});
    await sqs.sendMessage({ QueueUrl, MessageBody: "Message 2", MessageGroupId: "g1" });
    expect(await receive(session, QueueUrl)).toEqual({ Messages: [messageOf("Message 2", "88ef8f31ed540f1c4c03d5fdb06a7935")] });
  });

  for (const isExtended of [false, true]) {
    recorded(`fifo_delete_after_visibility_timeout${isExtended ? "_extended" : ""}`, async (session) => {
      const { sqs, simAws } = session;
      const QueueUrl = await newFifoQueue(session, { ...CONTENT_BASED, VisibilityTimeout: "5" });
      await sqs.sendMessage({ QueueUrl, MessageBody: "foobar", MessageGroupId: "1" });
      const received = await receive(session, QueueUrl);
      expect(received).toEqual({ Messages: [messageOf("foobar", "3858f62230ac3c915f300c664312c63f")] });
      const ReceiptHandle = received.Messages?.[0]?.ReceiptHandle;
      if (isExtended) await sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 10 });
      await simAws.clock().advanceBy({ seconds: 6 });
      const deletion = sqs.deleteMessage({ QueueUrl, ReceiptHandle });
      if (isExtended) expect(await answerOf(deletion)).toEqual({});
      else expect(await errorOf(deletion)).toEqual(invalidParameterValue(`Value ${ReceiptHandle} for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.`));
    });
  }
});

describe("deduplication", () => {
  const FOOBAR = '{"foo": "bar"}';
  const foobar = messageOf(FOOBAR, "94232c5b8fc9272f6f73a1e36eb68fcf");

  for (const isContentBased of [true, false]) {
    const attributes = { ContentBasedDeduplication: String(isContentBased) };
    const input = { MessageBody: FOOBAR, ...(!isContentBased && { MessageDeduplicationId: "dedup-1" }) };

    recorded(`fifo_deduplication_arrives_once_after_delete[${isContentBased}]`, async (session) => {
      const { sqs } = session;
      const QueueUrl = await newFifoQueue(session, attributes);
      await sqs.sendMessage({ QueueUrl, ...input, MessageGroupId: "test" });
      const received = await receive(session, QueueUrl);
      expect(received).toEqual({ Messages: [foobar] });
      await sqs.deleteMessage({ QueueUrl, ReceiptHandle: received.Messages?.[0]?.ReceiptHandle });
      await sqs.sendMessage({ QueueUrl, ...input, MessageGroupId: "test" });
      expect(await receive(session, QueueUrl)).toEqual({});
    });

    recorded(`fifo_deduplication_not_on_message_group_id[${isContentBased}]`, async (session) => {
      const { sqs } = session;
      const QueueUrl = await newFifoQueue(session, attributes);
      await sqs.sendMessage({ QueueUrl, ...input, MessageGroupId: "test" });
      expect(await receive(session, QueueUrl)).toEqual({ Messages: [foobar] });
      await sqs.sendMessage({ QueueUrl, ...input, MessageGroupId: "test-2" });
      expect(await receive(session, QueueUrl)).toEqual({});
    });
  }

  // AWS takes truth values in any case.
  const TEST = messageOf("Test", "0cbc6611f5540bd0809a388dc95a615b");
  const groupScope = { ContentBasedDeduplication: "True", DeduplicationScope: "messageGroup" };
  const sessions: { name: string; attributes: Attributes; bodies: [string, string]; received: (Partial<Message> | undefined)[] }[] = [
    { name: "sqs_fifo_same_dedup_id_different_message_groups", attributes: { ContentBasedDeduplication: "True" }, bodies: ["Test", "Test"], received: [TEST, undefined] },
    { name: "sqs_fifo_message_group_scope_no_throughput_setting", attributes: groupScope, bodies: ["Test", "Test"], received: [TEST, TEST] },
    {
      name: "fifo_high_throughput_ordering",
      attributes: { ...groupScope, FifoThroughputLimit: "perMessageGroupId" },
      bodies: ["Test1", "Test2"],
      received: [messageOf("Test1", "e1b849f9631ffc1829b2e31402373e3c"), messageOf("Test2", "c454552d52d55d3ef56408742887362b")],
    },
  ];
  for (const { name, attributes, bodies, received } of sessions) {
    recorded(name, async (session) => {
      const QueueUrl = await newFifoQueue(session, attributes);
      for (const [index, MessageBody] of bodies.entries()) await session.sqs.sendMessage({ QueueUrl, MessageBody, MessageGroupId: `g${index + 1}`, MessageDeduplicationId: "1" });
      for (const message of received) expect(await receive(session, QueueUrl)).toEqual(message === undefined ? {} : { Messages: [message] });
    });
  }
});
