import type { UpdateRoleDescriptionRequest, UpdateRoleDescriptionResponse, UpdateRoleRequest, UpdateRoleResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkMaxSessionDuration, required } from "../checks.js";
import { onIdentity, roleNamed } from "../identities.js";
import { DEFAULT_MAX_SESSION_SECONDS } from "../limits.js";
import { roleDetails } from "../roles.js";
import type { IamState } from "../state.js";

/** Changes a role's description and longest session; as on AWS, what is left out goes back to its default. @throws NoSuchEntityException (404) */
export const updateRole = operation<IamState, UpdateRoleRequest, UpdateRoleResponse>({
  name: "UpdateRole",
  authorize: onIdentity("iam:UpdateRole", "role", ({ RoleName }) => RoleName),
  run({ state }, { RoleName, Description, MaxSessionDuration = DEFAULT_MAX_SESSION_SECONDS }) {
    const role = roleNamed(state, RoleName);
    role.maxSessionDurationSeconds = checkMaxSessionDuration(MaxSessionDuration);
    if (Description === undefined) delete role.description;
    else role.description = Description;
    return {};
  },
});

/** UpdateRole's older form. @throws NoSuchEntityException (404) */
export const updateRoleDescription = operation<IamState, UpdateRoleDescriptionRequest, UpdateRoleDescriptionResponse>({
  name: "UpdateRoleDescription",
  authorize: onIdentity("iam:UpdateRoleDescription", "role", ({ RoleName }) => RoleName),
  run({ state }, { RoleName, Description }) {
    const role = roleNamed(state, RoleName);
    role.description = required("description", Description);
    return { Role: roleDetails(role) };
  },
});
