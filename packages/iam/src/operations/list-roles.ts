import type { ListRolesRequest, ListRolesResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onPathPrefix } from "../identities.js";
import { byName, pageOf } from "../paging.js";
import { roleSummary } from "../roles.js";
import type { IamState } from "../state.js";

/** The account's roles under a path, by name. As on AWS without tags and boundaries, which GetRole has. */
export const listRoles = operation<IamState, ListRolesRequest, ListRolesResponse>({
  name: "ListRoles",
  authorize: onPathPrefix("iam:ListRoles", "role"),
  run({ state }, { PathPrefix = "/", ...paging }) {
    const roles = byName(state.roles.values()).filter(({ path }) => path.startsWith(PathPrefix));
    const { items, more } = pageOf(roles, paging);
    return { Roles: items.map(roleSummary), ...more };
  },
});
