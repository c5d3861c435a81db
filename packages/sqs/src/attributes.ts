import { ATTRIBUTE_RULES, FIFO_ATTRIBUTES, type AttributeName, type AttributeRule } from "./attribute-rules.js";
import { sqsError, unknownAttribute } from "./errors.js";
import { givenEntries } from "./given.js";
import type { Queue, QueueAttributes } from "./state.js";
import { isFifo, visibleCount } from "./visible-messages.js";

/** The attributes SQS keeps by itself. */
const COMPUTED: ReadonlyMap<string, (queue: Queue) => string> = new Map([
  ["QueueArn", (queue: Queue) => queue.arn],
  ["ApproximateNumberOfMessages", (queue: Queue) => String(visibleCount(queue))],
  ["ApproximateNumberOfMessagesNotVisible", (queue: Queue) => String(queue.inFlight.length)],
  ["ApproximateNumberOfMessagesDelayed", (queue: Queue) => String(queue.delayed.length)],
  ["CreatedTimestamp", (queue: Queue) => toSeconds(queue.createdAtMs)],
  ["LastModifiedTimestamp", (queue: Queue) => toSeconds(queue.modifiedAtMs)],
]);

function toSeconds(epochMs: number): string {
  return String(Math.floor(epochMs / 1000));
}

/** Attributes as users give them. */
export type AttributeTexts = Readonly<Record<string, string | undefined>>;

/** What users ask to change: the new value, or `undefined` where the attribute is to be taken off. */
export type AttributeChanges = ReadonlyMap<AttributeName, unknown>;

type NumberAttribute = { [Name in AttributeName]-?: NonNullable<QueueAttributes[Name]> extends number ? Name : never }[AttributeName];

/** A number among a queue's attributes: what was set, or the default. */
export function numberOf(queue: Queue, name: NumberAttribute): number {
  return queue.attributes[name] ?? ATTRIBUTE_RULES[name].fallback ?? 0;
}

/** The names of all attributes that queues have, whoever sets them. */
export const QUEUE_ATTRIBUTES: ReadonlySet<string> = new Set([...COMPUTED.keys(), ...Object.keys(ATTRIBUTE_RULES)]);

function ruleOf(name: string): AttributeRule<unknown> | undefined {
  // Each rule reads and writes the values of its own attribute; a table over all of them cannot say so.
  return Object.hasOwn(ATTRIBUTE_RULES, name) ? (ATTRIBUTE_RULES[name as AttributeName] as AttributeRule<unknown>) : undefined;
}

/**
 * Reads the attributes a user wants set.
 *
 * @param options.forFifo whether the queue they are for is a FIFO queue
 * @param options.current what that queue has so far
 * @throws InvalidAttributeName, InvalidAttributeValue, InvalidParameterValue
 */
export function readAttributes(given: AttributeTexts, { forFifo, current = {} }: { readonly forFifo: boolean; readonly current?: QueueAttributes }): AttributeChanges {
  const texts = givenEntries(given);
  for (const [name] of texts) if (ruleOf(name) === undefined || (FIFO_ATTRIBUTES.has(name) && !forFifo)) throw unknownAttribute(name);
  const changes = new Map<AttributeName, unknown>();
  for (const [name, text] of texts) changes.set(name as AttributeName, ruleOf(name)?.read(String(text))); // it has a rule, so it is one
  if (changes.get("SqsManagedSseEnabled") === true && changes.get("KmsMasterKeyId") !== undefined) {
    throw sqsError("InvalidAttributeValue", "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE.");
  }
  checkThroughputLimit({ ...current, ...Object.fromEntries(changes) });
  return changes;
}

/** The throughput limit is per group only where the deduplication is, too (API reference, SetQueueAttributes). */
function checkThroughputLimit({ FifoThroughputLimit, DeduplicationScope }: QueueAttributes): void {
  if (FifoThroughputLimit !== "perMessageGroupId" || DeduplicationScope === "messageGroup") return;
  throw sqsError("InvalidAttributeValue", "Invalid value for the parameter FifoThroughputLimit. Reason: perMessageGroupId is allowed only when DeduplicationScope is messageGroup.");
}

export function setAttributes(queue: Queue, changes: AttributeChanges): void {
  for (const [name, value] of changes) setAttribute(queue.attributes, name, value);
  // Only one of the two kinds of encryption is on at a time.
  if (changes.get("KmsMasterKeyId") !== undefined) queue.attributes.SqsManagedSseEnabled = false;
  if (changes.get("SqsManagedSseEnabled") === true) {
    delete queue.attributes.KmsMasterKeyId;
    delete queue.attributes.KmsDataKeyReusePeriodSeconds;
  }
}

function setAttribute(attributes: QueueAttributes, name: AttributeName, value: unknown): void {
  if (value === undefined) delete attributes[name];
  else Object.assign(attributes, { [name]: value });
}

/**
 * The first of `changes` that differs from the queue's current value, if any: what AWS names when a queue of that name exists.
 */
export function firstDifference(queue: Queue, changes: AttributeChanges): AttributeName | undefined {
  for (const [name, value] of changes) {
    const rule = ruleOf(name);
    const wanted = value === undefined ? undefined : comparable(name, rule?.write(value));
    if (wanted !== comparable(name, attributeText(queue, name))) return name;
  }
  return undefined;
}

/** Policies are compared by what they say, not by their white space. */
function comparable(name: AttributeName, text: string | undefined): string | undefined {
  return name === "Policy" && text !== undefined ? JSON.stringify(JSON.parse(text)) : text;
}

/** An attribute as AWS answers it, or `undefined` while it has none. */
function attributeText(queue: Queue, name: string): string | undefined {
  const rule = ruleOf(name);
  if (rule === undefined) return COMPUTED.get(name)?.(queue);
  if (FIFO_ATTRIBUTES.has(name) && !isFifo(queue)) return undefined;
  const value = queue.attributes[name as AttributeName] ?? rule.fallback; // it has a rule, so it is one
  return value === undefined ? undefined : rule.write(value);
}

/**
 * The attributes asked for by name, or `All`.
 *
 * @throws InvalidAttributeName for a name AWS does not know
 */
export function renderQueueAttributes(queue: Queue, asked: readonly string[]): Record<string, string> {
  for (const name of asked) if (name !== "All" && !QUEUE_ATTRIBUTES.has(name)) throw unknownAttribute(name);
  const rendered: Record<string, string> = {};
  for (const name of asked.includes("All") ? QUEUE_ATTRIBUTES : asked) {
    const text = attributeText(queue, name);
    if (text !== undefined) rendered[name] = text;
  }
  return rendered;
}
