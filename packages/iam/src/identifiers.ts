import { randomText, UPPER_ALPHANUMERIC, type RandomState } from "@sandstack/core";

/** The prefixes of unique ids (IAM User Guide, "IAM identifiers"). */
const ID_PREFIX = { user: "AIDA", group: "AGPA", role: "AROA", policy: "ANPA" } as const;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const SECRET_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** A unique id: its prefix and 17 characters. */
export function uniqueId(random: RandomState, kind: keyof typeof ID_PREFIX): string {
  return ID_PREFIX[kind] + randomText(random, 17, UPPER_ALPHANUMERIC);
}

/** The id of a user or role that is named but does not exist: the same for the same ARN. */
export function idOfUnknown(kind: "user" | "role", arn: string): string {
  let hash = 0x811c9dc5;
  let text = "";
  for (let round = 0; text.length < 17; round++) {
    for (const character of `${round}${arn}`) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
    text += BASE32.charAt(hash % 32);
  }
  return ID_PREFIX[kind] + text;
}

/**
 * An access key id. As on AWS it holds the account: base 32 behind the prefix gives 80 bits, of which the first is set, the
 * next 40 are the account's number and the rest are random.
 *
 * @param prefix `AKIA` for a user's key, `ASIA` for temporary credentials
 */
export function accessKeyId(random: RandomState, prefix: "AKIA" | "ASIA", accountId: string): string {
  // Eight characters hold 40 bits: the set bit and the account's upper 39; the ninth begins with the account's last.
  const account = BigInt(accountId);
  const head = (1n << 39n) | (account >> 1n);
  let text = "";
  for (let shift = 35n; shift >= 0n; shift -= 5n) text += BASE32.charAt(Number((head >> shift) & 31n));
  const lowestBit = account % 2n === 1n ? BASE32.slice(16) : BASE32.slice(0, 16);
  return prefix + text + randomText(random, 1, lowestBit) + randomText(random, 7, BASE32);
}

/** The account that an access key id holds, or `undefined` when it holds none. */
export function accountOfAccessKey(id: string): string | undefined {
  if (!/^A[KS]IA[Q-Z2-7][A-Z2-7]{15}$/.test(id)) return undefined;
  let head = 0n;
  for (const character of id.slice(4, 12)) head = (head << 5n) | BigInt(BASE32.indexOf(character));
  const account = ((head & ((1n << 39n) - 1n)) << 1n) | BigInt(BASE32.indexOf(id.charAt(12)) >> 4);
  return account < 10n ** 12n ? String(account).padStart(12, "0") : undefined;
}

/** A secret access key: 40 characters. */
export function secretAccessKey(random: RandomState): string {
  return randomText(random, 40, SECRET_ALPHABET);
}

export function sessionToken(random: RandomState): string {
  return `IQoJb3JpZ2luX2Vj${randomText(random, 300, SECRET_ALPHABET)}=`;
}
