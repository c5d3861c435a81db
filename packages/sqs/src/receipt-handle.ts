import type { Message, Queue } from "./state.js";

/** As the handles of AWS begin. */
const PREFIX = "AQEB";

/** Six bits to a character. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SEQUENCE_LENGTH = 8;
const RECEIVE_LENGTH = 5;
const CHECK_LENGTH = 5;
const VALUES = new Map([...ALPHABET].map((character, value) => [character, value]));

/** What a receipt handle names: a message of the queue, and which of its receives. */
export interface Receipt {
  readonly sequence: number;
  readonly receive: number;
}

/** The handle of a message's latest receive: the queue's key, the message, the receive, and a check on the three. */
export function receiptHandleOf(queue: Queue, message: Message): string {
  const named = write(message.sequence, SEQUENCE_LENGTH) + write(message.receivesHere, RECEIVE_LENGTH);
  return PREFIX + queue.handleKey + named + write(checkOf(queue.handleKey, named), CHECK_LENGTH);
}

/** Reads a handle, or answers `undefined` when this queue never issued it. */
export function readReceiptHandle(queue: Queue, handle: string): Receipt | undefined {
  const start = PREFIX + queue.handleKey;
  const named = handle.slice(start.length, -CHECK_LENGTH);
  if (!handle.startsWith(start) || named.length !== SEQUENCE_LENGTH + RECEIVE_LENGTH) return undefined;
  if (handle.slice(-CHECK_LENGTH) !== write(checkOf(queue.handleKey, named), CHECK_LENGTH)) return undefined;
  return { sequence: read(named.slice(0, SEQUENCE_LENGTH)), receive: read(named.slice(SEQUENCE_LENGTH)) };
}

function write(value: number, length: number): string {
  let text = "";
  let rest = value;
  for (let at = 0; at < length; at++) {
    text += ALPHABET[rest % 64];
    rest = Math.floor(rest / 64);
  }
  return text;
}

function read(text: string): number {
  let value = 0;
  for (let at = text.length - 1; at >= 0; at--) value = value * 64 + (VALUES.get(text[at]!) ?? Number.NaN); // at is inside the text
  return value;
}

/** 30 bits of a hash over key and text (FNV-1a): enough that nobody writes a handle by hand. */
function checkOf(key: string, named: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  for (let at = 0; at < named.length; at++) hash = Math.imul(hash ^ named.charCodeAt(at), 0x01000193);
  return hash >>> 2;
}
