import { partitionOf, type ResourceAccess } from "@sandstack/core";
import { invalidParameter, missingParameter, NO_SUCH_ACTION, sqsError } from "./errors.js";
import { PERMISSION_ACTIONS_MAX, PERMISSION_LABEL_MAX_LENGTH } from "./limits.js";
import type { Queue, SqsState } from "./state.js";

/** What AddPermission adds to a queue's policy, in AWS's order of members. */
interface PermissionStatement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Principal: { readonly AWS: string | readonly string[] };
  readonly Action: string | readonly string[];
  readonly Resource: string;
}

/** What a permission is made of, as AddPermission gives it. */
export interface PermissionInput {
  readonly Label?: string | undefined;
  readonly AWSAccountIds?: readonly string[] | undefined;
  readonly Actions?: readonly string[] | undefined;
}

const LABEL = new RegExp(`^[A-Za-z0-9_-]{1,${PERMISSION_LABEL_MAX_LENGTH}}$`);
const ACCOUNT_ID = /^\d{12}$/;

/** What can be granted to other accounts. Batches are granted as the single action. */
const GRANTABLE: readonly string[] = [
  "*",
  "ChangeMessageVisibility",
  "DeleteMessage",
  "GetQueueAttributes",
  "GetQueueUrl",
  "ListDeadLetterSourceQueues",
  "PurgeQueue",
  "ReceiveMessage",
  "SendMessage",
];

const OWNER_ONLY: readonly string[] = [
  "AddPermission",
  "CancelMessageMoveTask",
  "CreateQueue",
  "DeleteQueue",
  "ListMessageMoveTasks",
  "ListQueueTags",
  "ListQueues",
  "RemovePermission",
  "SetQueueAttributes",
  "StartMessageMoveTask",
  "TagQueue",
  "UntagQueue",
];

/**
 * The statement that grants a permission on a queue. One account or action stands for itself, several stand in a list.
 *
 * @throws MissingParameter, InvalidParameterValue
 * @throws OverLimit (403) for more than seven actions
 */
export function permissionStatement(queue: Queue, region: string, { Label, AWSAccountIds = [], Actions = [] }: PermissionInput): PermissionStatement {
  const Sid = checkLabel(Label);
  if (Actions.length === 0) throw missingParameter("Actions");
  if (AWSAccountIds.length === 0 || !AWSAccountIds.every((accountId) => ACCOUNT_ID.test(accountId))) {
    throw invalidParameter("PrincipalId", `[${AWSAccountIds.join(", ")}]`, "Unable to verify.");
  }
  if (Actions.length > PERMISSION_ACTIONS_MAX) throw sqsError("OverLimit", `${Actions.length} Actions were found, maximum allowed is ${PERMISSION_ACTIONS_MAX}.`);
  for (const action of Actions) checkAction(action);
  return {
    Sid,
    Effect: "Allow",
    Principal: { AWS: oneOrMany(AWSAccountIds.map((accountId) => `arn:${partitionOf(region)}:iam::${accountId}:root`)) },
    Action: oneOrMany(Actions.map((action) => `SQS:${action}`)),
    Resource: queue.arn,
  };
}

/** @throws MissingParameter, InvalidParameterValue */
export function checkLabel(label: string | undefined): string {
  if (label === undefined) throw missingParameter("Label");
  if (!LABEL.test(label)) throw invalidParameter("Label", label, `Can only include alphanumeric characters, hyphens, or underscores. 1 to ${PERMISSION_LABEL_MAX_LENGTH} in length`);
  return label;
}

function checkAction(action: string): void {
  if (GRANTABLE.includes(action)) return;
  const reason = OWNER_ONLY.includes(action)
    ? "Only the queue owner is allowed to invoke this action."
    : NO_SUCH_ACTION;
  throw invalidParameter("ActionName", `SQS:${action}`, reason);
}

function oneOrMany(values: readonly string[]): string | readonly string[] {
  const [first] = values;
  return values.length === 1 && first !== undefined ? first : values;
}

/** The access to a queue, for those who ask IAM without a call. */
export function accessTo({ queues }: SqsState, arn: string, action: string): ResourceAccess {
  const ownerOnly = OWNER_ONLY.some((name) => `sqs:${name}`.toLowerCase() === action.toLowerCase());
  const queue = queues.get(arn.slice(arn.lastIndexOf(":") + 1));
  if (queue?.arn !== arn) return { policies: undefined, ownerOnly };
  return { policies: queue.attributes.Policy === undefined ? [] : [queue.attributes.Policy], ownerOnly };
}

/** A queue's policy as permissions change it: what else it holds stays as it is. */
export interface PolicyDocument {
  readonly Version?: unknown;
  readonly Id?: unknown;
  readonly Statement: readonly { readonly Sid?: unknown }[];
}

/** The policy of a queue; for one without, the empty policy that AWS begins with. */
export function policyOf({ arn, attributes: { Policy } }: Queue): PolicyDocument {
  if (Policy === undefined) return { Version: "2008-10-17", Id: `${arn}/SQSDefaultPolicy`, Statement: [] };
  const policy = JSON.parse(Policy) as { Statement: object | readonly object[] }; // it was checked when it was set
  return { ...policy, Statement: Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement] };
}

export function hasStatement({ Statement }: PolicyDocument, label: string): boolean {
  return Statement.some(({ Sid }) => Sid === label);
}
