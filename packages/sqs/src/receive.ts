import type { Message as MessageOutput, ReceiveMessageCommandInput } from "@aws-sdk/client-sqs";
import type { OperationContext } from "@sandstack/core";
import { QUEUE_ATTRIBUTES } from "./attributes.js";
import { armDeadline, hideMessage, isExpired } from "./deadlines.js";
import { unknownAttribute } from "./errors.js";
import { IN_FLIGHT_MAX } from "./limits.js";
import { leaveCopies, takeVisible } from "./looseness.js";
import { attributesMd5, renderAttributes, selectAttributes } from "./message-attributes.js";
import { receiptHandleOf } from "./receipt-handle.js";
import { rememberReceive } from "./receive-attempts.js";
import { deadLetterQueueOf, moveToDeadLetterQueue } from "./redrive.js";
import { sequenceNumberOf } from "./sequence-number.js";
import type { Message, Queue, SqsState } from "./state.js";
import { expireMessage } from "./tasks.js";
import { addVisible } from "./visible-messages.js";

/** What of its messages a receive wants to see. */
export interface Selection {
  readonly systemAttributes: readonly string[];
  readonly messageAttributes: readonly string[];
}

const NOTHING: readonly string[] = [];

/** The system attributes of messages, with their values; `undefined` where a message has none. */
const SYSTEM_ATTRIBUTES: ReadonlyMap<string, (message: Message) => string | undefined> = new Map<string, (message: Message) => string | undefined>([
  ["SenderId", (message) => message.senderId],
  ["SentTimestamp", (message) => String(message.sentAtMs)],
  ["ApproximateReceiveCount", (message) => String(message.receiveCount)],
  ["ApproximateFirstReceiveTimestamp", (message) => (message.firstReceivedAtMs === undefined ? undefined : String(message.firstReceivedAtMs))],
  ["AWSTraceHeader", (message) => message.traceHeader],
  ["DeadLetterQueueSourceArn", (message) => message.deadLetterSourceArn],
  ["MessageGroupId", (message) => message.groupId],
  ["MessageDeduplicationId", (message) => message.deduplicationId],
  // Messages of FIFO queues, and no others, have a deduplication id.
  ["SequenceNumber", (message) => (message.deduplicationId === undefined ? undefined : sequenceNumberOf(message.sequence))],
]);

/** @throws InvalidAttributeName for an attribute AWS does not know; those of queues are known, and passed over (API reference, ReceiveMessage) */
export function readSelection({ AttributeNames, MessageSystemAttributeNames, MessageAttributeNames }: ReceiveMessageCommandInput): Selection {
  // The old member and the new one may come together.
  const systemAttributes = AttributeNames === undefined && MessageSystemAttributeNames === undefined ? NOTHING : [...(AttributeNames ?? NOTHING), ...(MessageSystemAttributeNames ?? NOTHING)];
  for (const name of systemAttributes) if (name !== "All" && !SYSTEM_ATTRIBUTES.has(name) && !QUEUE_ATTRIBUTES.has(name)) throw unknownAttribute(name);
  return {
    systemAttributes: systemAttributes.includes("All") ? [...SYSTEM_ATTRIBUTES.keys()] : systemAttributes,
    messageAttributes: MessageAttributeNames === undefined ? NOTHING : [...MessageAttributeNames],
  };
}

/** What a receive asks for. */
export interface ReceiveRequest {
  readonly count: number;
  readonly visibilityTimeoutSeconds: number;
  readonly selection: Selection;
  /** The ReceiveRequestAttemptId, on a FIFO queue. */
  readonly attemptId: string | undefined;
}

/**
 * Takes up to `count` messages in the queue's order and hides them for their visibility timeout. Messages that have had
 * their last chance go to the dead-letter queue instead.
 */
export function receiveMessages(ctx: OperationContext<SqsState>, queue: Queue, { count, visibilityTimeoutSeconds, selection, attemptId }: ReceiveRequest): MessageOutput[] {
  const taken = takeMessages(ctx, queue, Math.min(count, IN_FLIGHT_MAX - queue.inFlight.length));
  if (taken.length === 0) return [];
  const received = taken.map((message) => {
    markReceived(ctx, queue, message, visibilityTimeoutSeconds);
    return renderMessage(queue, message, selection);
  });
  leaveCopies(ctx, queue, taken);
  rememberReceive(queue, attemptId, taken, ctx.nowMs);
  armDeadline(ctx, queue);
  for (const { workMark } of taken) ctx.continueFrom(workMark);
  return received;
}

function takeMessages(ctx: OperationContext<SqsState>, queue: Queue, count: number): Message[] {
  const taken: Message[] = [];
  let before: Message | undefined;
  while (taken.length < count) {
    const message = takeVisible(ctx, queue, before);
    if (message === undefined) break;
    before = message;
    const deadLetterQueue = deadLetterQueueOf(ctx, queue, message);
    if (isExpired(queue, message, ctx.nowMs)) expireMessage(ctx, queue, message);
    else if (deadLetterQueue !== undefined) moveToDeadLetterQueue(ctx, queue, message, deadLetterQueue);
    else taken.push(message);
  }
  return taken;
}

function markReceived(ctx: OperationContext<SqsState>, queue: Queue, message: Message, visibilityTimeoutSeconds: number): void {
  const { nowMs } = ctx;
  message.receiveCount += 1;
  message.receivesHere += 1;
  message.firstReceivedAtMs ??= nowMs;
  message.receivedAtMs = nowMs;
  queue.received.set(message.sequence, message);
  if (visibilityTimeoutSeconds > 0) hideMessage(queue, message, "inFlight", nowMs + visibilityTimeoutSeconds * 1000);
  // With a timeout of 0 it is never hidden, and nothing lapses: the next receive finds it, or dead-letters it.
  else addVisible(queue, message);
  message.lastRecordId = ctx.record({ kind: "sqs.message.received", queueArn: queue.arn, messageId: message.messageId, receiveCount: message.receiveCount, visibilityTimeoutSeconds });
}

/** A message as a receive answers it. */
export function renderMessage(queue: Queue, message: Message, { systemAttributes, messageAttributes }: Selection): MessageOutput {
  const output: MessageOutput = { MessageId: message.messageId, ReceiptHandle: receiptHandleOf(queue, message), MD5OfBody: message.bodyMd5, Body: message.body };
  if (systemAttributes.length > 0) output.Attributes = renderSystemAttributes(message, systemAttributes);
  const selected = selectAttributes(message.attributes, messageAttributes);
  if (selected.length > 0) {
    output.MD5OfMessageAttributes = selected.length === message.attributes.length ? message.attributesMd5 : attributesMd5(selected);
    output.MessageAttributes = renderAttributes(selected);
  }
  return output;
}

/** All system attributes that a message has, as a receive answers them. */
export function systemAttributesOf(message: Message): Record<string, string> {
  return renderSystemAttributes(message, [...SYSTEM_ATTRIBUTES.keys()]) ?? {};
}

function renderSystemAttributes(message: Message, names: readonly string[]): Record<string, string> | undefined {
  const rendered: Record<string, string> = {};
  for (const name of names) {
    const value = SYSTEM_ATTRIBUTES.get(name)?.(message);
    if (value !== undefined) rendered[name] = value;
  }
  return Object.keys(rendered).length === 0 ? undefined : rendered;
}
