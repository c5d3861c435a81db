import { heapPop, heapPush, heapRemove, type ServiceContext } from "@sandstack/core";
import type { Message, Queue, SqsState, VisibleMessages } from "./state.js";

/** How many given-up places `inOrder` keeps at least before it is trimmed. */
const TRIM_AFTER = 1_024;

export function noMessages(): VisibleMessages {
  return { inOrder: [], head: 0, outOfOrder: [] };
}

function isOlder(a: Message, b: Message): boolean {
  return a.sentAtMs < b.sentAtMs || (a.sentAtMs === b.sentAtMs && a.sequence < b.sequence);
}

export function visibleCount(visible: VisibleMessages): number {
  return visible.inOrder.length - visible.head + visible.outOfOrder.length;
}

/** Adds a message. One that was received before is kept where it can be taken out by its receipt handle. */
export function addVisible(visible: VisibleMessages, message: Message): void {
  message.place = "visible";
  const newest = visible.inOrder[visible.inOrder.length - 1];
  if (message.receivesHere === 0 && (newest === undefined || isOlder(newest, message))) visible.inOrder.push(message);
  else heapPush(visible.outOfOrder, message, isOlder);
}

export function oldestVisible(visible: VisibleMessages): Message | undefined {
  const inOrder = visible.inOrder[visible.head];
  const outOfOrder = visible.outOfOrder[0];
  if (inOrder === undefined) return outOfOrder;
  return outOfOrder !== undefined && isOlder(outOfOrder, inOrder) ? outOfOrder : inOrder;
}

export function takeOldestVisible(visible: VisibleMessages): Message | undefined {
  const oldest = oldestVisible(visible);
  if (oldest === undefined) return undefined;
  if (oldest.heapIndex === -1) dropHead(visible);
  else heapPop(visible.outOfOrder, isOlder);
  return oldest;
}

/** Takes out a message that was received before. */
export function removeVisible(visible: VisibleMessages, message: Message): void {
  heapRemove(visible.outOfOrder, message, isOlder);
}

function dropHead(visible: VisibleMessages): void {
  visible.inOrder[visible.head] = undefined;
  visible.head += 1;
  if (visible.head === visible.inOrder.length) {
    visible.inOrder = [];
    visible.head = 0;
  } else if (visible.head >= TRIM_AFTER && visible.head * 2 >= visible.inOrder.length) {
    // Half of the places at most are moved for each place given up: constant cost in the long run.
    visible.inOrder = visible.inOrder.slice(visible.head);
    visible.head = 0;
  }
}

/** Tells those who wait for the queue: first the parked receives, then, if something is left, the other services. */
export function messagesVisible(ctx: ServiceContext<SqsState>, queue: Queue): void {
  ctx.wake(queue.arn);
  if (oldestVisible(queue.visible) !== undefined) ctx.announce("sqs.message.visible", { queueArn: queue.arn });
}
