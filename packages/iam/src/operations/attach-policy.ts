import type { AttachGroupPolicyRequest, AttachRolePolicyRequest, AttachUserPolicyRequest } from "@aws-sdk/client-iam";
import { operation, type Operation } from "@sandstack/core";
import { iamError } from "../errors.js";
import { identityNamed, onIdentity, type IdentityKind } from "../identities.js";
import { MAX_ATTACHED_POLICIES } from "../limits.js";
import { attachableArn } from "../policies.js";
import type { IamState } from "../state.js";

const QUOTA = { user: "PoliciesPerUser", group: "PoliciesPerGroup", role: "PoliciesPerRole" } as const;

/** Attaching what is attached already is done. @throws NoSuchEntityException (404), LimitExceededException (409) */
function attachPolicy<Input extends { PolicyArn: string | undefined }>(name: string, kind: IdentityKind, nameOf: (input: Input) => string | undefined): Operation<IamState, Input, void> {
  return operation({
    name,
    authorize: onIdentity(`iam:${name}`, kind, nameOf, ({ PolicyArn }) => ({ "iam:PolicyARN": PolicyArn })),
    run({ state }, input) {
      const { attachedPolicyArns } = identityNamed(state, kind, nameOf(input));
      const arn = attachableArn(state, input.PolicyArn);
      if (attachedPolicyArns.includes(arn)) return;
      if (attachedPolicyArns.length >= MAX_ATTACHED_POLICIES) throw iamError("LimitExceededException", `Cannot exceed quota for ${QUOTA[kind]}: ${MAX_ATTACHED_POLICIES}`);
      attachedPolicyArns.push(arn);
    },
  });
}

/** Attaches a managed policy, the account's own or AWS's, to a user. */
export const attachUserPolicy = attachPolicy<AttachUserPolicyRequest>("AttachUserPolicy", "user", ({ UserName }) => UserName);
/** Attaches a managed policy, the account's own or AWS's, to a group. */
export const attachGroupPolicy = attachPolicy<AttachGroupPolicyRequest>("AttachGroupPolicy", "group", ({ GroupName }) => GroupName);
/** Attaches a managed policy, the account's own or AWS's, to a role. */
export const attachRolePolicy = attachPolicy<AttachRolePolicyRequest>("AttachRolePolicy", "role", ({ RoleName }) => RoleName);
