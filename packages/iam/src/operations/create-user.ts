import type { CreateUserRequest, CreateUserResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkPath, checkTags } from "../checks.js";
import { checkNewName, identityArn, onNewIdentity } from "../identities.js";
import { uniqueId } from "../identifiers.js";
import { attachableArn } from "../policies.js";
import type { IamState, User } from "../state.js";
import { userDetails } from "../users.js";

/** Makes a user, with neither keys nor policies. @throws EntityAlreadyExistsException (409) */
export const createUser = operation<IamState, CreateUserRequest, CreateUserResponse>({
  name: "CreateUser",
  authorize: onNewIdentity("iam:CreateUser", "user", ({ UserName }) => UserName),
  run(ctx, input) {
    const { state, scope, random, nowMs } = ctx;
    const name = checkNewName(state, "user", input.UserName);
    const path = checkPath(input.Path);
    const tags = checkTags(input.Tags);
    const boundary = input.PermissionsBoundary === undefined ? {} : { permissionsBoundaryArn: attachableArn(state, input.PermissionsBoundary, "permissionsBoundary") };
    const arn = identityArn(scope.accountId, "user", path, name);
    const user: User = { name, path, id: uniqueId(random, "user"), arn, createdAtMs: nowMs, inlinePolicies: new Map(), attachedPolicyArns: [], tags, groupNames: [], ...boundary };
    state.users.set(name, user);
    ctx.record({ kind: "iam.user.created", userArn: arn });
    return { User: userDetails(user) };
  },
});
