import { parseArn, partitionOf, urlSuffixOf, type Scope } from "@sandstack/core";

export function queueUrl(scope: Scope, name: string): string {
  return `https://sqs.${scope.region}.${urlSuffixOf(scope.region)}/${scope.accountId}/${name}`;
}

export function queueArn(scope: Scope, name: string): string {
  return `arn:${partitionOf(scope.region)}:sqs:${scope.region}:${scope.accountId}:${name}`;
}

/** What a queue URL names. */
export interface QueueAddress {
  readonly accountId: string;
  readonly name: string;
}

const ACCOUNT_ID = /^\d{12}$/;

/** Reads the last two segments of a queue URL, whatever stands before them. `undefined` when they are no account and name. */
export function readQueueUrl(url: string): QueueAddress | undefined {
  const nameAt = url.lastIndexOf("/") + 1;
  const accountAt = url.lastIndexOf("/", nameAt - 2) + 1;
  const accountId = url.slice(accountAt, Math.max(accountAt, nameAt - 1));
  if (accountAt === 0 || nameAt === url.length || !ACCOUNT_ID.test(accountId)) return undefined;
  return { accountId, name: url.slice(nameAt) };
}

/** The account, region and name in a queue's ARN, or `undefined` when `arn` is none. */
export function readQueueArn(arn: string): (Scope & { readonly name: string }) | undefined {
  const parts = parseArn(arn);
  if (parts === undefined || parts.service !== "sqs" || parts.region === "" || !ACCOUNT_ID.test(parts.accountId) || parts.resource === "") return undefined;
  return { accountId: parts.accountId, region: parts.region, name: parts.resource };
}
