import type { MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { Scope, World } from "@sandstack/core";
import { isExpired } from "./deadlines.js";
import { queueDoesNotExist } from "./errors.js";
import { renderAttributes } from "./message-attributes.js";
import { isOlder } from "./message-line.js";
import { messagesOf, ownerScope } from "./queue.js";
import { readQueueUrl } from "./queue-url.js";
import { systemAttributesOf } from "./receive.js";
import { sqsService } from "./service.js";
import type { Message, MessagePlace, SqsState } from "./state.js";

/** A message in a queue, as one who only looks sees it: what a receive would answer, and where it is. */
export interface SimSqsMessage {
  readonly MessageId: string;
  readonly Body: string;
  readonly MD5OfBody: string;
  /** All system attributes: `SenderId`, `SentTimestamp`, `ApproximateReceiveCount`, … */
  readonly Attributes: Readonly<Record<string, string>>;
  /** Empty when it has none. */
  readonly MessageAttributes: Readonly<Record<string, MessageAttributeValue>>;
  /** Absent when it has no message attributes. */
  readonly MD5OfMessageAttributes?: string;
  /** Whether it can be received now, not yet, or was received and is hidden. On a FIFO queue a visible one may have to wait for its group. */
  readonly state: MessagePlace;
  /** When it can be received again or at last; only of one that is delayed or in flight. */
  readonly hiddenUntil?: Date;
  /** How often it was received, in all queues it was in. */
  readonly receiveCount: number;
}

/** The messages of a queue, oldest first, without a receive. @throws QueueDoesNotExist */
export function messagesIn(world: World, scope: Scope, queueUrl: string): SimSqsMessage[] {
  world.background.catchUp();
  const address = readQueueUrl(queueUrl);
  const state = world.stateOf(sqsService, ownerScope(scope, address?.accountId)) as SqsState; // of this service's own definition
  const queue = address === undefined ? undefined : state.queues.get(address.name);
  if (queue === undefined) throw queueDoesNotExist();
  const { nowMs } = world;
  return messagesOf(queue)
    .filter((message) => !isExpired(queue, message, nowMs))
    .sort((a, b) => (isOlder(a, b) ? -1 : 1))
    .map((message) => copyOf(message, nowMs));
}

function copyOf(message: Message, nowMs: number): SimSqsMessage {
  // What is due at this very instant counts as done.
  const isVisible = message.place === "visible" || message.hiddenUntilMs <= nowMs;
  return {
    MessageId: message.messageId,
    Body: message.body,
    MD5OfBody: message.bodyMd5,
    Attributes: systemAttributesOf(message),
    MessageAttributes: renderAttributes(message.attributes),
    ...(message.attributesMd5 !== undefined && { MD5OfMessageAttributes: message.attributesMd5 }),
    state: isVisible ? "visible" : message.place,
    ...(!isVisible && { hiddenUntil: new Date(message.hiddenUntilMs) }),
    receiveCount: message.receiveCount,
  };
}
