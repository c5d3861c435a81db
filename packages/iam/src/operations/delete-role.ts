import type { DeleteRoleRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkWithoutPolicies, onIdentity, roleNamed } from "../identities.js";
import type { IamState } from "../state.js";

/**
 * Deletes a role. Sessions of it go on without any permission of its own.
 *
 * @throws NoSuchEntityException (404), DeleteConflictException (409) while it has policies
 */
export const deleteRole = operation<IamState, DeleteRoleRequest, void>({
  name: "DeleteRole",
  authorize: onIdentity("iam:DeleteRole", "role", ({ RoleName }) => RoleName),
  run(ctx, { RoleName }) {
    const role = roleNamed(ctx.state, RoleName);
    checkWithoutPolicies(role);
    ctx.state.roles.delete(role.name);
    ctx.record({ kind: "iam.role.deleted", roleArn: role.arn });
  },
});
