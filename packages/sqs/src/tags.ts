import type { ConditionContext } from "@sandstack/core";
import { sqsError } from "./errors.js";
import { TAG_KEY_MAX_LENGTH, TAG_VALUE_MAX_LENGTH, TAGS_MAX } from "./limits.js";

type Tags = Readonly<Record<string, string>>;

/** The condition keys of a request that gives tags. */
export function requestTagContext(tags: Tags | undefined): ConditionContext {
  const keys = Object.keys(tags ?? {});
  if (tags === undefined || keys.length === 0) return {};
  return { ...Object.fromEntries(keys.map((key) => [`aws:RequestTag/${key}`, tags[key]])), "aws:TagKeys": keys };
}

/** @throws InvalidParameterValue where `added` cannot be put on a queue with the tags `present` */
export function checkTags(queueName: string, present: ReadonlyMap<string, string>, added: Tags): void {
  for (const [key, value] of Object.entries(added)) {
    if (key.length < 1 || key.length > TAG_KEY_MAX_LENGTH) throw sqsError("InvalidParameterValue", `Tag keys must be between 1 and ${TAG_KEY_MAX_LENGTH} characters in length.`);
    if (value.length > TAG_VALUE_MAX_LENGTH) throw sqsError("InvalidParameterValue", `Tag values must be between 0 and ${TAG_VALUE_MAX_LENGTH} characters in length.`);
  }
  const keys = new Set([...present.keys(), ...Object.keys(added)]);
  if (keys.size > TAGS_MAX) throw sqsError("InvalidParameterValue", `Too many tags added for queue ${queueName}.`);
}
