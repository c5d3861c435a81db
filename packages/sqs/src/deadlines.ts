import { heapPop, heapPush, heapRemove, type ServiceContext } from "@sandstack/core";
import { numberOf } from "./attributes.js";
import type { Message, Queue, SqsState } from "./state.js";
import { oldestVisible } from "./visible-messages.js";

/** The name of the task that looks after a queue's deadlines; its argument is the queue's name. */
export const DEADLINE_TASK = "sqs.deadline.reached";

function isDueBefore(a: Message, b: Message): boolean {
  return a.deadlineMs < b.deadlineMs || (a.deadlineMs === b.deadlineMs && a.sequence < b.sequence);
}

/** When a message's retention ends, in epoch milliseconds. */
function expiresAtMs(queue: Queue, message: Message): number {
  return message.sentAtMs + numberOf(queue, "MessageRetentionPeriod") * 1000;
}

export function isExpired(queue: Queue, message: Message, nowMs: number): boolean {
  return nowMs >= expiresAtMs(queue, message);
}

/** Keeps a message from receivers until an instant. */
export function hideMessage(queue: Queue, message: Message, place: "delayed" | "inFlight", untilMs: number): void {
  message.place = place;
  message.hiddenUntilMs = untilMs;
  message.deadlineMs = Math.min(untilMs, expiresAtMs(queue, message));
  heapPush(queue[place], message, isDueBefore);
}

/** Takes a received message that is in flight out of there. */
export function takeFromFlight(queue: Queue, message: Message): void {
  heapRemove(queue.inFlight, message, isDueBefore);
}

/** Takes out the next hidden message whose deadline has come. */
export function takeDue(queue: Queue, place: "delayed" | "inFlight", nowMs: number): Message | undefined {
  const first = queue[place][0];
  return first !== undefined && first.deadlineMs <= nowMs ? heapPop(queue[place], isDueBefore) : undefined;
}

/** Computes the deadlines of hidden messages anew, after the queue's retention changed. */
export function resetDeadlines(queue: Queue): void {
  for (const place of ["delayed", "inFlight"] as const) {
    const hidden = queue[place];
    queue[place] = [];
    for (const message of hidden) hideMessage(queue, message, place, message.hiddenUntilMs);
  }
}

/** The earliest instant at which time does something to the queue; infinity when there is none. */
export function nextDeadlineMs(queue: Queue): number {
  const oldest = oldestVisible(queue.visible);
  return Math.min(
    queue.inFlight[0]?.deadlineMs ?? Number.POSITIVE_INFINITY,
    queue.delayed[0]?.deadlineMs ?? Number.POSITIVE_INFINITY,
    oldest === undefined ? Number.POSITIVE_INFINITY : expiresAtMs(queue, oldest),
  );
}

/**
 * Sees to it that a task comes by the queue's earliest deadline. One that is armed for an earlier instant stays: it will
 * find nothing due and arm again, which costs less than taking it back with every message that is deleted.
 */
export function armDeadline(ctx: ServiceContext<SqsState>, queue: Queue): void {
  const dueAtMs = nextDeadlineMs(queue);
  if (dueAtMs === Number.POSITIVE_INFINITY) return;
  if (queue.alarm !== undefined) {
    if (queue.alarm.dueAtMs <= dueAtMs) return;
    ctx.unschedule(queue.alarm.taskId);
  }
  // The clock moves before it comes, so it stands for no work of this instant: generation 0.
  const taskId = ctx.schedule({ name: DEADLINE_TASK, dueAtMs, args: queue.name, about: [queue.arn], generation: 0 });
  queue.alarm = { taskId, dueAtMs };
}
