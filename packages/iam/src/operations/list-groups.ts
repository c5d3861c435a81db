import type { ListGroupsForUserRequest, ListGroupsForUserResponse, ListGroupsRequest, ListGroupsResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onIdentity, onPathPrefix, userNamed } from "../identities.js";
import { byName, pageOf } from "../paging.js";
import type { IamState } from "../state.js";
import { groupOutput } from "../users.js";

/** The account's groups under a path, by name. */
export const listGroups = operation<IamState, ListGroupsRequest, ListGroupsResponse>({
  name: "ListGroups",
  authorize: onPathPrefix("iam:ListGroups", "group"),
  run({ state }, { PathPrefix = "/", ...paging }) {
    const groups = byName(state.groups.values()).filter(({ path }) => path.startsWith(PathPrefix));
    const { items, more } = pageOf(groups, paging);
    return { Groups: items.map(groupOutput), ...more };
  },
});

/** The groups a user is in. @throws NoSuchEntityException (404) */
export const listGroupsForUser = operation<IamState, ListGroupsForUserRequest, ListGroupsForUserResponse>({
  name: "ListGroupsForUser",
  authorize: onIdentity("iam:ListGroupsForUser", "user", ({ UserName }) => UserName),
  run({ state }, input) {
    const { groupNames } = userNamed(state, input.UserName);
    const { items, more } = pageOf(byName(state.groups.values()).filter(({ name }) => groupNames.includes(name)), input);
    return { Groups: items.map(groupOutput), ...more };
  },
});
