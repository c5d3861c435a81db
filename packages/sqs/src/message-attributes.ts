import type { MessageAttributeValue, MessageSystemAttributeValue } from "@aws-sdk/client-sqs";
import { INVALID_CHARACTERS, invalidParameter, sqsError } from "./errors.js";
import { givenEntries } from "./given.js";
import { MESSAGE_ATTRIBUTE_NAME_MAX_BYTES, MESSAGE_ATTRIBUTES_MAX } from "./limits.js";
import { md5 } from "./digest.js";
import { hasInvalidCharacters } from "./message-text.js";
import type { MessageAttribute } from "./state.js";

const TYPE = /^(String|Number|Binary)(\.|$)/;
const RESERVED_NAME = /^(aws|amazon)\.|^\.|\.$/i;
// AWS accepts letters beyond ASCII, though its documentation does not say so.
const NAME = /^[\p{L}\p{N}_.-]+$/u;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Checks and copies the attributes a user gives a message.
 *
 * @returns sorted by name, in the order of their bytes
 * @throws InvalidParameterValue
 */
export function readMessageAttributes(given: Record<string, MessageAttributeValue> | undefined): readonly MessageAttribute[] {
  if (given === undefined) return [];
  const entries = givenEntries(given);
  if (entries.length > MESSAGE_ATTRIBUTES_MAX) {
    throw sqsError("InvalidParameterValue", `Number of message attributes [${entries.length}] exceeds the allowed maximum [${MESSAGE_ATTRIBUTES_MAX}].`);
  }
  for (const [name] of entries) checkName(name);
  return sortByName(entries.map(([name, value]) => readAttribute(name, value)));
}

/** Checks the system attributes a user gives a message, of which there is one. */
export function readSystemAttributes(given: Record<string, MessageSystemAttributeValue> | undefined): readonly MessageAttribute[] {
  return givenEntries(given).map(([name, value]) => {
    if (name !== "AWSTraceHeader") throw sqsError("InvalidParameterValue", `Message system attribute name '${name}' is invalid.`);
    if (value.DataType !== "String") throw sqsError("InvalidParameterValue", `Message system attribute '${name}' must be of type 'String'.`);
    return readAttribute(name, value);
  });
}

function checkName(name: string): void {
  if (Buffer.byteLength(name) > MESSAGE_ATTRIBUTE_NAME_MAX_BYTES) {
    throw sqsError("InvalidParameterValue", `Message (user) attribute name '${name}' must be shorter than ${MESSAGE_ATTRIBUTE_NAME_MAX_BYTES} bytes.`);
  }
  if (RESERVED_NAME.test(name) || !NAME.test(name)) {
    throw sqsError("InvalidParameterValue", `Message (user) attribute name '${name}' is invalid.`);
  }
}

function readAttribute(name: string, { DataType, StringValue, BinaryValue, StringListValues, BinaryListValues }: MessageAttributeValue): MessageAttribute {
  const kind = TYPE.exec(DataType ?? "")?.[1];
  if (DataType === undefined || DataType === "") throw sqsError("InvalidParameterValue", `Message (user) attribute '${name}' must contain a non-empty attribute type.`);
  if (kind === undefined || Buffer.byteLength(DataType) > MESSAGE_ATTRIBUTE_NAME_MAX_BYTES) {
    throw sqsError("InvalidParameterValue", `The type of message (user) attribute '${name}' is invalid. You must use only the following supported type prefixes: Binary, Number, String.`);
  }
  if ((StringListValues?.length ?? 0) > 0 || (BinaryListValues?.length ?? 0) > 0) {
    throw sqsError("InvalidParameterValue", "Message attribute list values in SendMessage operation are not supported.");
  }
  const value = kind === "Binary" ? toBytes(BinaryValue) : StringValue;
  if (value === undefined || value.length === 0) {
    throw sqsError("InvalidParameterValue", `Message (user) attribute '${name}' must contain a non-empty value of type '${kind}'.`);
  }
  if (typeof value !== "string") return { name, dataType: DataType, value };
  if (hasInvalidCharacters(value)) throw invalidParameter(name, value, INVALID_CHARACTERS);
  if (kind === "Number" && !NUMBER.test(value)) {
    throw sqsError("InvalidParameterValue", `Can't cast the value of message (user) attribute '${name}' to a number.`);
  }
  return { name, dataType: DataType, value };
}

/** A copy. Text, which the SDK's types do not have here, is UTF-8 as SDK clients send it. */
function toBytes(value: Uint8Array | string | undefined): Uint8Array | undefined {
  return value === undefined ? undefined : new Uint8Array(typeof value === "string" ? Buffer.from(value) : value);
}

function sortByName(attributes: MessageAttribute[]): MessageAttribute[] {
  return attributes.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

const STRING_VALUE = Buffer.from([1]);
const BINARY_VALUE = Buffer.from([2]);

/**
 * The MD5 that SDKs check, over attributes sorted by name (Developer Guide, "Amazon SQS message metadata").
 * `undefined` when there are none.
 */
export function attributesMd5(attributes: readonly MessageAttribute[]): string | undefined {
  if (attributes.length === 0) return undefined;
  const pieces: Uint8Array[] = [];
  for (const { name, dataType, value } of attributes) {
    pieces.push(...withLength(name), ...withLength(dataType));
    pieces.push(typeof value === "string" ? STRING_VALUE : BINARY_VALUE, ...withLength(value));
  }
  return md5(Buffer.concat(pieces));
}

function withLength(value: string | Uint8Array): [Uint8Array, Uint8Array] {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}

/** The attributes that a receive asked for: `All`, `.*` or `*`, a name, or a beginning such as `order.*`. */
export function selectAttributes(attributes: readonly MessageAttribute[], asked: readonly string[]): readonly MessageAttribute[] {
  if (attributes.length === 0 || asked.length === 0) return [];
  if (asked.some((name) => name === "All" || name === ".*" || name === "*")) return attributes;
  const beginnings = asked.filter((name) => name.endsWith(".*")).map((name) => name.slice(0, -1));
  return attributes.filter(({ name }) => asked.includes(name) || beginnings.some((beginning) => name.startsWith(beginning)));
}

/** As a receive answers them. */
export function renderAttributes(attributes: readonly MessageAttribute[]): Record<string, MessageAttributeValue> {
  return Object.fromEntries(attributes.map(({ name, dataType, value }) => [name, typeof value === "string" ? { StringValue: value, DataType: dataType } : { BinaryValue: new Uint8Array(value), DataType: dataType }]));
}
