import { isUtf8 } from "node:buffer";
import { types } from "node:util";
import { malformed } from "./wire-errors.js";
import type { WireService } from "./services.js";
import type { Shape } from "./shape.js";
import { dateOf, formatTimestamp, parseTimestamp } from "./timestamp.js";

/** Sets `key` also where it is `__proto__`, which an assignment would take for the prototype. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** The bytes of base64 text; `undefined` when it is none. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return new Uint8Array(Buffer.from(text, "base64")); // a copy of its own: a small Buffer is a window on a pool
}

/** Base64 of a blob as an operation gives it: bytes, or text that means its UTF-8 bytes. */
export function encodeBase64(blob: unknown): string {
  if (typeof blob === "string") return Buffer.from(blob).toString("base64");
  const { buffer, byteOffset, byteLength } = blob as Uint8Array; // the SDK's output types allow a blob nothing else
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** The text of bytes; `undefined` when they are no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") : undefined;
}

/**
 * Parses a body of JSON text.
 *
 * @throws SerializationException (400) when it is no JSON, or no UTF-8
 */
export function parseJson(service: WireService, body: string | Uint8Array): unknown {
  const text = typeof body === "string" ? body : utf8Text(body);
  if (text === undefined) throw malformed(service, "The request's body is not valid UTF-8.");
  if (text.length === 0) return {};
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own words quote the body and differ between versions of Node.
    throw malformed(service, "The request's body is not valid JSON.");
  }
}

/**
 * Reads a value that was parsed from JSON by its shape: members that the model does not know are left out, as AWS does.
 *
 * @throws SerializationException (400) for a value of another type
 */
export function readJson(service: WireService, shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case "string":
      if (typeof value === "string") return value;
      break;
    case "number":
      if (typeof value === "number") return value;
      if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
      break;
    case "boolean":
      if (typeof value === "boolean") return value;
      break;
    case "structure":
      return readMembers(service, shape.members, value);
    case "union":
      return readUnion(service, shape, value);
    case "list":
      if (Array.isArray(value)) return readList(service, shape, value);
      break;
    case "map":
      if (isJsonObject(value)) return readMap(service, shape, value);
      break;
    case "blob": {
      const bytes = typeof value === "string" ? decodeBase64(value) : undefined;
      if (bytes !== undefined) return bytes;
      break;
    }
    case "timestamp": {
      const date = typeof value === "number" ? dateOf(value * 1000) : typeof value === "string" ? parseTimestamp(value) : undefined;
      if (date !== undefined) return date;
      break;
    }
    case "document":
      return value;
    case "unit":
      return {};
  }
  throw malformed(service, mismatch(shape, value));
}

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads some members of a structure, or all. @throws SerializationException (400), as `readJson` */
export function readMembers(service: WireService, members: Shape["members"], value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) throw malformed(service, Array.isArray(value) ? LIST_UNEXPECTED : "Unexpected field type");
  const read: Record<string, unknown> = {};
  for (const { name, shape } of members) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member !== undefined && member !== null) read[name] = readJson(service, shape, member);
  }
  return read;
}

function readUnion(service: WireService, shape: Shape, value: unknown): object {
  const read = readMembers(service, shape.members, value);
  if (Object.keys(read).length !== 1) throw malformed(service, `Exactly one member of ${shape.name} must be set.`);
  return read;
}

function readList(service: WireService, shape: Shape, given: readonly unknown[]): unknown[] {
  const item = shape.value;
  return given.map((value) => (value === null && shape.isSparse ? null : readJson(service, item, value)));
}

function readMap(service: WireService, shape: Shape, given: Record<string, unknown>): object {
  const read: Record<string, unknown> = {};
  const item = shape.value;
  for (const [key, value] of Object.entries(given)) {
    if (value !== null) setOwn(read, key, readJson(service, item, value));
    else if (shape.isSparse) setOwn(read, key, null);
  }
  return read;
}

const LIST_UNEXPECTED = "Start of list found where not expected";

/** AWS's words for the kinds of JSON's values and of the model's shapes. */
export function mismatch(shape: Pick<Shape, "kind">, value: unknown): string {
  if (Array.isArray(value)) return LIST_UNEXPECTED;
  if (isJsonObject(value)) return "Start of structure or map found where not expected.";
  const wanted = { string: "a String", number: "an Integer", boolean: "a Boolean", blob: "a Blob", timestamp: "a Timestamp" } as const;
  const found = value === null ? "NULL_VALUE" : value === true ? "TRUE_VALUE" : value === false ? "FALSE_VALUE" : typeof value === "number" ? "NUMBER_VALUE" : "STRING_VALUE";
  return shape.kind in wanted ? `${found} can not be converted to ${wanted[shape.kind as keyof typeof wanted]}` : "Unexpected field type"; // `in` was just asked
}

/**
 * What `JSON.stringify` is to be given for an output: the model's members alone, blobs as base64, timestamps as the model says.
 *
 * @param value as an operation answers it
 */
export function jsonOf(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case "structure":
    case "union":
      return membersJson(shape.members, value as Record<string, unknown>); // an operation's output has the SDK's type
    case "list":
      return (value as readonly unknown[]).map((item) => (item === null || item === undefined ? null : jsonOf(shape.value, item))); // as above
    case "map":
      return mapJson(shape, value as Record<string, unknown>); // as above
    case "blob":
      return encodeBase64(value);
    case "timestamp":
      return types.isDate(value) ? formatTimestamp(value, shape.timestampFormat ?? "epoch-seconds") : value;
    case "number":
      return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
    default:
      return value;
  }
}

/** As `jsonOf`, for some of a structure's members. */
export function membersJson(members: Shape["members"], value: Readonly<Record<string, unknown>>): object {
  const json: Record<string, unknown> = {};
  for (const { name, shape } of members) {
    const member = value[name];
    if (member !== undefined && member !== null) json[name] = jsonOf(shape, member);
  }
  return json;
}

function mapJson(shape: Shape, value: Readonly<Record<string, unknown>>): object {
  const json: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || (item === null && !shape.isSparse)) continue;
    setOwn(json, key, item === null ? null : jsonOf(shape.value, item));
  }
  return json;
}
