import { iamError, validationError } from "./errors.js";
import { LEAST_MAX_SESSION_SECONDS, MAX_NAME_LENGTH, MAX_TAGS, MOST_SESSION_SECONDS } from "./limits.js";

const NAME = /^[\w+=,.@-]+$/;
const PATH = /^\/$|^\/[\u0021-\u007e]+\/$/;

/** `1 validation error detected: Value 'x' at 'roleName' failed to satisfy constraint: Member must …`. */
export function constraintMessage(member: string, value: unknown, constraint: string): string {
  const shown = value === undefined || value === null ? "null" : `'${String(value)}'`;
  return `1 validation error detected: Value ${shown} at '${member}' failed to satisfy constraint: Member must ${constraint}`;
}

/** @throws ValidationError when a required member is missing */
export function required<T>(member: string, value: T | undefined): T {
  if (value === undefined || value === null) throw validationError(constraintMessage(member, value, "not be null"));
  return value;
}

/** @throws ValidationError outside the length's bounds */
export function checkLength(member: string, value: string, least: number, most: number): void {
  if (value.length < least) throw validationError(constraintMessage(member, value, `have length greater than or equal to ${least}`));
  if (value.length > most) throw validationError(constraintMessage(member, value, `have length less than or equal to ${most}`));
}

/** @throws ValidationError for a name that IAM refuses */
export function checkName(kind: keyof typeof MAX_NAME_LENGTH, value: string | undefined): string {
  const member = `${kind}Name`;
  const name = required(member, value);
  checkLength(member, name, 1, MAX_NAME_LENGTH[kind]);
  if (!NAME.test(name)) throw validationError(`The specified value for ${member} is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-`);
  return name;
}

/** @throws ValidationError for a path that IAM refuses; the default is `/` */
export function checkPath(path: string = "/"): string {
  checkLength("path", path, 1, 512);
  if (!PATH.test(path)) {
    throw validationError("The specified value for path is invalid. It must begin and end with / and contain only alphanumeric characters and/or / characters.");
  }
  return path;
}

/** @throws ValidationError outside one to twelve hours */
export function checkMaxSessionDuration(seconds: number): number {
  if (seconds < LEAST_MAX_SESSION_SECONDS) throw validationError(constraintMessage("maxSessionDuration", seconds, `have value greater than or equal to ${LEAST_MAX_SESSION_SECONDS}`));
  if (seconds > MOST_SESSION_SECONDS) throw validationError(constraintMessage("maxSessionDuration", seconds, `have value less than or equal to ${MOST_SESSION_SECONDS}`));
  return seconds;
}

/** The ARN of a managed policy, well-formed. @throws ValidationError, InvalidInputException */
export function checkPolicyArn(value: string | undefined, member = "policyArn"): string {
  const arn = required(member, value);
  checkLength(member, arn, 20, 2_048);
  if (!/^arn:aws[\w-]*:iam::(aws|\d{12}):policy\/.+$/.test(arn)) throw iamError("InvalidInputException", `ARN ${arn} is not valid.`);
  return arn;
}

export interface TagInput {
  readonly Key: string | undefined;
  readonly Value: string | undefined;
}

/**
 * Tags as they are to be kept. CloudFormation's own tags are let pass; others that begin with `aws:` belong to AWS.
 *
 * @throws InvalidInputException for a key given twice or AWS's own, LimitExceededException for too many
 */
export function checkTags(tags: readonly TagInput[] = [], present: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const checked = new Map<string, string>();
  const seen = new Set<string>();
  for (const [index, tag] of tags.entries()) {
    const key = required(`tags.${index + 1}.member.key`, tag.Key);
    const value = required(`tags.${index + 1}.member.value`, tag.Value);
    checkLength(`tags.${index + 1}.member.key`, key, 1, 128);
    checkLength(`tags.${index + 1}.member.value`, value, 0, 256);
    if (/^aws:(?!cloudformation:)/i.test(key)) throw iamError("InvalidInputException", "Caller is an end user and not allowed to mutate system tags");
    if (seen.has(key.toLowerCase())) throw iamError("InvalidInputException", "Duplicate tag keys found. Please note that Tag keys are case insensitive.");
    seen.add(key.toLowerCase());
    checked.set(key, value);
  }
  const count = checked.size + [...present.keys()].filter((key) => !seen.has(key.toLowerCase())).length;
  if (count > MAX_TAGS) throw iamError("LimitExceededException", "The number of tags has reached the maximum limit.");
  return checked;
}

/** Puts tags onto an entity; a key is the same whatever its case. */
export function putTags(present: Map<string, string>, tags: ReadonlyMap<string, string>): void {
  for (const [key, value] of tags) {
    for (const other of present.keys()) if (other.toLowerCase() === key.toLowerCase()) present.delete(other);
    present.set(key, value);
  }
}

export function tagsOutput(tags: ReadonlyMap<string, string>): { Key: string; Value: string }[] {
  return [...tags].map(([Key, Value]) => ({ Key, Value }));
}
