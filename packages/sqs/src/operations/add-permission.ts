import type { AddPermissionCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { invalidParameter } from "../errors.js";
import { hasStatement, permissionStatement, policyOf } from "../permissions.js";
import { onQueue, queueOf } from "../queue.js";
import { checkQueuePolicy } from "../queue-policy.js";
import type { SqsState } from "../state.js";

/**
 * Grants actions on a queue to other accounts: one more statement in the queue's policy, with the label as its `Sid`.
 *
 * @throws InvalidParameterValue for a label that the policy has, an account that is none, an action that cannot be granted
 * @throws MissingParameter
 * @throws OverLimit (403) for more than seven actions, or a policy that grows too large; nothing is granted
 */
export const addPermission = operation<SqsState, AddPermissionCommandInput, void>({
  name: "AddPermission",
  authorize: onQueue("sqs:AddPermission", { ownerOnly: true }),
  run(ctx, { QueueUrl, ...permission }) {
    const queue = queueOf(ctx, QueueUrl);
    const statement = permissionStatement(queue, ctx.scope.region, permission);
    const policy = policyOf(queue);
    if (hasStatement(policy, statement.Sid)) throw invalidParameter("Label", statement.Sid, "Already exists.");
    queue.attributes.Policy = checkQueuePolicy(JSON.stringify({ ...policy, Statement: [...policy.Statement, statement] }));
    queue.modifiedAtMs = ctx.nowMs;
  },
});
