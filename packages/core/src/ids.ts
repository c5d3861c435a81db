import { nextInteger, nextUint32, type RandomState } from "./random.js";

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex32(value: number): string {
  return HEX_BYTES[value >>> 24]! + HEX_BYTES[(value >>> 16) & 255] + HEX_BYTES[(value >>> 8) & 255] + HEX_BYTES[value & 255]; // the index is a byte
}

/** A version 4 UUID from the world's generator. */
export function uuid(random: RandomState): string {
  const a = hex32(nextUint32(random));
  const b = hex32((nextUint32(random) & 0xffff0fff) | 0x4000);
  const c = hex32((nextUint32(random) & 0x3fffffff) | 0x80000000);
  const d = hex32(nextUint32(random));
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}`;
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
