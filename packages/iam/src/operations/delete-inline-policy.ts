import type { DeleteGroupPolicyRequest, DeleteRolePolicyRequest, DeleteUserPolicyRequest } from "@aws-sdk/client-iam";
import { operation, type Operation } from "@sandstack/core";
import { identityNamed, onIdentity, type IdentityKind } from "../identities.js";
import { inlinePolicyNamed } from "../inline-policies.js";
import type { IamState } from "../state.js";

/** @throws NoSuchEntityException (404) */
function deleteInlinePolicy<Input extends { PolicyName: string | undefined }>(name: string, kind: IdentityKind, nameOf: (input: Input) => string | undefined): Operation<IamState, Input, void> {
  return operation({
    name,
    authorize: onIdentity(`iam:${name}`, kind, nameOf),
    run({ state }, input) {
      const identity = identityNamed(state, kind, nameOf(input));
      inlinePolicyNamed(identity, kind, input.PolicyName);
      identity.inlinePolicies.delete(input.PolicyName ?? "");
    },
  });
}

export const deleteUserPolicy = deleteInlinePolicy<DeleteUserPolicyRequest>("DeleteUserPolicy", "user", ({ UserName }) => UserName);
export const deleteGroupPolicy = deleteInlinePolicy<DeleteGroupPolicyRequest>("DeleteGroupPolicy", "group", ({ GroupName }) => GroupName);
export const deleteRolePolicy = deleteInlinePolicy<DeleteRolePolicyRequest>("DeleteRolePolicy", "role", ({ RoleName }) => RoleName);
