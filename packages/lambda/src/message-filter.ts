import { matchesPattern, parseFilterPattern } from "./filter-pattern.js";

/**
 * True when one of a mapping's filters wants a message. A pattern is matched against the event's record: a body that is JSON as what it
 * says, any other as text, and neither matches a pattern of the other sort (developer guide, with-sqs-filtering). The guide promises
 * the `body` alone; AWS looks at the record's other keys (`messageAttributes`) just as well.
 *
 * @param patterns JSON texts that were checked when the mapping was made
 * @param record the record as the function would get it
 */
export function isWanted(patterns: readonly string[], record: FilteredRecord): boolean {
  const parsed = parsedBody(record.body);
  return patterns.some((text) => {
    const pattern = parseFilterPattern(text);
    return pattern !== undefined && matchesPattern(pattern, { ...record, body: Array.isArray(pattern["body"]) ? textOnly(parsed, record.body) : parsed });
  });
}

/** What filters look at: an event's record. */
export interface FilteredRecord {
  readonly body: string;
  readonly messageAttributes?: Readonly<Record<string, unknown>>;
}

/** A pattern for text does not match a body that is JSON. */
function textOnly(parsed: unknown, body: string): unknown {
  return parsed === undefined ? body : undefined;
}

function parsedBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // the body is plain text
  }
}
