import type { ServiceContext } from "@sandstack/core";
import { addFifo, allFifo, fifoEntersFlight, fifoLeavesFlight, isFifoHeldBack, nextFifoOfGroup, noFifoMessages, takeFifoSentUntil, takeFifoUnreceivedSentAfter, takeNextFifo } from "./fifo-messages.js";
import {
  addStandard,
  allStandard,
  noStandardMessages,
  oldestStandardSentAtMs,
  removeStandard,
  standardCount,
  standardEntersFlight,
  standardLeavesFlight,
  takeNextStandard,
  takeStandardSentUntil,
} from "./standard-messages.js";
import type { Message, Queue, SqsState, VisibleMessages } from "./state.js";

/*
 * What a queue's kind decides: in which order its messages are handed out. All else is the same for both.
 */

export function noMessages(kind: VisibleMessages["kind"]): VisibleMessages {
  return kind === "fifo" ? noFifoMessages() : noStandardMessages();
}

export function isFifo(queue: Queue): boolean {
  return queue.visible.kind === "fifo";
}

/** How many messages are neither delayed nor in flight. On a FIFO queue some of them may be held back by their group. */
export function visibleCount({ visible }: Queue): number {
  return visible.kind === "fifo" ? visible.messageCount : standardCount(visible);
}

export function addVisible(queue: Queue, message: Message): void {
  const { visible } = queue;
  message.place = "visible";
  if (visible.kind === "fifo") addFifo(visible, message, () => queue.nextSequence++);
  else addStandard(visible, message);
}

/** Takes out the next message to be received. @param after the message taken before for the same receive */
export function takeNextVisible({ visible, inFlight }: Queue, after?: Message): Message | undefined {
  return visible.kind === "fifo" ? takeNextFifo(visible, after) : takeNextStandard(visible, inFlight.length);
}

/** The message of a FIFO queue that can be received next of the group that `message` is or was in, if one can be. */
export function nextOfGroup({ visible }: Queue, message: Message): Message | undefined {
  return visible.kind === "fifo" ? nextFifoOfGroup(visible, message) : undefined;
}

/** True while a message, which is in no place, would not be the first of its group in a FIFO queue. */
export function isHeldBack({ visible }: Queue, message: Message): boolean {
  return visible.kind === "fifo" && isFifoHeldBack(visible, message);
}

/** Takes out a message that was received before. Messages of FIFO queues are taken in their order only. */
export function removeVisible({ visible }: Queue, message: Message): void {
  if (visible.kind === "standard") removeStandard(visible, message);
}

/** True when a message can be received. */
export function isAnyReceivable(queue: Queue): boolean {
  return queue.visible.kind === "fifo" ? queue.visible.open.length > 0 : standardCount(queue.visible) > 0;
}

/** An instant before which no visible message was sent, in epoch milliseconds; infinity when there is none. */
export function visibleSentSinceMs({ visible }: Queue): number {
  return visible.kind === "fifo" ? visible.sentSinceMs : oldestStandardSentAtMs(visible);
}

/** Takes out the visible messages that were sent until an instant, the oldest first. */
export function takeSentUntil({ visible }: Queue, untilMs: number): Message[] {
  return visible.kind === "fifo" ? takeFifoSentUntil(visible, untilMs) : takeStandardSentUntil(visible, untilMs);
}

/** Takes out the visible messages of a FIFO queue that were sent after an instant and never received. */
export function takeUnreceivedSentAfter({ visible }: Queue, afterMs: number): Message[] {
  return visible.kind === "fifo" ? takeFifoUnreceivedSentAfter(visible, afterMs) : [];
}

/** The messages that are neither delayed nor in flight, in no order. */
export function visibleMessages({ visible }: Queue): Message[] {
  return visible.kind === "fifo" ? allFifo(visible) : allStandard(visible);
}

/** Notes that a message, which is in no place, is in flight from now on. */
export function entersFlight({ visible }: Queue, message: Message): void {
  if (visible.kind === "fifo") fifoEntersFlight(visible, message);
  else standardEntersFlight(visible, message);
}

/** Notes that a message is in flight no more. */
export function leavesFlight({ visible }: Queue, message: Message): void {
  if (visible.kind === "fifo") fifoLeavesFlight(visible, message);
  else standardLeavesFlight(visible, message);
}

/** Tells those who wait for the queue: first the parked receives, then, if something is left, the other services. */
export function messagesVisible(ctx: ServiceContext<SqsState>, queue: Queue): void {
  ctx.wake(queue.arn);
  if (isAnyReceivable(queue)) ctx.announce("sqs.message.visible", { queueArn: queue.arn });
}
