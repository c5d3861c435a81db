import { invalidAttributeValue, invalidParameter, sqsError } from "./errors.js";
import {
  DELAY_MAX_SECONDS,
  MAX_RECEIVE_COUNT_MAX,
  MESSAGE_MAX_BYTES,
  REDRIVE_SOURCES_MAX,
  RETENTION_MAX_SECONDS,
  RETENTION_MIN_SECONDS,
  VISIBILITY_TIMEOUT_MAX_SECONDS,
  WAIT_TIME_MAX_SECONDS,
} from "./limits.js";
import { checkQueuePolicy } from "./queue-policy.js";
import { readQueueArn } from "./queue-url.js";
import type { DeduplicationScope, FifoThroughputLimit, QueueAttributes, RedriveAllowPolicy, RedrivePolicy } from "./state.js";

/** An attribute that users set: how its text is read and written, and what holds while it is not set. */
export interface AttributeRule<Value> {
  /** Absent where an attribute that is not set does not show. */
  readonly fallback?: Value;
  /**
   * The value of a text; `undefined` takes the attribute off.
   *
   * @throws AWS's error for a text that is no value of this attribute
   */
  read(text: string): Value | undefined;
  write(value: Value): string;
}

export type AttributeName = keyof QueueAttributes;

/** The attributes that users set, with their ranges and defaults (API reference, SetQueueAttributes). */
export const ATTRIBUTE_RULES: { readonly [Name in AttributeName]-?: AttributeRule<NonNullable<QueueAttributes[Name]>> } = {
  DelaySeconds: wholeNumber("DelaySeconds", 0, DELAY_MAX_SECONDS, 0),
  MaximumMessageSize: wholeNumber("MaximumMessageSize", 1_024, MESSAGE_MAX_BYTES, MESSAGE_MAX_BYTES),
  MessageRetentionPeriod: wholeNumber("MessageRetentionPeriod", RETENTION_MIN_SECONDS, RETENTION_MAX_SECONDS, 345_600),
  ReceiveMessageWaitTimeSeconds: wholeNumber("ReceiveMessageWaitTimeSeconds", 0, WAIT_TIME_MAX_SECONDS, 0),
  VisibilityTimeout: wholeNumber("VisibilityTimeout", 0, VISIBILITY_TIMEOUT_MAX_SECONDS, 30),
  Policy: { read: (text) => (text === "" ? undefined : checkQueuePolicy(text)), write: (text) => text },
  RedrivePolicy: { read: readRedrivePolicy, write: (policy) => JSON.stringify(policy) },
  RedriveAllowPolicy: { read: readRedriveAllowPolicy, write: (policy) => JSON.stringify(policy) },
  KmsMasterKeyId: { read: (text) => (text === "" ? undefined : text), write: (text) => text },
  // AWS's default is 300, but it does not show an attribute that was not set.
  KmsDataKeyReusePeriodSeconds: wholeNumber("KmsDataKeyReusePeriodSeconds", 60, 86_400),
  SqsManagedSseEnabled: { fallback: true, read: (text) => readBoolean("SqsManagedSseEnabled", text), write: String },
  FifoQueue: { read: readFifoQueue, write: String },
  ContentBasedDeduplication: { fallback: false, read: (text) => readBoolean("ContentBasedDeduplication", text), write: String },
  DeduplicationScope: oneOf<DeduplicationScope>("DeduplicationScope", ["queue", "messageGroup"]),
  FifoThroughputLimit: oneOf<FifoThroughputLimit>("FifoThroughputLimit", ["perQueue", "perMessageGroupId"]),
};

/** The attributes that only FIFO queues have: AWS does not know them on others. */
export const FIFO_ATTRIBUTES: ReadonlySet<string> = new Set(["FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"] satisfies AttributeName[]);

/** A word of a few; the first is the default. */
function oneOf<Word extends string>(name: string, words: readonly Word[]): AttributeRule<Word> {
  return {
    fallback: words[0]!, // there are some
    write: (word) => word,
    read(text) {
      const word = words.find((each) => each === text);
      if (word === undefined) throw invalidAttributeValue(name);
      return word;
    },
  };
}

/** A FIFO queue is one from the start and stays one. */
function readFifoQueue(text: string): boolean {
  if (readBoolean("FifoQueue", text)) return true;
  throw sqsError("InvalidAttributeValue", "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.");
}

function wholeNumber(name: string, least: number, most: number, fallback?: number): AttributeRule<number> {
  return {
    fallback,
    write: String,
    read(text) {
      const value = Number(text);
      if (!/^\d+$/.test(text) || value < least || value > most) throw invalidAttributeValue(name);
      return value;
    },
  };
}

/** AWS takes `True` as well as `true`. */
function readBoolean(name: string, text: string): boolean {
  const lower = text.toLowerCase();
  if (lower !== "true" && lower !== "false") throw invalidAttributeValue(name);
  return lower === "true";
}

function readRedrivePolicy(text: string): RedrivePolicy | undefined {
  if (text === "") return undefined;
  const invalid = (reason: string): Error => invalidParameter("RedrivePolicy", text, reason);
  const policy = readJsonObject(text);
  if (policy === undefined) throw invalid("Redrive policy is not a valid JSON map.");
  const { deadLetterTargetArn, maxReceiveCount } = policy;
  if (deadLetterTargetArn === undefined) throw invalid("Redrive policy does not contain mandatory attribute: deadLetterTargetArn.");
  if (maxReceiveCount === undefined) throw invalid("Redrive policy does not contain mandatory attribute: maxReceiveCount.");
  // Templates and SDKs give the number as text, too.
  const count = typeof maxReceiveCount === "string" && /^\d+$/.test(maxReceiveCount) ? Number(maxReceiveCount) : maxReceiveCount;
  if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > MAX_RECEIVE_COUNT_MAX) {
    const shown = typeof maxReceiveCount === "string" ? maxReceiveCount : JSON.stringify(maxReceiveCount);
    throw invalid(`Invalid value for maxReceiveCount: ${shown}, valid values are from 1 to ${MAX_RECEIVE_COUNT_MAX} both inclusive.`);
  }
  if (typeof deadLetterTargetArn !== "string" || readQueueArn(deadLetterTargetArn) === undefined) throw invalid("Invalid value for deadLetterTargetArn.");
  return { deadLetterTargetArn, maxReceiveCount: count };
}

function readRedriveAllowPolicy(text: string): RedriveAllowPolicy | undefined {
  if (text === "") return undefined;
  const invalid = (reason: string): Error => invalidParameter("RedriveAllowPolicy", text, reason);
  const policy = readJsonObject(text);
  if (policy === undefined) throw invalid("Amazon SQS can't create the redrive allow policy, as it's in an unsupported format.");
  const { redrivePermission, sourceQueueArns } = policy;
  switch (redrivePermission) {
    case "allowAll":
    case "denyAll":
      if (sourceQueueArns !== undefined) throw invalid("sourceQueueArns can only be specified when redrivePermission is byQueue.");
      return { redrivePermission };
    case "byQueue":
      if (!isListOfQueueArns(sourceQueueArns)) throw invalid(`sourceQueueArns must hold 1 to ${REDRIVE_SOURCES_MAX} queue ARNs when redrivePermission is byQueue.`);
      return { redrivePermission, sourceQueueArns: [...sourceQueueArns] };
    default:
      throw invalid("redrivePermission must be allowAll, denyAll or byQueue.");
  }
}

function isListOfQueueArns(value: unknown): value is string[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= REDRIVE_SOURCES_MAX && value.every((arn) => typeof arn === "string" && readQueueArn(arn) !== undefined);
}

function readJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined; // an object that is no array has named members
  } catch {
    return undefined; // the caller answers AWS's error for text that is no JSON
  }
}
