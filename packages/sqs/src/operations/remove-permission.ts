import type { RemovePermissionCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { invalidParameter } from "../errors.js";
import { checkLabel, hasStatement, policyOf } from "../permissions.js";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/**
 * Takes the statement with this label off a queue's policy, whoever put it there. With the last one the policy is gone.
 *
 * @throws InvalidParameterValue for a label that the policy has not got
 */
export const removePermission = operation<SqsState, RemovePermissionCommandInput, void>({
  name: "RemovePermission",
  authorize: onQueue("sqs:RemovePermission", { ownerOnly: true }),
  run(ctx, { QueueUrl, Label }) {
    const queue = queueOf(ctx, QueueUrl);
    const label = checkLabel(Label);
    const policy = policyOf(queue);
    if (!hasStatement(policy, label)) {
      const neverHadPolicy = queue.attributes.Policy === undefined && !queue.isPolicyEmptied;
      throw invalidParameter("Label", label, neverHadPolicy ? "can't find label on existing policy." : "can't find label.");
    }
    const Statement = policy.Statement.filter(({ Sid }) => Sid !== label);
    queue.isPolicyEmptied = Statement.length === 0;
    if (queue.isPolicyEmptied) delete queue.attributes.Policy;
    else queue.attributes.Policy = JSON.stringify({ ...policy, Statement });
    queue.modifiedAtMs = ctx.nowMs;
  },
});
