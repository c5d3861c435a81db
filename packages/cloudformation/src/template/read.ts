import { types } from "node:util";
import { templateFormatError, validationError } from "../errors.js";
import { readJson } from "./read-json.js";
import { readYaml } from "./read-yaml.js";

/** A template's text, and the plain data it says. */
export interface ReadTemplate {
  /** As it was given; for an object, as JSON. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Reads a template: an object, or JSON or YAML text. The object is not kept.
 *
 * @throws ValidationError for text that is neither, with line and column
 */
export function readTemplate(template: string | object): ReadTemplate {
  const text = typeof template === "string" ? template : JSON.stringify(template, dateAsText);
  const body = typeof template !== "string" || text.trimStart().startsWith("{") ? readJson(text) : readYaml(text);
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw templateFormatError("unsupported structure.");
  refuseNulls(body);
  return { text, body: body as Record<string, unknown> }; // an object that is neither null nor an array
}

/** A YAML reader of the user's may have taken an unquoted `2012-10-17` for a date; CloudFormation does not. */
function dateAsText(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key]; // JSON.stringify calls this with the object that holds the key
  return types.isDate(original) ? original.toISOString().replace(/T00:00:00\.000Z$/, "") : value;
}

function refuseNulls(value: unknown): void {
  const path = pathToNull(value);
  if (path !== undefined) throw validationError(`[${path}] 'null' values are not allowed in templates`);
}

/** Where the first null stands; the path is only put together when there is one. */
function pathToNull(value: unknown): string | undefined {
  if (value === null) return "";
  if (typeof value !== "object") return undefined;
  for (const key in value) {
    const below = pathToNull((value as Record<string, unknown>)[key]);
    if (below !== undefined) return `/${key}${below}`;
  }
  return undefined;
}
