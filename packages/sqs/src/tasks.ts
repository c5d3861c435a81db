import type { ServiceContext, TaskHandler } from "@sandstack/core";
import { armDeadline, DEADLINE_TASK, isExpired, nextDeadlineMs, takeDue } from "./deadlines.js";
import { deadLetterQueueOf, moveToDeadLetterQueue } from "./redrive.js";
import type { Message, Queue, SqsState } from "./state.js";
import { addVisible, messagesVisible, oldestVisible, takeOldestVisible } from "./visible-messages.js";

/** What falls due. */
export const tasks: Readonly<Record<string, TaskHandler<SqsState, string>>> = {
  [DEADLINE_TASK](ctx, queueName) {
    const queue = ctx.state.queues.get(queueName);
    if (queue === undefined) return;
    queue.alarm = undefined;
    runDeadlines(ctx, queue);
    armDeadline(ctx, queue);
  },
};

/** Does all that is due by now: messages come back, become due, are dead-lettered, expire. */
export function runDeadlines(ctx: ServiceContext<SqsState>, queue: Queue): void {
  const { nowMs } = ctx;
  if (nextDeadlineMs(queue) > nowMs) return;
  let isAnyVisible = false;
  for (let message = takeDue(queue, "inFlight", nowMs); message !== undefined; message = takeDue(queue, "inFlight", nowMs)) {
    if (isExpired(queue, message, nowMs)) expireMessage(ctx, queue, message);
    else if (endInvisibility(ctx, queue, message, byTime(message))) isAnyVisible = true;
  }
  for (let message = takeDue(queue, "delayed", nowMs); message !== undefined; message = takeDue(queue, "delayed", nowMs)) {
    if (isExpired(queue, message, nowMs)) {
      expireMessage(ctx, queue, message);
    } else {
      addVisible(queue.visible, message);
      isAnyVisible = true;
    }
  }
  for (let oldest = oldestVisible(queue.visible); oldest !== undefined && isExpired(queue, oldest, nowMs); oldest = oldestVisible(queue.visible)) {
    takeOldestVisible(queue.visible);
    expireMessage(ctx, queue, oldest);
  }
  if (isAnyVisible) messagesVisible(ctx, queue);
}

/** Who and why, for a record of what nobody but time did. */
interface RecordContext {
  readonly principal?: undefined;
  readonly cause?: number | undefined;
}

function byTime(message: Message): RecordContext {
  return { principal: undefined, cause: message.lastRecordId };
}

/** Ends a message that was taken out of its place. */
export function expireMessage(ctx: ServiceContext<SqsState>, queue: Queue, message: Message): void {
  queue.received.delete(message.sequence);
  ctx.record({ kind: "sqs.message.expired", queueArn: queue.arn, messageId: message.messageId, ...byTime(message) });
}

/**
 * Ends the time that a message, taken out of flight, was hidden: it goes to the dead-letter queue when it has had its last
 * chance, else it can be received again.
 *
 * @param context given where time did it, not the caller
 * @returns whether it can be received again
 */
export function endInvisibility(ctx: ServiceContext<SqsState>, queue: Queue, message: Message, context: RecordContext = {}): boolean {
  const deadLetterQueue = deadLetterQueueOf(ctx, queue, message);
  if (deadLetterQueue !== undefined) {
    moveToDeadLetterQueue(ctx, queue, message, deadLetterQueue);
    return false;
  }
  addVisible(queue.visible, message);
  message.lastRecordId = ctx.record({ kind: "sqs.message.returned", queueArn: queue.arn, messageId: message.messageId, ...context });
  return true;
}
