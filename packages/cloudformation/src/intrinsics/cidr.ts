import { templateError } from "../errors.js";

/** An address as a number, and how many bits it has. */
interface Address {
  readonly value: bigint;
  readonly bits: 32 | 128;
}

/**
 * `Fn::Cidr`: the first `count` blocks of `cidrBits` host bits each, in the block given.
 *
 * @throws ValidationError when the blocks do not fit
 */
export function cidrBlocks(block: string, count: number, cidrBits: number): string[] {
  const [addressText = "", prefixText = ""] = block.split("/");
  const address = parseAddress(addressText);
  const prefix = Number(prefixText);
  if (address === undefined || prefixText === "" || !(prefix >= 0 && prefix <= address.bits)) throw templateError(`Fn::Cidr: ${block} is not a valid CIDR block`);
  if (!(Number.isInteger(count) && count >= 1 && count <= 256)) throw templateError("Fn::Cidr: the count must be from 1 to 256");
  const subnetPrefix = address.bits - cidrBits;
  if (!(Number.isInteger(cidrBits) && cidrBits >= 1 && subnetPrefix >= prefix)) throw templateError(`Fn::Cidr: blocks of ${cidrBits} bits do not fit into ${block}`);
  const size = 1n << BigInt(cidrBits);
  if (BigInt(count) * size > 1n << BigInt(address.bits - prefix)) throw templateError(`Fn::Cidr: ${count} blocks of ${cidrBits} bits do not fit into ${block}`);
  const hostMask = (1n << BigInt(address.bits - prefix)) - 1n;
  const base = address.value & ~hostMask;
  return Array.from({ length: count }, (_, index) => `${formatAddress(base + BigInt(index) * size, address.bits)}/${subnetPrefix}`);
}

function parseAddress(text: string): Address | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined;
  return { value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n), bits: 32 };
}

function parseIpv6(text: string): Address | undefined {
  const [head = "", tail, more] = text.split("::");
  if (more !== undefined) return undefined;
  const headGroups = head === "" ? [] : head.split(":");
  const tailGroups = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = 8 - headGroups.length - tailGroups.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...headGroups, ...Array<string>(missing).fill("0"), ...tailGroups];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return { value: groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n), bits: 128 };
}

function formatAddress(value: bigint, bits: 32 | 128): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(16 * (7 - index))) & 0xffffn).toString(16));
  // The longest run of zeros, the first of equals, is written as `::` (RFC 5952).
  const runs = [...groups.join(":").matchAll(/\b0(:0)+\b/g)].map(([run]) => run);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  if (longest === "") return groups.join(":");
  const [head = "", ...tail] = groups.join(":").split(longest);
  return `${head.replace(/:$/, "")}::${tail.join(longest).replace(/^:/, "")}`;
}
