import type { DeleteGroupRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { iamError } from "../errors.js";
import { checkWithoutPolicies, groupNamed, onIdentity } from "../identities.js";
import type { IamState } from "../state.js";

/** Deletes a group. @throws NoSuchEntityException (404), DeleteConflictException (409) while it has users or policies */
export const deleteGroup = operation<IamState, DeleteGroupRequest, void>({
  name: "DeleteGroup",
  authorize: onIdentity("iam:DeleteGroup", "group", ({ GroupName }) => GroupName),
  run({ state }, { GroupName }) {
    const group = groupNamed(state, GroupName);
    const hasUsers = [...state.users.values()].some(({ groupNames }) => groupNames.includes(group.name));
    if (hasUsers) throw iamError("DeleteConflictException", "Cannot delete entity, must remove users from group first.");
    checkWithoutPolicies(group);
    state.groups.delete(group.name);
  },
});
