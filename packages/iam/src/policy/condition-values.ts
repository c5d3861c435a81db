/** A number as conditions write it, or `undefined`. */
export function readNumber(text: string): number | undefined {
  if (!/^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

/** An instant in epoch milliseconds: W3C's profile of ISO 8601, or epoch seconds. `undefined` for anything else. */
export function readDateMs(text: string): number | undefined {
  if (/^-?\d{5,}(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/.test(text)) return undefined;
  // A date and time without a zone is UTC in IAM, and local time in JavaScript.
  const zoned = /T[\d:.]+$/.test(text) ? `${text}Z` : text;
  const instantMs = new Date(zoned).getTime();
  return Number.isNaN(instantMs) ? undefined : instantMs;
}

/** A range of IP addresses: its bytes and how many leading bits count. */
export interface IpRange {
  readonly bytes: readonly number[];
  readonly prefixBits: number;
}

/** Reads `203.0.113.0/24`, `2001:db8::/32` or a single address. */
export function readIpRange(text: string): IpRange | undefined {
  const [address = "", prefix, ...rest] = text.split("/");
  const bytes = readIp(address);
  if (bytes === undefined || rest.length > 0) return undefined;
  if (prefix === undefined) return { bytes, prefixBits: bytes.length * 8 };
  const prefixBits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  return prefixBits <= bytes.length * 8 ? { bytes, prefixBits } : undefined;
}

/** The bytes of an IPv4 or IPv6 address, or `undefined`. */
export function readIp(text: string): readonly number[] | undefined {
  return text.includes(":") ? readIpv6(text) : readIpv4(text);
}

function readIpv4(text: string): readonly number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return parts.map(Number);
}

function readIpv6(text: string): readonly number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(ipv6Bytes);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

function ipv6Bytes(half: string): readonly number[] | undefined {
  if (half === "") return [];
  const groups = half.split(":");
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const embedded = group.includes(".") && index === groups.length - 1 ? readIpv4(group) : undefined;
    if (embedded !== undefined) bytes.push(...embedded);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return bytes;
}

export function isInIpRange(range: IpRange, bytes: readonly number[]): boolean {
  if (range.bytes.length !== bytes.length) return false;
  return bytes.every((byte, index) => {
    const bits = Math.min(8, Math.max(0, range.prefixBits - index * 8));
    const mask = (0xff << (8 - bits)) & 0xff;
    return (byte & mask) === ((range.bytes[index] ?? 0) & mask);
  });
}
