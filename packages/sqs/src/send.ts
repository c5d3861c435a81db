import type { MessageAttributeValue, MessageSystemAttributeValue } from "@aws-sdk/client-sqs";
import { principalName, uuid, type OperationContext, type Principal } from "@sandstack/core";
import { numberOf } from "./attributes.js";
import { checkId, isWholeNumber } from "./checks.js";
import { armDeadline, enterQueue } from "./deadlines.js";
import { contentDeduplicationId, originalOf, rememberSend } from "./deduplication.js";
import { INVALID_CHARACTERS, invalidParameter, missingParameter, sqsError } from "./errors.js";
import { givenEntries } from "./given.js";
import { DELAY_MAX_SECONDS } from "./limits.js";
import { md5 } from "./digest.js";
import { attributesMd5, readMessageAttributes, readSystemAttributes } from "./message-attributes.js";
import { hasInvalidCharacters } from "./message-text.js";
import { sequenceNumberOf } from "./sequence-number.js";
import type { Message, MessageAttribute, Queue, SqsState } from "./state.js";
import { isFifo, messagesVisible } from "./visible-messages.js";

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
  /** Of FIFO queues only. */
  SequenceNumber?: string;
}

/** A message that passed all checks and is not in the queue yet. */
interface Draft {
  readonly body: string;
  readonly bodyMd5: string;
  readonly attributes: readonly MessageAttribute[];
  readonly attributesMd5: string | undefined;
  readonly systemAttributes: readonly MessageAttribute[];
  readonly delaySeconds: number;
  readonly groupId: string | undefined;
  readonly deduplicationId: string | undefined;
}

/**
 * Puts one message into the queue, checks first. A duplicate, in a FIFO queue, is answered as its original was and stores
 * nothing. The caller tells those who wait (`messagesSent`).
 */
export function sendMessage(ctx: OperationContext<SqsState>, queue: Queue, input: MessageInput): SentMessage {
  const draft = checkMessage(queue, input);
  const original = originalOf(queue, draft);
  if (original !== undefined) {
    ctx.record({ kind: "sqs.message.deduplicated", queueArn: queue.arn, messageId: original.messageId });
    return answer(queue, draft, original);
  }
  const message = makeMessage(ctx, queue, draft);
  enterQueue(queue, message, ctx.nowMs, draft.delaySeconds);
  rememberSend(queue, message, ctx.nowMs);
  message.lastRecordId = ctx.record({ kind: "sqs.message.sent", queueArn: queue.arn, messageId: message.messageId, delaySeconds: draft.delaySeconds });
  return answer(queue, draft, message);
}

function answer(queue: Queue, { bodyMd5, attributesMd5: md5OfAttributes, systemAttributes }: Draft, { messageId, sequence }: Pick<Message, "messageId" | "sequence">): SentMessage {
  const sent: SentMessage = { MessageId: messageId, MD5OfMessageBody: bodyMd5 };
  if (md5OfAttributes !== undefined) sent.MD5OfMessageAttributes = md5OfAttributes;
  if (systemAttributes.length > 0) sent.MD5OfMessageSystemAttributes = attributesMd5(systemAttributes)!; // there are some, so there is a digest
  if (isFifo(queue)) sent.SequenceNumber = sequenceNumberOf(sequence);
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
  for (const [name, { DataType = "", StringValue, BinaryValue }] of givenEntries(MessageAttributes)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(DataType) + Buffer.byteLength(BinaryValue ?? StringValue ?? "");
  }
  return bytes;
}

/**
 * Checks that a message has what a FIFO queue asks of each, one of a batch as one alone: a single one without fails them all.
 *
 * @throws MissingParameter, InvalidParameterValue
 */
export function checkFifoIds(queue: Queue, { MessageGroupId, MessageDeduplicationId }: MessageInput): void {
  if (!isFifo(queue)) return;
  if (MessageGroupId === undefined) throw missingParameter("MessageGroupId");
  if (MessageDeduplicationId === undefined && queue.attributes.ContentBasedDeduplication !== true) {
    throw sqsError("InvalidParameterValue", "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly");
  }
}

function checkMessage(queue: Queue, input: MessageInput): Draft {
  const { MessageBody: body, MessageGroupId: groupId } = input;
  if (body === undefined || body === "") throw missingParameter("MessageBody");
  checkIds(queue, input);
  const delaySeconds = readDelay(queue, input);
  const attributes = readMessageAttributes(input.MessageAttributes);
  const systemAttributes = readSystemAttributes(input.MessageSystemAttributes);
  const maximumBytes = numberOf(queue, "MaximumMessageSize");
  // AWS says "shorter than", but takes a message of exactly this size.
  if (bytesOf(input) > maximumBytes) {
    throw sqsError("InvalidParameterValue", `One or more parameters are invalid. Reason: Message must be shorter than ${maximumBytes} bytes.`);
  }
  if (hasInvalidCharacters(body)) throw sqsError("InvalidMessageContents", INVALID_CHARACTERS);
  const deduplicationId = isFifo(queue) ? (input.MessageDeduplicationId ?? contentDeduplicationId(body)) : undefined;
  return { body, bodyMd5: md5(body), attributes, attributesMd5: attributesMd5(attributes), systemAttributes, delaySeconds, groupId, deduplicationId };
}

function checkIds(queue: Queue, input: MessageInput): void {
  const { MessageDeduplicationId, MessageGroupId } = input;
  if (MessageDeduplicationId !== undefined && !isFifo(queue)) {
    throw invalidParameter("MessageDeduplicationId", MessageDeduplicationId, "The request includes a parameter that is not valid for this queue type.");
  }
  checkFifoIds(queue, input);
  checkId("MessageGroupId", MessageGroupId);
  checkId("MessageDeduplicationId", MessageDeduplicationId);
}

/** The delay of a message in seconds: its own or the queue's. A FIFO queue takes 0 only, which does not change the queue's. */
function readDelay(queue: Queue, { DelaySeconds }: MessageInput): number {
  const ofQueue = numberOf(queue, "DelaySeconds");
  if (DelaySeconds === undefined) return ofQueue;
  if (!isWholeNumber(DelaySeconds, 0, DELAY_MAX_SECONDS)) throw invalidParameter("DelaySeconds", DelaySeconds, `DelaySeconds must be >= 0 and <= ${DELAY_MAX_SECONDS}.`);
  if (!isFifo(queue)) return DelaySeconds;
  // "include", not "includes": AWS writes it so here.
  if (DelaySeconds > 0) throw invalidParameter("DelaySeconds", DelaySeconds, "The request include parameter that is not valid for this queue type.");
  return ofQueue;
}

function makeMessage(ctx: OperationContext<SqsState>, queue: Queue, { body, bodyMd5, attributes, attributesMd5: md5OfAttributes, systemAttributes, groupId, deduplicationId }: Draft): Message {
  const traceHeader = systemAttributes[0]?.value;
  const sequence = queue.nextSequence++;
  return {
    messageId: uuid(ctx.random),
    body,
    bodyMd5,
    attributes,
    attributesMd5: md5OfAttributes,
    traceHeader: typeof traceHeader === "string" ? traceHeader : undefined,
    groupId,
    deduplicationId,
    senderId: senderIdOf(ctx.caller),
    sentAtMs: ctx.nowMs,
    sequence,
    turn: sequence,
    place: "visible",
    hiddenUntilMs: 0,
    deadlineMs: 0,
    receiveCount: 0,
    receivesHere: 0,
    firstReceivedAtMs: undefined,
    receivedAtMs: 0,
    isDuplicate: false,
    deadLetterSourceArn: undefined,
    receiveAttemptId: undefined,
    lastRecordId: undefined,
    workMark: ctx.workMark,
    heapIndex: -1,
  };
}

function senderIdOf(caller: Principal): string {
  return caller.kind === "service" || caller.kind === "anonymous" ? principalName(caller) : caller.userId;
}
