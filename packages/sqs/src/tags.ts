import type { ConditionContext } from "@sandstack/core";
import { sqsError } from "./errors.js";
import { givenEntries } from "./given.js";
import { TAG_KEY_MAX_LENGTH, TAG_VALUE_MAX_LENGTH, TAGS_MAX } from "./limits.js";

type Tags = ReadonlyMap<string, string>;

export function readTags(given: Readonly<Record<string, string>> | undefined): Tags {
  return new Map(givenEntries(given));
}

/** The condition keys of a request that gives tags. */
export function requestTagContext(tags: Tags): ConditionContext {
  if (tags.size === 0) return {};
  return { ...Object.fromEntries([...tags].map(([key, value]) => [`aws:RequestTag/${key}`, value])), "aws:TagKeys": [...tags.keys()] };
}

/** @throws InvalidParameterValue where `added` cannot be put on a queue with the tags `present` */
export function checkTags(queueName: string, present: Tags, added: Tags): void {
  for (const [key, value] of added) {
    if (key.length < 1 || key.length > TAG_KEY_MAX_LENGTH) throw sqsError("InvalidParameterValue", `Tag keys must be between 1 and ${TAG_KEY_MAX_LENGTH} characters in length.`);
    if (value.length > TAG_VALUE_MAX_LENGTH) throw sqsError("InvalidParameterValue", `Tag values must be between 0 and ${TAG_VALUE_MAX_LENGTH} characters in length.`);
  }
  const keys = new Set([...present.keys(), ...added.keys()]);
  if (keys.size > TAGS_MAX) throw sqsError("InvalidParameterValue", `Too many tags added for queue ${queueName}.`);
}
