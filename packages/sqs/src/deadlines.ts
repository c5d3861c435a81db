import { heapMoved, heapPop, heapPush, heapRemove, type ServiceContext } from "@sandstack/core";
import { numberOf } from "./attributes.js";
import { nextEndMs } from "./recent.js";
import type { Message, Queue, SqsState } from "./state.js";
import { addVisible, entersFlight, leavesFlight, takeUnreceivedSentAfter, visibleSentSinceMs } from "./visible-messages.js";

/** The name of the task that looks after a queue's deadlines; its argument is the queue's name. */
export const DEADLINE_TASK = "sqs.deadline.reached";

function isDueBefore(a: Message, b: Message): boolean {
  return a.deadlineMs < b.deadlineMs || (a.deadlineMs === b.deadlineMs && a.sequence < b.sequence);
}

/** How long a message is kept from when it was sent, in milliseconds. */
export function retentionMs(queue: Queue): number {
  return numberOf(queue, "MessageRetentionPeriod") * 1000;
}

export function isExpired(queue: Queue, message: Message, nowMs: number): boolean {
  return nowMs >= message.sentAtMs + retentionMs(queue);
}

/** Puts a message into a queue: to be received at once, or after a delay. */
export function enterQueue(queue: Queue, message: Message, nowMs: number, delaySeconds: number): void {
  if (delaySeconds > 0) hideMessage(queue, message, "delayed", nowMs + delaySeconds * 1000);
  else addVisible(queue, message);
}

/** Keeps a message from receivers until an instant. */
export function hideMessage(queue: Queue, message: Message, place: "delayed" | "inFlight", untilMs: number): void {
  message.place = place;
  setDeadline(queue, message, untilMs);
  heapPush(queue[place], message, isDueBefore);
  if (place === "inFlight") entersFlight(queue, message);
}

function setDeadline(queue: Queue, message: Message, untilMs: number): void {
  message.hiddenUntilMs = untilMs;
  message.deadlineMs = Math.min(untilMs, message.sentAtMs + retentionMs(queue));
}

/** Keeps a message in flight until another instant. */
export function prolongFlight(queue: Queue, message: Message, untilMs: number): void {
  setDeadline(queue, message, untilMs);
  heapMoved(queue.inFlight, message, isDueBefore);
}

/** Takes a received message that is in flight out of there. */
export function takeFromFlight(queue: Queue, message: Message): void {
  heapRemove(queue.inFlight, message, isDueBefore);
  leavesFlight(queue, message);
}

/** Takes out the next message in flight whose deadline has come. */
export function takeDueFromFlight(queue: Queue, nowMs: number): Message | undefined {
  const first = queue.inFlight[0];
  if (first === undefined || first.deadlineMs > nowMs) return undefined;
  takeFromFlight(queue, first);
  return first;
}

/** Takes out the next delayed message whose deadline has come. */
export function takeDueFromDelay(queue: Queue, nowMs: number): Message | undefined {
  const first = queue.delayed[0];
  return first !== undefined && first.deadlineMs <= nowMs ? heapPop(queue.delayed, isDueBefore) : undefined;
}

/** Computes the deadlines of hidden messages anew, after the queue's retention changed. */
export function resetDeadlines(queue: Queue): void {
  for (const place of ["delayed", "inFlight"] as const) {
    const hidden = queue[place];
    queue[place] = [];
    for (const message of hidden) {
      setDeadline(queue, message, message.hiddenUntilMs);
      heapPush(queue[place], message, isDueBefore);
    }
  }
}

/**
 * Applies a changed delay to the messages of a FIFO queue that were never received: AWS's change is retroactive there, and
 * not on standard queues (Developer Guide, "Amazon SQS delay queues"). What is due by now has to be made visible next.
 */
export function resetDelays(queue: Queue, nowMs: number): void {
  const delayMs = numberOf(queue, "DelaySeconds") * 1000;
  const delayed = [...queue.delayed, ...takeUnreceivedSentAfter(queue, nowMs - delayMs)];
  queue.delayed = [];
  for (const message of delayed) hideMessage(queue, message, "delayed", message.sentAtMs + delayMs);
}

/** The earliest instant at which time does something to the queue; infinity when there is none. */
export function nextDeadlineMs(queue: Queue): number {
  return Math.min(
    queue.inFlight[0]?.deadlineMs ?? Number.POSITIVE_INFINITY,
    queue.delayed[0]?.deadlineMs ?? Number.POSITIVE_INFINITY,
    visibleSentSinceMs(queue) + retentionMs(queue),
    nextEndMs(queue.recentSends),
    nextEndMs(queue.recentReceives),
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
