import { invalidAttributeValue, invalidParameter, NO_SUCH_ACTION, sqsError } from "./errors.js";
import { PERMISSION_ACTIONS_MAX, POLICY_MAX_BYTES, POLICY_STATEMENTS_MAX, STATEMENT_CONDITIONS_MAX, STATEMENT_PRINCIPALS_MAX } from "./limits.js";

const VERSIONS: readonly unknown[] = [undefined, "2008-10-17", "2012-10-17"];

/**
 * Checks that `text` is a resource policy in form: what each statement means, IAM decides when a call is authorized.
 *
 * @returns the text
 * @throws InvalidAttributeValue for what is no policy, InvalidParameterValue for an action that cannot be granted by itself
 * @throws OverLimit (403) for a policy of more than 8,192 bytes or 20 statements, or a statement of more than seven actions, 50
 * principals or ten conditions
 */
export function checkQueuePolicy(text: string): string {
  const policy = parse(text);
  if (!isPolicy(policy)) throw invalidAttributeValue("Policy");
  if (Buffer.byteLength(text) > POLICY_MAX_BYTES) throw sqsError("OverLimit", "Submitted policy is over max allowed size.");
  const statements = statementsOf(policy);
  checkQuota(statements.length, "statements", "the submitted policy", POLICY_STATEMENTS_MAX);
  for (const statement of statements) checkStatement(statement);
  return text;
}

/** Actions that the API has and IAM has not: they are granted as the single action. */
const BATCH_ACTION = /^sqs:(ChangeMessageVisibility|DeleteMessage|SendMessage)Batch$/i;

function checkStatement({ Action, Principal, Condition }: Record<string, unknown>): void {
  const actions = listOf(Action);
  const where = "a statement from the submitted policy";
  checkQuota(actions.length, "actions", where, PERMISSION_ACTIONS_MAX);
  checkQuota(valuesOf(Principal).flatMap(listOf).length, "principals", where, STATEMENT_PRINCIPALS_MAX);
  checkQuota(valuesOf(Condition).flatMap((keys) => (isObject(keys) ? Object.keys(keys) : [])).length, "conditions", where, STATEMENT_CONDITIONS_MAX);
  for (const action of actions) {
    if (typeof action === "string" && BATCH_ACTION.test(action)) throw invalidParameter("ActionName", action, NO_SUCH_ACTION);
  }
}

function checkQuota(count: number, what: string, where: string, most: number): void {
  if (count > most) throw sqsError("OverLimit", `${count} ${what} were found in ${where}, max allowed is ${most}`);
}

/** One may stand without a list. */
function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function valuesOf(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value) : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON, so no policy
  }
}

function isPolicy(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || !VERSIONS.includes(value.Version)) return false;
  const statements = statementsOf(value);
  return statements.length > 0 && statements.every(isStatement);
}

function statementsOf({ Statement }: Record<string, unknown>): Record<string, unknown>[] {
  return listOf(Statement) as Record<string, unknown>[]; // `isStatement` looks at each
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
