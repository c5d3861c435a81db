import { isPlainObject } from "./values.js";

/** Where a value first differs from its pattern. */
export interface Mismatch {
  /** `output.Messages[0].Body` */
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** How patterns are read. */
export interface Mode {
  /** True: objects have exactly the pattern's keys. */
  readonly exact: boolean;
  /** True: an element that stands alone may be a list of one, for XML does not say. */
  readonly xml: boolean;
}

const LOOSE: Mode = { exact: false, xml: false };
const EXACT: Mode = { exact: true, xml: false };
export const XML: Mode = { exact: false, xml: true };

type Matcher = (argument: unknown, actual: unknown, path: string, mode: Mode) => Mismatch | undefined;

/**
 * Compares what was found with a pattern: objects by the pattern's keys, arrays element by element, the rest by equality without coercion.
 * An object with one matcher's key alone (`{ "$regex": "…" }`) is that matcher.
 *
 * @returns the first mismatch, or `undefined`
 */
export function match(pattern: unknown, found: unknown, path: string, mode: Mode = LOOSE): Mismatch | undefined {
  const actual = mode.xml ? asPatternHasIt(pattern, found) : found;
  const matcher = matcherOf(pattern);
  if (matcher !== undefined) return matcher.run(matcher.argument, actual, path, mode);
  if (Array.isArray(pattern)) return matchArray(pattern, actual, path, mode);
  if (isPlainObject(pattern)) return matchObject(pattern, actual, path, mode);
  return unless(isSame(pattern, actual), path, pattern, actual);
}

const matchers: Readonly<Record<string, Matcher>> = {
  $absent: (_argument, actual, path) => unless(actual === undefined, path, { $absent: true }, actual),
  $any: (_argument, actual, path) => unless(actual !== undefined && actual !== null, path, { $any: true }, actual),
  $empty: (_argument, actual, path) => unless(isEmpty(actual), path, { $empty: true }, actual),
  $regex: (argument, actual, path) => unless(typeof actual === "string" && new RegExp(String(argument)).test(actual), path, { $regex: argument }, actual),
  $len: (argument, actual, path) => unless(Array.isArray(actual) && actual.length === argument, path, { $len: argument }, actual),
  $oneOf: (argument, actual, path, mode) => unless(listOf(argument).some((pattern) => matches(pattern, actual, mode)), path, { $oneOf: argument }, actual),
  $exact: (argument, actual, path) => (isPlainObject(argument) ? matchKeys(argument, actual, path) ?? match(argument, actual, path) : match(argument, actual, path)),
  $keys: (argument, actual, path, mode) => match(argument, typeof actual === "object" && actual !== null ? keysOf(actual) : undefined, `${path}.$keys`, mode),
  $unordered: (argument, actual, path, mode) => unless(matchesInSomeOrder(listOf(argument), actual, mode), path, { $unordered: argument }, actual),
  $contains: (argument, actual, path, mode) => matchContained(listOf(argument), actual, path, mode),
  $unorderedContains: (argument, actual, path, mode) => matchContained(listOf(argument), actual, path, mode),
  $subsequence: (argument, actual, path, mode) => matchSubsequence(listOf(argument), actual, path, mode),
  $flatUnordered: (argument, actual, path, mode) =>
    unless(Array.isArray(actual) && matchesInSomeOrder(listOf(argument), actual.flat(), mode), path, { $flatUnordered: argument }, actual),
  $json: (argument, actual, path) => matchJson(argument, actual, path, EXACT),
  $jsonContains: (argument, actual, path) => matchJson(argument, actual, path, LOOSE),
  $jsonBytes: (argument, actual, path) => matchJson(argument, isBytes(actual) ? Buffer.from(actual).toString("utf8") : actual, path, LOOSE),
  $base64: (argument, actual, path) => unless(isBytes(actual) && Buffer.from(actual).equals(Buffer.from(String(argument), "base64")), path, { $base64: argument }, actual),
};

/** Matchers that take a list. */
const LIST_MATCHERS: ReadonlySet<string> = new Set(["$len", "$unordered", "$contains", "$unorderedContains", "$subsequence", "$flatUnordered"]);

/** An XML element as a list where the pattern is one, and alone where it is not. */
function asPatternHasIt(pattern: unknown, found: unknown): unknown {
  const wantsList = Array.isArray(pattern) || (isPlainObject(pattern) && Object.keys(pattern).length === 1 && LIST_MATCHERS.has(Object.keys(pattern)[0] ?? ""));
  if (wantsList) return Array.isArray(found) || found === undefined ? found : [found];
  return Array.isArray(found) && found.length === 1 && matcherOf(pattern) === undefined ? found[0] : found;
}

function matcherOf(pattern: unknown): { run: Matcher; argument: unknown } | undefined {
  if (!isPlainObject(pattern)) return undefined;
  const [key, ...others] = Object.keys(pattern);
  const run = key !== undefined && others.length === 0 && Object.hasOwn(matchers, key) ? matchers[key] : undefined;
  return key === undefined || run === undefined ? undefined : { run, argument: pattern[key] };
}

function matchObject(pattern: Record<string, unknown>, actual: unknown, path: string, mode: Mode): Mismatch | undefined {
  if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return { path, expected: pattern, actual };
  if (mode.exact) {
    const wrongKeys = matchKeys(pattern, actual, path);
    if (wrongKeys !== undefined) return wrongKeys;
  }
  for (const [key, member] of Object.entries(pattern)) {
    const mismatch = match(member, memberOf(actual, key), `${path}.${key}`, mode);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function matchKeys(pattern: Record<string, unknown>, actual: unknown, path: string): Mismatch | undefined {
  if (typeof actual !== "object" || actual === null) return { path, expected: pattern, actual };
  const extra = keysOf(actual).find((key) => !Object.hasOwn(pattern, key));
  return extra === undefined ? undefined : { path: `${path}.${extra}`, expected: { $absent: true }, actual: memberOf(actual, extra) };
}

/** Asked for by name: errors are matched too, whose message is not enumerable. */
function memberOf(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key]; // any object may be asked for any member
}

/** The keys that are there; the SDK's metadata is on every output and counts in none. */
function keysOf(value: object): string[] {
  return Object.entries(value)
    .filter(([key, member]) => member !== undefined && key !== "$metadata")
    .map(([key]) => key);
}

function matchArray(patterns: readonly unknown[], actual: unknown, path: string, mode: Mode): Mismatch | undefined {
  if (!Array.isArray(actual)) return { path, expected: patterns, actual };
  if (actual.length !== patterns.length) return { path: `${path}.length`, expected: patterns.length, actual: actual.length };
  for (const [index, pattern] of patterns.entries()) {
    const mismatch = match(pattern, actual[index], `${path}[${index}]`, mode);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

function matchContained(patterns: readonly unknown[], actual: unknown, path: string, mode: Mode): Mismatch | undefined {
  if (!Array.isArray(actual)) return { path, expected: { $contains: patterns }, actual };
  const missing = patterns.find((pattern) => !actual.some((element) => matches(pattern, element, mode)));
  return unless(missing === undefined, path, { $contains: [missing] }, actual);
}

function matchSubsequence(patterns: readonly unknown[], actual: unknown, path: string, mode: Mode): Mismatch | undefined {
  if (!Array.isArray(actual)) return { path, expected: { $subsequence: patterns }, actual };
  let from = 0;
  for (const pattern of patterns) {
    const found = actual.findIndex((element, index) => index >= from && matches(pattern, element, mode));
    if (found === -1) return { path: `${path}[${from}…]`, expected: pattern, actual: actual.slice(from) };
    from = found + 1;
  }
  return undefined;
}

/** Gives each pattern an element of its own, taking elements from earlier patterns that can do with another (augmenting paths). */
function matchesInSomeOrder(patterns: readonly unknown[], actual: unknown, mode: Mode): boolean {
  if (!Array.isArray(actual) || actual.length !== patterns.length) return false;
  const patternOfElement = new Map<number, number>();
  const findElement = (patternIndex: number, tried: Set<number>): boolean =>
    actual.some((element, index) => {
      if (tried.has(index) || !matches(patterns[patternIndex], element, mode)) return false;
      tried.add(index);
      const holder = patternOfElement.get(index);
      if (holder !== undefined && !findElement(holder, tried)) return false;
      patternOfElement.set(index, patternIndex);
      return true;
    });
  return patterns.every((_pattern, patternIndex) => findElement(patternIndex, new Set()));
}

function matchJson(pattern: unknown, actual: unknown, path: string, mode: Mode): Mismatch | undefined {
  const parsed = typeof actual === "string" ? parseJson(actual) : undefined;
  return parsed === undefined ? { path, expected: { $json: pattern }, actual } : match(pattern, parsed.value, `${path}.$json`, mode);
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // text that is no JSON matches no pattern on its value
  }
}

function matches(pattern: unknown, actual: unknown, mode: Mode): boolean {
  return match(pattern, actual, "", mode) === undefined;
}

function unless(isMatch: boolean, path: string, expected: unknown, actual: unknown): Mismatch | undefined {
  return isMatch ? undefined : { path, expected, actual };
}

const QUEUE_URL = /^https?:\/\/[^/]+\/(\d{12}\/[^/]+)$/;

/** Equal; two URLs of queues are equal when account and name are, whatever host they were answered with. */
function isSame(pattern: unknown, actual: unknown): boolean {
  if (pattern === actual) return true;
  if (typeof pattern !== "string" || typeof actual !== "string") return false;
  const queue = QUEUE_URL.exec(pattern)?.[1];
  return queue !== undefined && queue === QUEUE_URL.exec(actual)?.[1];
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && keysOf(value).length === 0;
}

function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
