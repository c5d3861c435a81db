import type { UpdateAssumeRolePolicyRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onIdentity, roleNamed } from "../identities.js";
import type { IamState } from "../state.js";
import { checkTrustPolicy } from "./create-role.js";

/** Replaces a role's trust policy. @throws NoSuchEntityException (404), MalformedPolicyDocumentException (400) */
export const updateAssumeRolePolicy = operation<IamState, UpdateAssumeRolePolicyRequest, void>({
  name: "UpdateAssumeRolePolicy",
  authorize: onIdentity("iam:UpdateAssumeRolePolicy", "role", ({ RoleName }) => RoleName),
  run({ state }, { RoleName, PolicyDocument }) {
    const role = roleNamed(state, RoleName);
    role.trustPolicy = checkTrustPolicy("policyDocument", PolicyDocument);
  },
});
