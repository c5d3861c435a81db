import { heapMoved, heapPush, heapRemove } from "@sandstack/core";
import { lineLast, linePop } from "./line.js";
import { addToLine, allInLine, emptyMessageLine, isOlder, oldestInLine, takeOldestInLine } from "./message-line.js";
import type { FifoMessages, Message, MessageGroup } from "./state.js";

/*
 * The order of FIFO queues. A group is open while its first message, counted with those in flight, can be received: what is
 * in flight holds back all that was sent after it, and nothing that was sent before it. So AWS does it, as recorded: a
 * message that comes back while a later one of its group is in flight is received again, the later one's followers are not.
 *
 * Among the open groups the one is first whose first message has waited longest. A message that came back begins to wait
 * anew, so that its group stands behind groups nobody has touched (recorded, too).
 */

export function noFifoMessages(): FifoMessages {
  return { kind: "fifo", messageCount: 0, groups: new Map(), open: [], sentSinceMs: Number.POSITIVE_INFINITY };
}

/** @param nextTurn the turn of a message that comes back */
export function addFifo(visible: FifoMessages, message: Message, nextTurn: () => number): void {
  if (message.receivesHere > 0) message.turn = nextTurn();
  const group = groupOf(visible, message);
  addToLine(group.line, message);
  visible.messageCount += 1;
  visible.sentSinceMs = Math.min(visible.sentSinceMs, message.sentAtMs);
  groupChanged(visible, group);
}

/** Takes the next message to be received: of the same group as `after` while that has one, else of the group whose turn it is. */
export function takeNextFifo(visible: FifoMessages, after?: Message): Message | undefined {
  const group = (after === undefined ? undefined : openGroupOf(visible, after)) ?? visible.open[0];
  if (group === undefined) return undefined;
  const message = takeOldestInLine(group.line)!; // an open group has a message
  visible.messageCount -= 1;
  groupChanged(visible, group);
  return message;
}

/** The message of the same group that can be received next, if one can be. */
export function nextFifoOfGroup(visible: FifoMessages, message: Message): Message | undefined {
  const group = openGroupOf(visible, message);
  return group === undefined ? undefined : oldestInLine(group.line);
}

/** True while an earlier message of its group is in flight or visible. */
export function isFifoHeldBack(visible: FifoMessages, message: Message): boolean {
  const group = visible.groups.get(groupIdOf(message));
  if (group === undefined) return false;
  const oldest = oldestInLine(group.line);
  return (oldest !== undefined && isOlder(oldest, message)) || group.inFlight.some((sequence) => sequence < message.sequence);
}

export function fifoEntersFlight(visible: FifoMessages, message: Message): void {
  const group = groupOf(visible, message);
  group.inFlight.push(message.sequence);
  groupChanged(visible, group);
}

export function fifoLeavesFlight(visible: FifoMessages, message: Message): void {
  const group = groupOf(visible, message);
  group.inFlight = group.inFlight.filter((sequence) => sequence !== message.sequence);
  groupChanged(visible, group);
}

/**
 * Takes out the messages that were sent until an instant, the oldest first.
 *
 * Looks at each group, which would be too much for every receive: `sentSinceMs` keeps it to the instants at which something expires.
 */
export function takeFifoSentUntil(visible: FifoMessages, untilMs: number): Message[] {
  if (visible.sentSinceMs > untilMs) return [];
  const taken: Message[] = [];
  visible.sentSinceMs = Number.POSITIVE_INFINITY;
  for (const group of [...visible.groups.values()]) {
    let oldest = oldestInLine(group.line);
    for (; oldest !== undefined && oldest.sentAtMs <= untilMs; oldest = oldestInLine(group.line)) taken.push(takeOldestInLine(group.line)!); // it has the oldest
    if (oldest !== undefined) visible.sentSinceMs = Math.min(visible.sentSinceMs, oldest.sentAtMs);
    groupChanged(visible, group);
  }
  visible.messageCount -= taken.length;
  return taken.sort((a, b) => a.sequence - b.sequence);
}

/** Takes out the messages that were sent after an instant and never received. */
export function takeFifoUnreceivedSentAfter(visible: FifoMessages, afterMs: number): Message[] {
  const taken: Message[] = [];
  for (const group of [...visible.groups.values()]) {
    // Those that were never received stand in the line, the newest last.
    for (let newest = lineLast(group.line); newest !== undefined && newest.sentAtMs > afterMs; newest = lineLast(group.line)) taken.push(linePop(group.line)!); // it has one
    groupChanged(visible, group);
  }
  visible.messageCount -= taken.length;
  return taken.sort((a, b) => a.sequence - b.sequence);
}

export function allFifo({ groups }: FifoMessages): Message[] {
  return [...groups.values()].flatMap(({ line }) => allInLine(line));
}

function groupIdOf({ groupId = "" }: Message): string {
  return groupId; // every message of a FIFO queue has one
}

function groupOf(visible: FifoMessages, message: Message): MessageGroup {
  const groupId = groupIdOf(message);
  let group = visible.groups.get(groupId);
  if (group === undefined) visible.groups.set(groupId, (group = { groupId, line: emptyMessageLine(), inFlight: [], heapIndex: -1 }));
  return group;
}

function openGroupOf(visible: FifoMessages, message: Message): MessageGroup | undefined {
  const group = visible.groups.get(groupIdOf(message));
  return group === undefined || group.heapIndex === -1 ? undefined : group;
}

function isFirst(a: MessageGroup, b: MessageGroup): boolean {
  return oldestInLine(a.line)!.turn < oldestInLine(b.line)!.turn; // open groups have messages
}

/** Puts a group in its place among the open ones, or takes it away from there; one that has nothing left is forgotten. */
function groupChanged(visible: FifoMessages, group: MessageGroup): void {
  const first = oldestInLine(group.line);
  const isOpen = first !== undefined && group.inFlight.every((sequence) => sequence > first.sequence);
  if (!isOpen) {
    if (group.heapIndex !== -1) heapRemove(visible.open, group, isFirst);
    if (first === undefined && group.inFlight.length === 0) visible.groups.delete(group.groupId);
  } else if (group.heapIndex === -1) heapPush(visible.open, group, isFirst);
  else heapMoved(visible.open, group, isFirst);
}
