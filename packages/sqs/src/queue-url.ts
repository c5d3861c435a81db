import { parseArn, partitionOf, urlSuffixOf, type Scope } from "@sandstack/core";

export function queueUrl(scope: Scope, name: string): string {
  return `https://sqs.${scope.region}.${urlSuffixOf(scope.region)}/${scope.accountId}/${name}`;
}

export function queueArn(scope: Scope, name: string): string {
  return `arn:${partitionOf(scope.region)}:sqs:${scope.region}:${scope.accountId}:${name}`;
}

/** As the names of FIFO queues, and of no others, end. */
export const FIFO_SUFFIX = ".fifo";

/** True for the name or the ARN of a FIFO queue. */
export function isFifoName(name: string): boolean {
  return name.endsWith(FIFO_SUFFIX);
}

/** What a queue URL names. */
export interface QueueAddress {
  readonly accountId: string;
  readonly name: string;
}

const ACCOUNT_ID = /^\d{12}$/;
const ACCOUNT_ID_LENGTH = 12;
const SLASH = 47;

/** Reads the last two segments of a queue URL, whatever stands before them. `undefined` when they are no account and name. */
export function readQueueUrl(url: string): QueueAddress | undefined {
  // Every call of an operation comes here: characters are looked at one by one, which is cheaper than splitting or matching.
  let nameAt = url.length;
  while (nameAt > 0 && url.charCodeAt(nameAt - 1) !== SLASH) nameAt -= 1;
  const accountAt = nameAt - 1 - ACCOUNT_ID_LENGTH;
  if (nameAt === url.length || accountAt < 1 || url.charCodeAt(accountAt - 1) !== SLASH) return undefined;
  for (let at = accountAt; at < nameAt - 1; at++) if (!isDigit(url.charCodeAt(at))) return undefined;
  return { accountId: url.slice(accountAt, nameAt - 1), name: url.slice(nameAt) };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The account, region and name in a queue's ARN, or `undefined` when `arn` is none. */
export function readQueueArn(arn: string): (Scope & { readonly name: string }) | undefined {
  const parts = parseArn(arn);
  if (parts === undefined || parts.service !== "sqs" || parts.region === "" || !ACCOUNT_ID.test(parts.accountId) || parts.resource === "") return undefined;
  return { accountId: parts.accountId, region: parts.region, name: parts.resource };
}
