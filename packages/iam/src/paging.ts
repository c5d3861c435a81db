import { constraintMessage } from "./checks.js";
import { validationError } from "./errors.js";
import { DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS } from "./limits.js";

/** One page of a list, and where the next begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly more: { readonly IsTruncated: boolean; readonly Marker?: string };
}

/** Cuts a page out of a list that is in a fixed order. @throws ValidationError for a marker that is none, or a number of items out of bounds */
export function pageOf<T>(list: readonly T[], { Marker, MaxItems = DEFAULT_PAGE_ITEMS }: { Marker?: string | undefined; MaxItems?: number | undefined }): Page<T> {
  if (MaxItems < 1) throw validationError(constraintMessage("maxItems", MaxItems, "have value greater than or equal to 1"));
  if (MaxItems > MAX_PAGE_ITEMS) throw validationError(constraintMessage("maxItems", MaxItems, `have value less than or equal to ${MAX_PAGE_ITEMS}`));
  const start = Marker === undefined ? 0 : Number(Buffer.from(Marker, "base64").toString());
  if (!Number.isInteger(start) || start < 0) throw validationError("Invalid Marker.");
  const end = start + MaxItems;
  const isTruncated = end < list.length;
  return { items: list.slice(start, end), more: isTruncated ? { IsTruncated: true, Marker: Buffer.from(String(end)).toString("base64") } : { IsTruncated: false } };
}

/** Entities in the order in which IAM lists them: by name. */
export function byName<T extends { readonly name: string }>(entities: Iterable<T>): T[] {
  return [...entities].sort((a, b) => (a.name < b.name ? -1 : 1));
}
