import { nextFraction, nextInteger, type OperationContext, type ServiceContext } from "@sandstack/core";
import { hideMessage } from "./deadlines.js";
import { EXACT_DELIVERY, type Delivery } from "./delivery.js";
import type { Message, Queue, SqsState } from "./state.js";
import { addVisible, isFifo, takeNextVisible, visibleCount } from "./visible-messages.js";

/** How many older messages one that comes too early passes at most. */
const PASSED_MAX = 9;

/** Whether chance strikes. A world that is exact draws nothing, so that its ids do not depend on it. */
function strikes(ctx: ServiceContext<SqsState>, looseness: keyof Delivery): boolean {
  const probability = (ctx.settings.delivery ?? EXACT_DELIVERY)[looseness];
  return probability > 0 && nextFraction(ctx.random) < probability;
}

/** Whether a short poll is to miss the messages there are. Lambda's pollers poll long. */
export function missesMessages(ctx: OperationContext<SqsState>, queue: Queue): boolean {
  if (ctx.isMadeByService || isFifo(queue) || visibleCount(queue) === 0 || !strikes(ctx, "emptyReceives")) return false;
  ctx.record({ kind: "sqs.receive.missed", queueArn: queue.arn });
  return true;
}

/**
 * Takes out the next visible message, or a later one where they are to come out of order.
 *
 * @param after the message taken before for the same receive
 */
export function takeVisible(ctx: ServiceContext<SqsState>, queue: Queue, after: Message | undefined): Message | undefined {
  let taken = takeNextVisible(queue, after);
  if (isFifo(queue) || visibleCount(queue) === 0 || !strikes(ctx, "reorder")) return taken;
  const passed: Message[] = [];
  for (let count = 1 + nextInteger(ctx.random, PASSED_MAX); count > 0 && taken !== undefined && visibleCount(queue) > 0; count--) {
    passed.push(taken);
    taken = takeNextVisible(queue);
  }
  for (const message of passed) addVisible(queue, message);
  return taken;
}

/** Has chance leave copies of messages that were just received for the first time. They can be received by the next who asks. */
export function leaveCopies(ctx: OperationContext<SqsState>, queue: Queue, received: readonly Message[]): void {
  if (isFifo(queue)) return;
  for (const message of received) {
    if (message.receivesHere !== 1 || message.isDuplicate || !strikes(ctx, "duplicates")) continue;
    const lastRecordId = ctx.record({ kind: "sqs.message.duplicated", queueArn: queue.arn, messageId: message.messageId });
    // It has all its chances before it is dead-lettered, as the receive that left it is another message's.
    const copy: Message = { ...message, sequence: queue.nextSequence++, receivesHere: 0, isDuplicate: true, heapIndex: -1, lastRecordId };
    // It comes through the queue's deadline, which tells those who wait: nobody can be told in the middle of a receive.
    hideMessage(queue, copy, "delayed", ctx.nowMs);
  }
}
