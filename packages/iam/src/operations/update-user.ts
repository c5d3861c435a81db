import type { UpdateUserRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkPath } from "../checks.js";
import { checkNewName, identityArn, onIdentity, userNamed } from "../identities.js";
import type { IamState } from "../state.js";

/** Gives a user another name or path; its id, keys and policies stay. @throws NoSuchEntityException (404), EntityAlreadyExistsException (409) */
export const updateUser = operation<IamState, UpdateUserRequest, void>({
  name: "UpdateUser",
  authorize: onIdentity("iam:UpdateUser", "user", ({ UserName }) => UserName),
  run({ state, scope }, { UserName, NewUserName, NewPath }) {
    const user = userNamed(state, UserName);
    const name = NewUserName === undefined || NewUserName === user.name ? user.name : checkNewName(state, "user", NewUserName);
    const path = checkPath(NewPath ?? user.path);
    state.users.delete(user.name);
    state.users.set(name, { ...user, name, path, arn: identityArn(scope.accountId, "user", path, name) });
    for (const [id, key] of state.accessKeys) if (key.userName === user.name) state.accessKeys.set(id, { ...key, userName: name });
  },
});
