import type { ListUsersRequest, ListUsersResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onPathPrefix } from "../identities.js";
import { byName, pageOf } from "../paging.js";
import type { IamState } from "../state.js";
import { userSummary } from "../users.js";

/** The account's users under a path, by name. As on AWS without tags and boundaries, which GetUser has. */
export const listUsers = operation<IamState, ListUsersRequest, ListUsersResponse>({
  name: "ListUsers",
  authorize: onPathPrefix("iam:ListUsers", "user"),
  run({ state }, { PathPrefix = "/", ...paging }) {
    const users = byName(state.users.values()).filter(({ path }) => path.startsWith(PathPrefix));
    const { items, more } = pageOf(users, paging);
    return { Users: items.map(userSummary), ...more };
  },
});
