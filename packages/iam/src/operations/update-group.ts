import type { UpdateGroupRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkPath } from "../checks.js";
import { checkNewName, groupNamed, identityArn, onIdentity } from "../identities.js";
import type { IamState } from "../state.js";

/** Gives a group another name or path; its id, users and policies stay. @throws NoSuchEntityException (404), EntityAlreadyExistsException (409) */
export const updateGroup = operation<IamState, UpdateGroupRequest, void>({
  name: "UpdateGroup",
  authorize: onIdentity("iam:UpdateGroup", "group", ({ GroupName }) => GroupName),
  run({ state, scope }, { GroupName, NewGroupName, NewPath }) {
    const group = groupNamed(state, GroupName);
    const name = NewGroupName === undefined || NewGroupName === group.name ? group.name : checkNewName(state, "group", NewGroupName);
    const path = checkPath(NewPath ?? group.path);
    state.groups.delete(group.name);
    state.groups.set(name, { ...group, name, path, arn: identityArn(scope.accountId, "group", path, name) });
    for (const { groupNames } of state.users.values()) {
      const index = groupNames.indexOf(group.name);
      if (index >= 0) groupNames[index] = name;
    }
  },
});
