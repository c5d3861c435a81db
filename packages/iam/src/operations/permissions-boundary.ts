import type {
  DeleteRolePermissionsBoundaryRequest,
  DeleteUserPermissionsBoundaryRequest,
  PutRolePermissionsBoundaryRequest,
  PutUserPermissionsBoundaryRequest,
} from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { iamError } from "../errors.js";
import { onIdentity, roleNamed, userNamed } from "../identities.js";
import { attachableArn } from "../policies.js";
import type { IamState, Role, User } from "../state.js";

/** Sets the managed policy that limits what a user can be allowed. @throws NoSuchEntityException (404) */
export const putUserPermissionsBoundary = operation<IamState, PutUserPermissionsBoundaryRequest, void>({
  name: "PutUserPermissionsBoundary",
  authorize: onIdentity("iam:PutUserPermissionsBoundary", "user", ({ UserName }) => UserName, ({ PermissionsBoundary }) => ({ "iam:PermissionsBoundary": PermissionsBoundary })),
  run({ state }, { UserName, PermissionsBoundary }) {
    const user = userNamed(state, UserName);
    user.permissionsBoundaryArn = attachableArn(state, PermissionsBoundary, "permissionsBoundary");
  },
});

/** Sets the managed policy that limits what a role can be allowed. @throws NoSuchEntityException (404) */
export const putRolePermissionsBoundary = operation<IamState, PutRolePermissionsBoundaryRequest, void>({
  name: "PutRolePermissionsBoundary",
  authorize: onIdentity("iam:PutRolePermissionsBoundary", "role", ({ RoleName }) => RoleName, ({ PermissionsBoundary }) => ({ "iam:PermissionsBoundary": PermissionsBoundary })),
  run({ state }, { RoleName, PermissionsBoundary }) {
    const role = roleNamed(state, RoleName);
    role.permissionsBoundaryArn = attachableArn(state, PermissionsBoundary, "permissionsBoundary");
  },
});

/** Takes a user's permissions boundary away. @throws NoSuchEntityException (404), also when it has none */
export const deleteUserPermissionsBoundary = operation<IamState, DeleteUserPermissionsBoundaryRequest, void>({
  name: "DeleteUserPermissionsBoundary",
  authorize: onIdentity("iam:DeleteUserPermissionsBoundary", "user", ({ UserName }) => UserName),
  run: ({ state }, { UserName }) => deleteBoundary(userNamed(state, UserName)),
});

/** Takes a role's permissions boundary away. @throws NoSuchEntityException (404), also when it has none */
export const deleteRolePermissionsBoundary = operation<IamState, DeleteRolePermissionsBoundaryRequest, void>({
  name: "DeleteRolePermissionsBoundary",
  authorize: onIdentity("iam:DeleteRolePermissionsBoundary", "role", ({ RoleName }) => RoleName),
  run: ({ state }, { RoleName }) => deleteBoundary(roleNamed(state, RoleName)),
});

function deleteBoundary(identity: User | Role): void {
  if (identity.permissionsBoundaryArn === undefined) throw iamError("NoSuchEntityException", `${identity.name} does not have a permissions boundary.`);
  delete identity.permissionsBoundaryArn;
}
