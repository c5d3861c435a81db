import type { ServiceContext, TaskHandler } from "@sandstack/core";
import { armDeadline, DEADLINE_TASK, isExpired, nextDeadlineMs, retentionMs, takeDueFromDelay, takeDueFromFlight } from "./deadlines.js";
import { continueMoveTask, MOVE_TASK, type MoveTaskArgs } from "./move-tasks.js";
import { forgetEnded } from "./recent.js";
import { deadLetterFollowers, deadLetterQueueOf, moveToDeadLetterQueue } from "./redrive.js";
import type { Message, Queue, SqsState } from "./state.js";
import { addVisible, isHeldBack, messagesVisible, takeSentUntil } from "./visible-messages.js";

/** What falls due. */
export const tasks: Readonly<Record<string, TaskHandler<SqsState>>> = {
  [DEADLINE_TASK](ctx, queueName: string) {
    const queue = ctx.state.queues.get(queueName);
    if (queue === undefined) return;
    queue.alarm = undefined;
    runDeadlines(ctx, queue);
    armDeadline(ctx, queue);
  },
  [MOVE_TASK](ctx, { queueName, moveTaskId }: MoveTaskArgs) {
    const queue = ctx.state.queues.get(queueName);
    if (queue === undefined) return;
    runDeadlines(ctx, queue);
    continueMoveTask(ctx, queue, moveTaskId);
  },
};

/** Does all that is due by now: messages come back, become due, are dead-lettered, expire; duplicates and attempts are forgotten. */
export function runDeadlines(ctx: ServiceContext<SqsState>, queue: Queue): void {
  const { nowMs } = ctx;
  if (nextDeadlineMs(queue) > nowMs) return;
  let isAnyBack = false;
  for (let message = takeDueFromFlight(queue, nowMs); message !== undefined; message = takeDueFromFlight(queue, nowMs)) {
    isAnyBack = true;
    if (isExpired(queue, message, nowMs)) expireMessage(ctx, queue, message);
    else endInvisibility(ctx, queue, message, byTime(message));
  }
  for (let message = takeDueFromDelay(queue, nowMs); message !== undefined; message = takeDueFromDelay(queue, nowMs)) {
    isAnyBack = true;
    if (isExpired(queue, message, nowMs)) expireMessage(ctx, queue, message);
    else addVisible(queue, message);
  }
  for (const message of takeSentUntil(queue, nowMs - retentionMs(queue))) expireMessage(ctx, queue, message);
  forgetEnded(queue.recentSends, nowMs);
  forgetEnded(queue.recentReceives, nowMs);
  if (isAnyBack) messagesVisible(ctx, queue);
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
 * chance, else it can be received again. In a FIFO queue it waits with that for what is before it in its group.
 *
 * @param context given where time did it, not the caller
 */
export function endInvisibility(ctx: ServiceContext<SqsState>, queue: Queue, message: Message, context: RecordContext = {}): void {
  message.workMark = ctx.workMark;
  const deadLetterQueue = deadLetterQueueOf(ctx, queue, message);
  if (deadLetterQueue !== undefined && !isHeldBack(queue, message)) {
    moveToDeadLetterQueue(ctx, queue, message, deadLetterQueue);
  } else {
    addVisible(queue, message);
    message.lastRecordId = ctx.record({ kind: "sqs.message.returned", queueArn: queue.arn, messageId: message.messageId, ...context });
  }
  deadLetterFollowers(ctx, queue, message);
}
