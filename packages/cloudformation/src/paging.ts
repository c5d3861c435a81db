import { validationError } from "./errors.js";
import { PAGE_SIZE } from "./limits.js";

/** One page of a list, and the token of the next. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly NextToken: string | undefined;
}

/** @throws ValidationError for a token that no page gave */
export function pageOf<T>(items: readonly T[], token: string | undefined, size = PAGE_SIZE): Page<T> {
  const from = token === undefined ? 0 : Number(Buffer.from(token, "base64").toString("utf8"));
  if (!Number.isInteger(from) || from < 0 || (token !== undefined && from === 0)) throw validationError("Invalid NextToken.");
  const to = from + size;
  return { items: items.slice(from, to), NextToken: to < items.length ? Buffer.from(String(to)).toString("base64") : undefined };
}
