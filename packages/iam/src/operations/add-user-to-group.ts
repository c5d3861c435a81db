import type { AddUserToGroupRequest, RemoveUserFromGroupRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { iamError } from "../errors.js";
import { groupNamed, onIdentity, userNamed } from "../identities.js";
import { MAX_GROUPS_PER_USER } from "../limits.js";
import type { IamState } from "../state.js";

/** Puts a user into a group; one who is in it already stays. @throws NoSuchEntityException (404), LimitExceededException (409) */
export const addUserToGroup = operation<IamState, AddUserToGroupRequest, void>({
  name: "AddUserToGroup",
  authorize: onIdentity("iam:AddUserToGroup", "group", ({ GroupName }) => GroupName),
  run({ state }, { GroupName, UserName }) {
    const group = groupNamed(state, GroupName);
    const { groupNames } = userNamed(state, UserName);
    if (groupNames.includes(group.name)) return;
    if (groupNames.length >= MAX_GROUPS_PER_USER) throw iamError("LimitExceededException", `Cannot exceed quota for GroupsPerUser: ${MAX_GROUPS_PER_USER}`);
    groupNames.push(group.name);
  },
});

/** Takes a user out of a group; of one who is not in it nothing is taken. @throws NoSuchEntityException (404) */
export const removeUserFromGroup = operation<IamState, RemoveUserFromGroupRequest, void>({
  name: "RemoveUserFromGroup",
  authorize: onIdentity("iam:RemoveUserFromGroup", "group", ({ GroupName }) => GroupName),
  run({ state }, { GroupName, UserName }) {
    const group = groupNamed(state, GroupName);
    const { groupNames } = userNamed(state, UserName);
    const index = groupNames.indexOf(group.name);
    if (index >= 0) groupNames.splice(index, 1);
  },
});
