import { heapPop, heapPush, heapRemove } from "@sandstack/core";
import { lineFirst, lineLast, lineLength, linePush, lineShift } from "./line.js";
import type { Message, MessageLine } from "./state.js";

export function emptyMessageLine(): MessageLine {
  return { items: [], head: 0, outOfOrder: [] };
}

export function isOlder(a: Message, b: Message): boolean {
  return a.sentAtMs < b.sentAtMs || (a.sentAtMs === b.sentAtMs && a.sequence < b.sequence);
}

export function messageCount(line: MessageLine): number {
  return lineLength(line) + line.outOfOrder.length;
}

/** Adds a message. One that was received before is kept where it can be taken out of the middle. */
export function addToLine(line: MessageLine, message: Message): void {
  const newest = lineLast(line);
  if (message.receivesHere === 0 && (newest === undefined || isOlder(newest, message))) linePush(line, message);
  else heapPush(line.outOfOrder, message, isOlder);
}

export function oldestInLine(line: MessageLine): Message | undefined {
  const inOrder = lineFirst(line);
  const outOfOrder = line.outOfOrder[0];
  if (inOrder === undefined) return outOfOrder;
  return outOfOrder !== undefined && isOlder(outOfOrder, inOrder) ? outOfOrder : inOrder;
}

export function takeOldestInLine(line: MessageLine): Message | undefined {
  const oldest = oldestInLine(line);
  if (oldest === undefined) return undefined;
  if (oldest.heapIndex === -1) lineShift(line);
  else heapPop(line.outOfOrder, isOlder);
  return oldest;
}

/** Takes out a message that was received before. */
export function removeFromLine(line: MessageLine, message: Message): void {
  heapRemove(line.outOfOrder, message, isOlder);
}

/** All messages of a line, in no order. */
export function allInLine(line: MessageLine): Message[] {
  return [...line.items.slice(line.head).filter((message) => message !== undefined), ...line.outOfOrder];
}
