import type { GetRoleRequest, GetRoleResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onIdentity, roleNamed } from "../identities.js";
import { roleDetails } from "../roles.js";
import type { IamState } from "../state.js";

/** A role with its trust policy, percent-encoded as on AWS. @throws NoSuchEntityException (404) */
export const getRole = operation<IamState, GetRoleRequest, GetRoleResponse>({
  name: "GetRole",
  authorize: onIdentity("iam:GetRole", "role", ({ RoleName }) => RoleName),
  run: ({ state }, { RoleName }) => ({ Role: roleDetails(roleNamed(state, RoleName)) }),
});
