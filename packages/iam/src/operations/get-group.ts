import type { GetGroupRequest, GetGroupResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { groupNamed, onIdentity } from "../identities.js";
import { byName, pageOf } from "../paging.js";
import type { IamState } from "../state.js";
import { groupOutput, userSummary } from "../users.js";

/** A group and its users. @throws NoSuchEntityException (404) */
export const getGroup = operation<IamState, GetGroupRequest, GetGroupResponse>({
  name: "GetGroup",
  authorize: onIdentity("iam:GetGroup", "group", ({ GroupName }) => GroupName),
  run({ state }, input) {
    const group = groupNamed(state, input.GroupName);
    const members = byName(state.users.values()).filter(({ groupNames }) => groupNames.includes(group.name));
    const { items, more } = pageOf(members, input);
    return { Group: groupOutput(group), Users: items.map(userSummary), ...more };
  },
});
