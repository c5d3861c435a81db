import type { Message, Queue } from "./state.js";

/** As the handles of AWS begin. */
const PREFIX = "AQEB";

/** Numbers are written in digits and letters, with leading zeros to a fixed length. */
const RADIX = 36;
const SEQUENCE_LENGTH = 9;
const RECEIVE_LENGTH = 6;
const CHECK_LENGTH = 7;

/** What a receipt handle names: a message of the queue, and which of its receives. */
export interface Receipt {
  readonly sequence: number;
  readonly receive: number;
}

/** The handle of a message's latest receive: the queue's key, the message, the receive, and a check on the three. */
export function receiptHandleOf(queue: Queue, message: Message): string {
  const named = write(message.sequence, SEQUENCE_LENGTH) + write(message.receivesHere, RECEIVE_LENGTH);
  return PREFIX + queue.handleKey + named + checkOf(queue.handleKey, named);
}

/** Reads a handle, or answers `undefined` when this queue never issued it. */
export function readReceiptHandle(queue: Queue, handle: string): Receipt | undefined {
  const start = PREFIX + queue.handleKey;
  const named = handle.slice(start.length, -CHECK_LENGTH);
  if (named.length !== SEQUENCE_LENGTH + RECEIVE_LENGTH || handle !== start + named + checkOf(queue.handleKey, named)) return undefined;
  return { sequence: parseInt(named.slice(0, SEQUENCE_LENGTH), RADIX), receive: parseInt(named.slice(SEQUENCE_LENGTH), RADIX) };
}

function write(value: number, length: number): string {
  return value.toString(RADIX).padStart(length, "0");
}

/** A hash over key and text (FNV-1a): enough that nobody writes a handle by hand. */
function checkOf(key: string, named: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  for (let at = 0; at < named.length; at++) hash = Math.imul(hash ^ named.charCodeAt(at), 0x01000193);
  return write(hash >>> 0, CHECK_LENGTH);
}
