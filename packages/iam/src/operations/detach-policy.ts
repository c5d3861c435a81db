import type { DetachGroupPolicyRequest, DetachRolePolicyRequest, DetachUserPolicyRequest } from "@aws-sdk/client-iam";
import { operation, type Operation } from "@sandstack/core";
import { checkPolicyArn } from "../checks.js";
import { iamError } from "../errors.js";
import { identityNamed, onIdentity, type IdentityKind } from "../identities.js";
import type { IamState } from "../state.js";

/** @throws NoSuchEntityException (404) when the policy is not attached */
function detachPolicy<Input extends { PolicyArn: string | undefined }>(name: string, kind: IdentityKind, nameOf: (input: Input) => string | undefined): Operation<IamState, Input, void> {
  return operation({
    name,
    authorize: onIdentity(`iam:${name}`, kind, nameOf, ({ PolicyArn }) => ({ "iam:PolicyARN": PolicyArn })),
    run({ state }, input) {
      const { attachedPolicyArns } = identityNamed(state, kind, nameOf(input));
      const arn = checkPolicyArn(input.PolicyArn);
      const index = attachedPolicyArns.indexOf(arn);
      if (index < 0) throw iamError("NoSuchEntityException", `Policy ${arn} was not found.`);
      attachedPolicyArns.splice(index, 1);
    },
  });
}

export const detachUserPolicy = detachPolicy<DetachUserPolicyRequest>("DetachUserPolicy", "user", ({ UserName }) => UserName);
export const detachGroupPolicy = detachPolicy<DetachGroupPolicyRequest>("DetachGroupPolicy", "group", ({ GroupName }) => GroupName);
export const detachRolePolicy = detachPolicy<DetachRolePolicyRequest>("DetachRolePolicy", "role", ({ RoleName }) => RoleName);
