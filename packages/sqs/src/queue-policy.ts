import { invalidAttributeValue, invalidParameter, NO_SUCH_ACTION, sqsError } from "./errors.js";
import { PERMISSION_ACTIONS_MAX, POLICY_MAX_BYTES } from "./limits.js";

const VERSIONS: readonly unknown[] = [undefined, "2008-10-17", "2012-10-17"];

/**
 * Checks that `text` is a resource policy in form: what each statement means, IAM decides when a call is authorized.
 *
 * @returns the text
 * @throws InvalidAttributeValue for what is no policy, InvalidParameterValue for an action that cannot be granted by itself
 * @throws OverLimit (403) for a policy of more than 8,192 bytes, or a statement of more than seven actions
 */
export function checkQueuePolicy(text: string): string {
  const policy = parse(text);
  if (!isPolicy(policy)) throw invalidAttributeValue("Policy");
  if (Buffer.byteLength(text) > POLICY_MAX_BYTES) throw sqsError("OverLimit", "Submitted policy is over max allowed size.");
  for (const statement of statementsOf(policy)) checkActions(statement);
  return text;
}

/** Actions that the API has and IAM has not: they are granted as the single action. */
const BATCH_ACTION = /^sqs:(ChangeMessageVisibility|DeleteMessage|SendMessage)Batch$/i;

function checkActions({ Action = [] }: Record<string, unknown>): void {
  const actions: unknown[] = Array.isArray(Action) ? Action : [Action];
  if (actions.length > PERMISSION_ACTIONS_MAX) {
    throw sqsError("OverLimit", `${actions.length} actions were found in a statement from the submitted policy, max allowed is ${PERMISSION_ACTIONS_MAX}`);
  }
  for (const action of actions) {
    if (typeof action === "string" && BATCH_ACTION.test(action)) throw invalidParameter("ActionName", action, NO_SUCH_ACTION);
  }
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

/** One statement may stand without a list. */
function statementsOf({ Statement }: Record<string, unknown>): Record<string, unknown>[] {
  return (Array.isArray(Statement) ? Statement : [Statement]) as Record<string, unknown>[]; // `isStatement` looks at each
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
