import { invalidAttributeValue } from "./errors.js";

const VERSIONS: readonly unknown[] = [undefined, "2008-10-17", "2012-10-17"];

/**
 * Checks that `text` is a resource policy in form: what each statement means, IAM decides when a call is authorized.
 *
 * @returns the text
 * @throws InvalidAttributeValue
 */
export function checkQueuePolicy(text: string): string {
  if (!isPolicy(parse(text))) throw invalidAttributeValue("Policy");
  return text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON, so no policy
  }
}

function isPolicy(value: unknown): boolean {
  if (!isObject(value) || !VERSIONS.includes(value.Version)) return false;
  const statements = Array.isArray(value.Statement) ? value.Statement : [value.Statement];
  return statements.length > 0 && statements.every(isStatement);
}

function isStatement(value: unknown): boolean {
  if (!isObject(value) || (value.Effect !== "Allow" && value.Effect !== "Deny")) return false;
  return hasOne(value, "Principal", "NotPrincipal") && hasOne(value, "Action", "NotAction") && !(has(value, "Resource") && has(value, "NotResource"));
}

function hasOne(statement: Record<string, unknown>, name: string, opposite: string): boolean {
  return has(statement, name) !== has(statement, opposite);
}

function has(statement: Record<string, unknown>, name: string): boolean {
  return statement[name] !== undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
