import type { GetGroupPolicyRequest, GetGroupPolicyResponse, GetRolePolicyRequest, GetRolePolicyResponse, GetUserPolicyRequest, GetUserPolicyResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { encodedDocument, identityNamed, onIdentity, type IdentityKind } from "../identities.js";
import { inlinePolicyNamed } from "../inline-policies.js";
import type { IamState } from "../state.js";

/** @throws NoSuchEntityException */
function documentOf(state: IamState, kind: IdentityKind, name: string | undefined, policyName: string | undefined): string {
  return encodedDocument(inlinePolicyNamed(identityNamed(state, kind, name), kind, policyName));
}

/** A user's inline policy, percent-encoded as on AWS. @throws NoSuchEntityException (404) */
export const getUserPolicy = operation<IamState, GetUserPolicyRequest, GetUserPolicyResponse>({
  name: "GetUserPolicy",
  authorize: onIdentity("iam:GetUserPolicy", "user", ({ UserName }) => UserName),
  run: ({ state }, { UserName, PolicyName }) => ({ UserName, PolicyName, PolicyDocument: documentOf(state, "user", UserName, PolicyName) }),
});

/** A group's inline policy, percent-encoded as on AWS. @throws NoSuchEntityException (404) */
export const getGroupPolicy = operation<IamState, GetGroupPolicyRequest, GetGroupPolicyResponse>({
  name: "GetGroupPolicy",
  authorize: onIdentity("iam:GetGroupPolicy", "group", ({ GroupName }) => GroupName),
  run: ({ state }, { GroupName, PolicyName }) => ({ GroupName, PolicyName, PolicyDocument: documentOf(state, "group", GroupName, PolicyName) }),
});

/** A role's inline policy, percent-encoded as on AWS. @throws NoSuchEntityException (404) */
export const getRolePolicy = operation<IamState, GetRolePolicyRequest, GetRolePolicyResponse>({
  name: "GetRolePolicy",
  authorize: onIdentity("iam:GetRolePolicy", "role", ({ RoleName }) => RoleName),
  run: ({ state }, { RoleName, PolicyName }) => ({ RoleName, PolicyName, PolicyDocument: documentOf(state, "role", RoleName, PolicyName) }),
});
