import type { Message } from "@aws-sdk/client-sqs";
import { ACCOUNT, arnOf, MISSING } from "./setup.js";
import { answerOf, EPOCH_MILLISECONDS, EPOCH_SECONDS, errorOf, invalidParameterValue, missingParameter, newQueue, receivedMessage, recorded, type RecordedError } from "./recorded.js";

const TOO_MANY: RecordedError = { Code: "AWS.SimpleQueueService.TooManyEntriesInBatchRequest", Message: "Maximum number of entries per request are 10. You have sent 20.", status: 400 };
const INVALID_ID: RecordedError = {
  Code: "AWS.SimpleQueueService.InvalidBatchEntryId",
  Message: "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
  status: 400,
};
const bodyOf = (body: string, md5: string): Partial<Message> => receivedMessage({ Body: body, MD5OfBody: md5 });
const twenty = Array.from({ length: 20 }, (_, index) => ({ Id: `message-${index}`, MessageBody: `message ${index}`, ReceiptHandle: "dummy", VisibilityTimeout: 1 }));

describe("sending and receiving", () => {
  recorded("send_receive_max_number_of_messages", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    await sqs.sendMessage({ QueueUrl, MessageBody: "message" });
    const outside = invalidParameterValue("Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.");
    expect(await errorOf(sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 11 }))).toEqual(outside);
  });

  recorded("send_receive_wait_time_seconds", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    const outside = (value: number): RecordedError => invalidParameterValue(`Value ${value} for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.`);
    await sqs.sendMessage({ QueueUrl, MessageBody: "message" });
    await sqs.sendMessage({ QueueUrl, MessageBody: "message" });
    expect(await errorOf(sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 21 }))).toEqual(outside(21));
    expect(await errorOf(sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: -1 }))).toEqual(outside(-1));
    const message = bodyOf("message", "78e731027d8fd50ed642340b7c9a63b3");
    expect(await answerOf(sqs.receiveMessage({ QueueUrl }))).toEqual({ Messages: [message] });
    expect(await answerOf(sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 0 }))).toEqual({ Messages: [message] });
  });

  recorded("receive_empty_queue", async (session) => {
    const { sqs, simAws } = session;
    const QueueUrl = await newQueue(session);
    expect(await answerOf(sqs.receiveMessage({ QueueUrl }))).toEqual({});
    expect(await answerOf(sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 0 }))).toEqual({});
    const waiting = answerOf(sqs.receiveMessage({ QueueUrl, WaitTimeSeconds: 1 }));
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(await waiting).toEqual({});
  });

  recorded("send_empty_message", async (session) => {
    const QueueUrl = await newQueue(session);
    expect(await errorOf(session.sqs.sendMessage({ QueueUrl, MessageBody: "" }))).toEqual(missingParameter("MessageBody"));
  });

  recorded("send_oversized_message, its attribute counted", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    const MessageAttributes = { k: { DataType: "String", StringValue: "x" } };
    const tooLong = invalidParameterValue("One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.");
    expect(await errorOf(sqs.sendMessage({ QueueUrl, MessageBody: "a".repeat(1_048_576 - 7), MessageAttributes }))).toEqual(tooLong);
    await sqs.sendMessage({ QueueUrl, MessageBody: "a".repeat(1_048_576 - 8), MessageAttributes });
  });

  recorded("send_message_with_updated_maximum_message_size", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { MaximumMessageSize: "1024" } });
    await sqs.sendMessage({ QueueUrl, MessageBody: "a".repeat(1_024) });
    const tooLong = invalidParameterValue("One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.");
    expect(await errorOf(sqs.sendMessage({ QueueUrl, MessageBody: "a".repeat(1_025) }))).toEqual(tooLong);
  });

  recorded("send_message_with_binary_attributes", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    const BinaryValue = new Uint8Array(Buffer.from("traceparent\u001e00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01"));
    await sqs.sendMessage({ QueueUrl, MessageBody: "test", MessageAttributes: { attr1: { DataType: "Binary", BinaryValue } } });
    const { Messages } = (await answerOf(sqs.receiveMessage({ QueueUrl, MessageAttributeNames: ["All"] }))) as { Messages: Message[] }; // ReceiveMessage's output
    const [{ MessageAttributes, ...message }] = Messages as [Message];
    expect(message).toEqual({ ...bodyOf("test", "098f6bcd4621d373cade4e832627b4f6"), MD5OfMessageAttributes: "8cbe4db156db8a94db8b801b7addb984" });
    expect(MessageAttributes?.attr1?.DataType).toBe("Binary");
    expect(Buffer.from(MessageAttributes!.attr1!.BinaryValue!)).toEqual(Buffer.from(BinaryValue));
  });

  recorded("send_message_with_empty_string_attribute", async (session) => {
    const QueueUrl = await newQueue(session);
    const send = session.sqs.sendMessage({ QueueUrl, MessageBody: "test", MessageAttributes: { ErrorDetails: { DataType: "String", StringValue: "" } } });
    expect(await errorOf(send)).toEqual(invalidParameterValue("Message (user) attribute 'ErrorDetails' must contain a non-empty value of type 'String'."));
  });

  recorded("aws_trace_header_propagation", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    const header = "Root=1-3152b799-8954dae64eda91bc9a23a7e8;Parent=7fa8c0f79203be72;Sampled=1";
    await sqs.sendMessage({
      QueueUrl,
      MessageBody: "test",
      MessageAttributes: { timestamp: { DataType: "Number", StringValue: "1493147359900" } },
      MessageSystemAttributes: { AWSTraceHeader: { DataType: "String", StringValue: header } },
    });
    expect(await answerOf(sqs.receiveMessage({ QueueUrl, AttributeNames: ["SentTimestamp", "AWSTraceHeader"] as never, MessageAttributeNames: ["All"] }))).toEqual({
      Messages: [
        {
          ...bodyOf("test", "098f6bcd4621d373cade4e832627b4f6"),
          Attributes: { AWSTraceHeader: header, SentTimestamp: EPOCH_MILLISECONDS },
          MD5OfMessageAttributes: "235c5c510d26fb653d073faed50ae77c",
          MessageAttributes: { timestamp: { DataType: "Number", StringValue: "1493147359900" } },
        },
      ],
    });
  });

  // The member that names system attributes has an older name and a newer one.
  for (const [name, member] of [["attribute", "AttributeNames"], ["message_system_attribute", "MessageSystemAttributeNames"]] as const) {
    recorded(`receive_message_${name}_names_filters`, async (session) => {
      const { sqs } = session;
      const QueueUrl = await newQueue(session);
      await sqs.sendMessage({ QueueUrl, MessageBody: "msg", MessageAttributes: { Foo: { DataType: "String", StringValue: "Bar" } } });
      const handles = new Set<string | undefined>();
      const receive = async (names: string[], more: object = {}): Promise<Message> => {
        const { Messages } = await sqs.receiveMessage({ QueueUrl, VisibilityTimeout: 0, [member]: names, ...more });
        handles.add(Messages?.[0]?.ReceiptHandle);
        return Messages![0]!; // it stays visible
      };
      const all = (count: string): object => ({ ApproximateFirstReceiveTimestamp: EPOCH_MILLISECONDS, ApproximateReceiveCount: count, SenderId: ACCOUNT, SentTimestamp: EPOCH_MILLISECONDS });
      const message = bodyOf("msg", "6e2baaf3b97dbeef01c0043275f9a0e7");
      expect(await receive(["All"])).toEqual({ ...message, Attributes: all("1") });
      const withForeign = { MD5OfMessageAttributes: "ae7155c6026991b6d54b11589678bf9c", MessageAttributes: { Foo: { DataType: "String", StringValue: "Bar" } } };
      expect(await receive(["All"], { MessageAttributeNames: ["All"] })).toEqual({ ...message, Attributes: all("2"), ...withForeign });
      expect(await receive(["SenderId"])).toEqual({ ...message, Attributes: { SenderId: ACCOUNT } });
      expect(await receive(["SenderId", "SequenceNumber"])).toEqual({ ...message, Attributes: { SenderId: ACCOUNT } });
      expect(handles.size).toBe(4);
    });
  }

  recorded("fair_queue_with_message_group_id", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    const sent = await answerOf(sqs.sendMessage({ QueueUrl, MessageBody: "message", MessageGroupId: "test" }));
    expect(sent).toEqual({ MD5OfMessageBody: "78e731027d8fd50ed642340b7c9a63b3", MessageId: expect.any(String) });
    const Attributes = { ApproximateFirstReceiveTimestamp: EPOCH_MILLISECONDS, ApproximateReceiveCount: "1", MessageGroupId: "test", SenderId: ACCOUNT, SentTimestamp: EPOCH_MILLISECONDS };
    expect(await answerOf(sqs.receiveMessage({ QueueUrl, AttributeNames: ["All"] }))).toEqual({ Messages: [{ ...bodyOf("message", "78e731027d8fd50ed642340b7c9a63b3"), Attributes }] });
  });

  for (const [kind, MessageGroupId] of [["empty", ""], ["too_long", "a".repeat(129)], ["spaces", "group 123"]] as const) {
    recorded(`send_message_to_standard_queue_with_invalid_message_group_id[${kind}]`, async (session) => {
      const QueueUrl = await newQueue(session);
      const reason = `Value ${MessageGroupId} for parameter MessageGroupId is invalid. Reason: MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.`;
      expect(await errorOf(session.sqs.sendMessage({ QueueUrl, MessageBody: "message", MessageGroupId }))).toEqual(invalidParameterValue(reason));
    });
  }

  recorded("delete_after_visibility_timeout", async (session) => {
    const { sqs, simAws } = session;
    const QueueUrl = await newQueue(session, "q", { VisibilityTimeout: "1" });
    await sqs.sendMessage({ QueueUrl, MessageBody: "foobar" });
    const { Messages } = await sqs.receiveMessage({ QueueUrl });
    await simAws.clock().advanceBy({ seconds: 2 });
    await sqs.deleteMessage({ QueueUrl, ReceiptHandle: Messages![0]!.ReceiptHandle });
    expect(await answerOf(sqs.receiveMessage({ QueueUrl }))).toEqual({});
  });

  recorded("approximate_number_of_messages_not_visible", async (session) => {
    const { sqs, simAws } = session;
    const QueueUrl = await newQueue(session, "q", { VisibilityTimeout: "5" });
    const counts = async (): Promise<unknown> =>
      (await sqs.getQueueAttributes({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed"] })).Attributes;
    const are = (visible: number, notVisible: number): object => ({ ApproximateNumberOfMessages: String(visible), ApproximateNumberOfMessagesNotVisible: String(notVisible), ApproximateNumberOfMessagesDelayed: "0" });
    for (let index = 0; index < 6; index++) await sqs.sendMessage({ QueueUrl, MessageBody: `message ${index}` });
    expect(await counts()).toEqual(are(6, 0));
    await sqs.receiveMessage({ QueueUrl });
    expect(await counts()).toEqual(are(5, 1));
    await simAws.clock().advanceBy({ seconds: 5 });
    expect(await counts()).toEqual(are(6, 0));
  });
});

describe("batches", () => {
  recorded("send_message_batch_with_oversized_contents", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    const Entries = [{ Id: "1", MessageBody: "a".repeat(1_048_576) }, { Id: "2", MessageBody: "a" }];
    const tooLong = { Code: "AWS.SimpleQueueService.BatchRequestTooLong", Message: "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.", status: 400 };
    expect(await errorOf(sqs.sendMessageBatch({ QueueUrl, Entries }))).toEqual(tooLong);
    expect(await answerOf(sqs.receiveMessage({ QueueUrl }))).toEqual({});
  });

  recorded("too_many_entries_in_batch_request", async (session) => {
    const QueueUrl = await newQueue(session);
    expect(await errorOf(session.sqs.sendMessageBatch({ QueueUrl, Entries: twenty.map(({ Id, MessageBody }) => ({ Id, MessageBody })) }))).toEqual(TOO_MANY);
  });

  recorded("delete_message_batch_with_too_large_batch", async (session) => {
    const QueueUrl = await newQueue(session);
    expect(await errorOf(session.sqs.deleteMessageBatch({ QueueUrl, Entries: twenty.map(({ Id, ReceiptHandle }) => ({ Id, ReceiptHandle })) }))).toEqual(TOO_MANY);
  });

  recorded("change_message_visibility_batch_with_too_large_batch", async (session) => {
    const QueueUrl = await newQueue(session);
    const Entries = twenty.map(({ Id, ReceiptHandle, VisibilityTimeout }) => ({ Id, ReceiptHandle, VisibilityTimeout }));
    expect(await errorOf(session.sqs.changeMessageVisibilityBatch({ QueueUrl, Entries }))).toEqual(TOO_MANY);
  });

  recorded("invalid_batch_id", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    expect(await errorOf(sqs.sendMessageBatch({ QueueUrl, Entries: [{ Id: "1", MessageBody: "a" }, { Id: "bad id", MessageBody: "b" }] }))).toEqual(INVALID_ID);
  });

  for (const Id of ["", "testLongId".repeat(10), "invalid:id"]) {
    recorded(`delete_message_batch_invalid_msg_id[${Id}]`, async (session) => {
      const QueueUrl = await newQueue(session);
      expect(await errorOf(session.sqs.deleteMessageBatch({ QueueUrl, Entries: [{ Id, ReceiptHandle: "any" }] }))).toEqual(INVALID_ID);
    });
  }
});

describe("queues", () => {
  recorded("tag_untag_queue", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    await sqs.tagQueue({ QueueUrl, Tags: { tag1: "value1", tag2: "value2", tag3: "" } });
    expect(await answerOf(sqs.listQueueTags({ QueueUrl }))).toEqual({ Tags: { tag1: "value1", tag2: "value2", tag3: "" } });
    await sqs.untagQueue({ QueueUrl, TagKeys: ["tag1", "tag3"] });
    expect(await answerOf(sqs.listQueueTags({ QueueUrl }))).toEqual({ Tags: { tag2: "value2" } });
    await sqs.untagQueue({ QueueUrl, TagKeys: ["tag2"] });
    expect(await answerOf(sqs.listQueueTags({ QueueUrl }))).toEqual({});
  });

  recorded("create_queue_with_different_attributes_raises_exception", async (session) => {
    const { sqs } = session;
    const exists = { Code: "QueueAlreadyExists", Message: "A queue already exists with the same name and a different value for attribute DelaySeconds", status: 400 };
    const QueueUrl = await newQueue(session, "q", { DelaySeconds: "10", VisibilityTimeout: "42" });
    await newQueue(session, "q", { DelaySeconds: "10" });
    expect(await errorOf(sqs.createQueue({ QueueName: "q", Attributes: { DelaySeconds: "1" } }))).toEqual(exists);
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { DelaySeconds: "1" } });
    await newQueue(session, "q", { DelaySeconds: "1" });
    expect(await errorOf(sqs.createQueue({ QueueName: "q", Attributes: { DelaySeconds: "10" } }))).toEqual(exists);
  });

  recorded("create_and_update_queue_attributes", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session, "q", { MessageRetentionPeriod: "604800", ReceiveMessageWaitTimeSeconds: "10", VisibilityTimeout: "20" });
    const attributes = {
      ApproximateNumberOfMessages: "0",
      ApproximateNumberOfMessagesDelayed: "0",
      ApproximateNumberOfMessagesNotVisible: "0",
      CreatedTimestamp: EPOCH_SECONDS,
      DelaySeconds: "0",
      LastModifiedTimestamp: EPOCH_SECONDS,
      MaximumMessageSize: "1048576",
      MessageRetentionPeriod: "604800",
      QueueArn: arnOf("q"),
      ReceiveMessageWaitTimeSeconds: "10",
      SqsManagedSseEnabled: "true",
      VisibilityTimeout: "20",
    };
    expect(await answerOf(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ["All"] }))).toEqual({ Attributes: attributes });
    const changes = { DelaySeconds: "420", MaximumMessageSize: "2048", VisibilityTimeout: "69" };
    await sqs.setQueueAttributes({ QueueUrl, Attributes: changes });
    expect(await answerOf(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ["All"] }))).toEqual({ Attributes: { ...attributes, ...changes } });
  });

  recorded("sse_queue_attributes", async (session) => {
    const { sqs } = session;
    const get = (QueueUrl: string): Promise<object> => answerOf(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ["KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds", "SqsManagedSseEnabled"] }));
    const withKey = await newQueue(session, "q1");
    await sqs.setQueueAttributes({ QueueUrl: withKey, Attributes: { KmsMasterKeyId: "testKeyId", KmsDataKeyReusePeriodSeconds: "6000" } });
    expect(await get(withKey)).toEqual({ Attributes: { KmsDataKeyReusePeriodSeconds: "6000", KmsMasterKeyId: "testKeyId", SqsManagedSseEnabled: "false" } });
    const bySqs = await newQueue(session, "q2");
    await sqs.setQueueAttributes({ QueueUrl: bySqs, Attributes: { SqsManagedSseEnabled: "true" } });
    expect(await get(bySqs)).toEqual({ Attributes: { SqsManagedSseEnabled: "true" } });
  });

  recorded("set_unsupported_attribute_standard", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    const unknown = { Code: "InvalidAttributeName", Message: "Unknown Attribute FifoQueue.", status: 400 };
    for (const FifoQueue of ["true", "false"]) expect(await errorOf(sqs.setQueueAttributes({ QueueUrl, Attributes: { FifoQueue } }))).toEqual(unknown);
  });

  recorded("set_empty_redrive_policy", async (session) => {
    const { sqs } = session;
    await newQueue(session, "dlq");
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arnOf("dlq"), maxReceiveCount: "42" });
    const QueueUrl = await newQueue(session, "q", { RedrivePolicy });
    const get = (): Promise<{ Attributes?: Record<string, string> }> => answerOf(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ["RedrivePolicy"] }));
    expect(JSON.parse((await get()).Attributes!.RedrivePolicy!)).toEqual({ deadLetterTargetArn: arnOf("dlq"), maxReceiveCount: 42 });
    await sqs.setQueueAttributes({ QueueUrl, Attributes: { RedrivePolicy: "" } });
    expect(await get()).toEqual({});
  });

  recorded("invalid_dead_letter_arn_rejected_before_lookup", async ({ sqs }) => {
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: "dummy", maxReceiveCount: 42 });
    expect(await errorOf(sqs.createQueue({ QueueName: "q", Attributes: { RedrivePolicy } }))).toMatchObject({ Code: "InvalidParameterValue", status: 400 });
  });

  recorded("successive_purge_calls_fail", async (session) => {
    const QueueUrl = await newQueue(session);
    await session.sqs.purgeQueue({ QueueUrl });
    const inProgress = { Code: "AWS.SimpleQueueService.PurgeQueueInProgress", Message: "Only one PurgeQueue operation on q is allowed every 60 seconds.", status: 403 };
    expect(await errorOf(session.sqs.purgeQueue({ QueueUrl }))).toEqual(inProgress);
  });

  recorded("non_existent_queue", async ({ sqs }) => {
    // The Query protocol has more words for it.
    const doesNotExist = { Code: "AWS.SimpleQueueService.NonExistentQueue", Message: expect.stringMatching(/^The specified queue does not exist( for this wsdl version)?\.$/), status: 400 };
    expect(await errorOf(sqs.getQueueAttributes({ QueueUrl: MISSING }))).toEqual(doesNotExist);
    expect(await errorOf(sqs.getQueueUrl({ QueueName: "missing" }))).toEqual(doesNotExist);
  });

  recorded("list_queues_pagination", async (session) => {
    const { sqs } = session;
    const urls: string[] = [];
    for (let index = 0; index < 10; index++) urls.push(await newQueue(session, `7f7df0f5-test-queue-${index}`));
    const QueueNamePrefix = "7f7df0f5";
    expect(await answerOf(sqs.listQueues({ QueueNamePrefix }))).toEqual({ QueueUrls: urls });
    const firstTwo = (await answerOf(sqs.listQueues({ QueueNamePrefix, MaxResults: 2 }))) as { NextToken?: string };
    expect(firstTwo).toEqual({ QueueUrls: urls.slice(0, 2), NextToken: expect.any(String) });
    expect(await answerOf(sqs.listQueues({ QueueNamePrefix, MaxResults: 8, NextToken: firstTwo.NextToken }))).toEqual({ QueueUrls: urls.slice(2) });
  });

  recorded("sqs_permission_lifecycle", async (session) => {
    const { sqs } = session;
    const QueueUrl = await newQueue(session);
    const add = (Label: string, ...AWSAccountIds: string[]): Promise<object> => answerOf(sqs.addPermission({ QueueUrl, Label, AWSAccountIds, Actions: ["ReceiveMessage"] }));
    const remove = (Label: string): Promise<object> => answerOf(sqs.removePermission({ QueueUrl, Label }));
    const policy = async (): Promise<unknown> => {
      const answer = (await answerOf(sqs.getQueueAttributes({ QueueUrl, AttributeNames: ["Policy"] }))) as { Attributes?: { Policy: string } };
      return answer.Attributes === undefined ? answer : JSON.parse(answer.Attributes.Policy);
    };
    const rootOf = (account: string): string => `arn:aws:iam::${account}:root`;
    const statement = (Sid: string, AWS: unknown): object => ({ Sid, Effect: "Allow", Principal: { AWS }, Action: "SQS:ReceiveMessage", Resource: arnOf("q") });
    const policyWith = (...Statement: object[]): object => ({ Version: "2008-10-17", Id: `${arnOf("q")}/SQSDefaultPolicy`, Statement });

    expect(await add("crossaccountpermission", "668614515564", ACCOUNT)).toEqual({});
    expect(await policy()).toEqual(policyWith(statement("crossaccountpermission", expect.arrayContaining([rootOf("668614515564"), rootOf(ACCOUNT)]))));
    expect(await remove("crossaccountpermission")).toEqual({});
    expect(await policy()).toEqual({});
    await add("crossaccountpermission", ACCOUNT);
    const first = statement("crossaccountpermission", rootOf(ACCOUNT));
    expect(await policy()).toEqual(policyWith(first));
    const again = sqs.addPermission({ QueueUrl, Label: "crossaccountpermission", AWSAccountIds: ["668614515564"], Actions: ["ReceiveMessage"] });
    expect(await errorOf(again)).toEqual(invalidParameterValue("Value crossaccountpermission for parameter Label is invalid. Reason: Already exists."));
    await add("crossaccountpermission2", ACCOUNT);
    const second = statement("crossaccountpermission2", rootOf(ACCOUNT));
    expect(await policy()).toEqual(policyWith(first, second));
    await remove("crossaccountpermission");
    expect(await policy()).toEqual(policyWith(second));
    await remove("crossaccountpermission2");
    expect(await policy()).toEqual({});
    const gone = invalidParameterValue("Value crossaccountpermission2 for parameter Label is invalid. Reason: can't find label.");
    expect(await errorOf(sqs.removePermission({ QueueUrl, Label: "crossaccountpermission2" }))).toEqual(gone);
  });
});
