import { matchesPattern, parseFilterPattern } from "./filter-pattern.js";

/**
 * True when one of a mapping's filters wants a message. SQS mappings look at the body alone: a body that is JSON is matched as what it
 * says, any other as text, and neither matches a pattern of the other sort (developer guide, with-sqs-filtering).
 *
 * @param patterns JSON texts that were checked when the mapping was made
 */
export function isWanted(patterns: readonly string[], body: string): boolean {
  const parsed = parsedBody(body);
  return patterns.some((text) => {
    const pattern = parseFilterPattern(text);
    if (pattern === undefined) return false;
    if (!("body" in pattern)) return true;
    const { body: wanted } = pattern;
    return matchesPattern({ body: wanted }, { body: Array.isArray(wanted) ? textOnly(parsed, body) : parsed });
  });
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
