import { isWholeNumber } from "./checks.js";
import { invalidParameter, sqsError } from "./errors.js";
import { LIST_PAGE_MAX } from "./limits.js";
import type { Queue } from "./state.js";

interface PageInput {
  readonly MaxResults?: number | undefined;
  readonly NextToken?: string | undefined;
}

export interface QueuePage {
  readonly urls: string[];
  readonly nextToken: string | undefined;
}

/**
 * One page of queues, by name. There is a token only where `MaxResults` was given and more remain.
 *
 * @throws InvalidParameterValue
 */
export function pageOf(queues: readonly Queue[], { MaxResults, NextToken }: PageInput): QueuePage {
  if (MaxResults !== undefined && !isWholeNumber(MaxResults, 1, LIST_PAGE_MAX)) {
    throw invalidParameter("MaxResults", MaxResults, `Must be between 1 and ${LIST_PAGE_MAX}, if provided.`);
  }
  const urls = queues.map(({ url }) => url).sort();
  const after = NextToken === undefined || NextToken === "" ? "" : readToken(NextToken);
  const start = urls.findIndex((url) => url > after);
  const rest = start === -1 ? [] : urls.slice(start);
  const page = rest.slice(0, MaxResults ?? LIST_PAGE_MAX);
  const last = page.at(-1);
  const hasMore = MaxResults !== undefined && rest.length > page.length;
  return { urls: page, nextToken: hasMore && last !== undefined ? Buffer.from(last).toString("base64") : undefined };
}

/** A token is the last URL of the page before it, in base64. */
function readToken(token: string): string {
  const url = Buffer.from(token, "base64").toString();
  if (!url.startsWith("https://")) throw sqsError("InvalidParameterValue", "Invalid or expired next token.");
  return url;
}
