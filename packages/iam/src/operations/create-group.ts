import type { CreateGroupRequest, CreateGroupResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkPath } from "../checks.js";
import { checkNewName, identityArn, onNewIdentity } from "../identities.js";
import { uniqueId } from "../identifiers.js";
import type { Group, IamState } from "../state.js";
import { groupOutput } from "../users.js";

/** Makes a group, whose policies are its users'. @throws EntityAlreadyExistsException (409) */
export const createGroup = operation<IamState, CreateGroupRequest, CreateGroupResponse>({
  name: "CreateGroup",
  authorize: onNewIdentity("iam:CreateGroup", "group", ({ GroupName }) => GroupName),
  run({ state, scope, random, nowMs }, input) {
    const name = checkNewName(state, "group", input.GroupName);
    const path = checkPath(input.Path);
    const arn = identityArn(scope.accountId, "group", path, name);
    const group: Group = { name, path, id: uniqueId(random, "group"), arn, createdAtMs: nowMs, inlinePolicies: new Map(), attachedPolicyArns: [] };
    state.groups.set(name, group);
    return { Group: groupOutput(group) };
  },
});
