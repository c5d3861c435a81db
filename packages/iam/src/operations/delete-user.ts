import type { DeleteUserRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { iamError } from "../errors.js";
import { checkWithoutPolicies, onIdentity, userNamed } from "../identities.js";
import type { IamState } from "../state.js";

/** Deletes a user. @throws NoSuchEntityException (404), DeleteConflictException (409) while it has policies, keys or groups */
export const deleteUser = operation<IamState, DeleteUserRequest, void>({
  name: "DeleteUser",
  authorize: onIdentity("iam:DeleteUser", "user", ({ UserName }) => UserName),
  run(ctx, { UserName }) {
    const { state } = ctx;
    const user = userNamed(state, UserName);
    checkWithoutPolicies(user);
    if (user.groupNames.length > 0) throw iamError("DeleteConflictException", "Cannot delete entity, must remove users from group first.");
    const hasKeys = [...state.accessKeys.values()].some(({ userName }) => userName === user.name);
    if (hasKeys) throw iamError("DeleteConflictException", "Cannot delete entity, must delete access keys first.");
    state.users.delete(user.name);
    ctx.record({ kind: "iam.user.deleted", userArn: user.arn });
  },
});
