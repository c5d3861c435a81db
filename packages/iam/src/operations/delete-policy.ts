import type { DeletePolicyRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { iamError } from "../errors.js";
import { onPolicy, ownPolicy, policyUses } from "../policies.js";
import type { IamState } from "../state.js";

/** Deletes a managed policy. @throws NoSuchEntityException (404), DeleteConflictException (409) while it is attached or has further versions */
export const deletePolicy = operation<IamState, DeletePolicyRequest, void>({
  name: "DeletePolicy",
  authorize: onPolicy("iam:DeletePolicy"),
  run({ state }, { PolicyArn }) {
    const policy = ownPolicy(state, PolicyArn);
    const { attachments, boundaries } = policyUses(state, policy.arn);
    if (attachments + boundaries > 0) throw iamError("DeleteConflictException", "Cannot delete a policy attached to entities.");
    if (policy.versions.size > 1) {
      throw iamError(
        "DeleteConflictException",
        "This policy has more than one version. Before you delete a policy, you must delete the policy's versions. The default version is deleted with the policy.",
      );
    }
    state.policies.delete(policy.arn);
  },
});
