import type { MessageAttributeValue, MessageSystemAttributeValue } from "@aws-sdk/client-sqs";
import { principalName, uuid, type OperationContext, type Principal } from "@sandstack/core";
import { numberOf } from "./attributes.js";
import { armDeadline, hideMessage } from "./deadlines.js";
import { INVALID_CHARACTERS, invalidParameter, isWholeNumber, missingParameter, sqsError } from "./errors.js";
import { DELAY_MAX_SECONDS } from "./limits.js";
import { md5 } from "./md5.js";
import { attributesMd5, readMessageAttributes, readSystemAttributes } from "./message-attributes.js";
import { hasInvalidCharacters } from "./message-text.js";
import type { Message, MessageAttribute, Queue, SqsState } from "./state.js";
import { addVisible, messagesVisible } from "./visible-messages.js";

/** What SendMessage and an entry of SendMessageBatch have in common. */
export interface MessageInput {
  readonly MessageBody?: string | undefined;
  readonly DelaySeconds?: number | undefined;
  readonly MessageAttributes?: Record<string, MessageAttributeValue> | undefined;
  readonly MessageSystemAttributes?: Record<string, MessageSystemAttributeValue> | undefined;
  readonly MessageDeduplicationId?: string | undefined;
  readonly MessageGroupId?: string | undefined;
}

/** What both of them answer about a message. */
export interface SentMessage {
  MessageId: string;
  MD5OfMessageBody: string;
  MD5OfMessageAttributes?: string;
  MD5OfMessageSystemAttributes?: string;
}

/** A message that passed all checks and is not in the queue yet. */
interface Draft {
  readonly body: string;
  readonly attributes: readonly MessageAttribute[];
  readonly systemAttributes: readonly MessageAttribute[];
  readonly delaySeconds: number;
  readonly groupId: string | undefined;
}

/** Letters, digits and punctuation, as ids of groups and deduplication are made of. */
const ID = /^[\x21-\x7E]{1,128}$/;

/** Puts one message into the queue, checks first. The caller tells those who wait (`messagesSent`). */
export function sendMessage(ctx: OperationContext<SqsState>, queue: Queue, input: MessageInput): SentMessage {
  const draft = checkMessage(queue, input);
  const message = makeMessage(ctx, queue, draft);
  if (draft.delaySeconds > 0) hideMessage(queue, message, "delayed", ctx.nowMs + draft.delaySeconds * 1000);
  else addVisible(queue.visible, message);
  const { messageId, bodyMd5, attributesMd5: md5OfAttributes } = message;
  message.lastRecordId = ctx.record({ kind: "sqs.message.sent", queueArn: queue.arn, messageId, delaySeconds: draft.delaySeconds });
  const sent: SentMessage = { MessageId: messageId, MD5OfMessageBody: bodyMd5 };
  if (md5OfAttributes !== undefined) sent.MD5OfMessageAttributes = md5OfAttributes;
  if (draft.systemAttributes.length > 0) sent.MD5OfMessageSystemAttributes = attributesMd5(draft.systemAttributes)!; // there are some, so there is a digest
  return sent;
}

/** To be called once after the messages of a request. */
export function messagesSent(ctx: OperationContext<SqsState>, queue: Queue): void {
  messagesVisible(ctx, queue);
  armDeadline(ctx, queue);
}

/** The bytes of an input that count towards AWS's limits: body and message attributes, not system attributes. */
export function bytesOf({ MessageBody = "", MessageAttributes }: MessageInput): number {
  let bytes = Buffer.byteLength(MessageBody);
  for (const [name, { DataType = "", StringValue, BinaryValue }] of Object.entries(MessageAttributes ?? {})) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(DataType) + Buffer.byteLength(BinaryValue ?? StringValue ?? "");
  }
  return bytes;
}

function checkMessage(queue: Queue, input: MessageInput): Draft {
  const { MessageBody: body, DelaySeconds, MessageGroupId: groupId } = input;
  if (body === undefined || body === "") throw missingParameter("MessageBody");
  checkIds(input);
  if (DelaySeconds !== undefined && !isWholeNumber(DelaySeconds, 0, DELAY_MAX_SECONDS)) {
    throw invalidParameter("DelaySeconds", DelaySeconds, `DelaySeconds must be >= 0 and <= ${DELAY_MAX_SECONDS}.`);
  }
  const attributes = readMessageAttributes(input.MessageAttributes);
  const systemAttributes = readSystemAttributes(input.MessageSystemAttributes);
  const maximumBytes = numberOf(queue, "MaximumMessageSize");
  // AWS says "shorter than", but takes a message of exactly this size.
  if (bytesOf(input) > maximumBytes) {
    throw sqsError("InvalidParameterValue", `One or more parameters are invalid. Reason: Message must be shorter than ${maximumBytes} bytes.`);
  }
  if (hasInvalidCharacters(body)) throw sqsError("InvalidMessageContents", INVALID_CHARACTERS);
  return { body, attributes, systemAttributes, groupId, delaySeconds: DelaySeconds ?? numberOf(queue, "DelaySeconds") };
}

function checkIds({ MessageDeduplicationId, MessageGroupId }: MessageInput): void {
  if (MessageDeduplicationId !== undefined) {
    throw invalidParameter("MessageDeduplicationId", MessageDeduplicationId, "The request includes a parameter that is not valid for this queue type.");
  }
  if (MessageGroupId !== undefined && !ID.test(MessageGroupId)) {
    throw invalidParameter("MessageGroupId", MessageGroupId, "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.");
  }
}

function makeMessage(ctx: OperationContext<SqsState>, queue: Queue, { body, attributes, systemAttributes, groupId }: Draft): Message {
  const traceHeader = systemAttributes[0]?.value;
  return {
    messageId: uuid(ctx.random),
    body,
    bodyMd5: md5(body),
    attributes,
    attributesMd5: attributesMd5(attributes),
    traceHeader: typeof traceHeader === "string" ? traceHeader : undefined,
    groupId,
    senderId: senderIdOf(ctx.caller),
    sentAtMs: ctx.nowMs,
    sequence: queue.nextSequence++,
    place: "visible",
    hiddenUntilMs: 0,
    deadlineMs: 0,
    receiveCount: 0,
    receivesHere: 0,
    firstReceivedAtMs: undefined,
    receivedAtMs: 0,
    deadLetterSourceArn: undefined,
    lastRecordId: undefined,
    heapIndex: -1,
  };
}

function senderIdOf(caller: Principal): string {
  return caller.kind === "service" || caller.kind === "anonymous" ? principalName(caller) : caller.userId;
}
