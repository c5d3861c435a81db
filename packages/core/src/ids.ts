import { nextInteger, nextUint32, type RandomState } from "./random.js";

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex32(value: number): string {
  return HEX_BYTES[value >>> 24]! + HEX_BYTES[(value >>> 16) & 255] + HEX_BYTES[(value >>> 8) & 255] + HEX_BYTES[value & 255]; // the index is a byte
}

/** Where a UUID is written before it becomes text: put together of pieces, it would be kept as its pieces, in seven times the memory. */
const uuidText = Buffer.alloc(36, "-");
const HEX_DIGITS = "0123456789abcdef";

function writeHex16(value: number, at: number): void {
  for (let digit = 0; digit < 4; digit++) uuidText[at + digit] = HEX_DIGITS.charCodeAt((value >>> (12 - 4 * digit)) & 15);
}

/** A version 4 UUID from the world's generator. */
export function uuid(random: RandomState): string {
  const a = nextUint32(random);
  const b = (nextUint32(random) & 0xffff0fff) | 0x4000;
  const c = (nextUint32(random) & 0x3fffffff) | 0x80000000;
  const d = nextUint32(random);
  writeHex16(a >>> 16, 0);
  writeHex16(a, 4);
  writeHex16(b >>> 16, 9);
  writeHex16(b, 14);
  writeHex16(c >>> 16, 19);
  writeHex16(c, 24);
  writeHex16(d >>> 16, 28);
  writeHex16(d, 32);
  return uuidText.toString("latin1");
}

/** Lower-case hexadecimal digits, such as a log stream's. `length` is a multiple of 8. */
export function hexId(random: RandomState, length: number): string {
  let text = "";
  while (text.length < length) text += hex32(nextUint32(random));
  return text.slice(0, length);
}

export const UPPER_ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
export const MIXED_ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
export const LOWER_ALPHANUMERIC = "abcdefghijklmnopqrstuvwxyz0123456789";

/** `length` characters drawn from `alphabet`. */
export function randomText(random: RandomState, length: number, alphabet: string): string {
  let text = "";
  for (let at = 0; at < length; at++) text += alphabet[nextInteger(random, alphabet.length)];
  return text;
}
