import type { ListEntitiesForPolicyRequest, ListEntitiesForPolicyResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { byName } from "../paging.js";
import { onPolicy, policyWithArn } from "../policies.js";
import type { IamState, Identity } from "../state.js";

/** The users, groups and roles that a managed policy is attached to, or bounds; in one page. @throws NoSuchEntityException (404) */
export const listEntitiesForPolicy = operation<IamState, ListEntitiesForPolicyRequest, ListEntitiesForPolicyResponse>({
  name: "ListEntitiesForPolicy",
  authorize: onPolicy("iam:ListEntitiesForPolicy"),
  run({ state }, { PolicyArn, EntityFilter, PathPrefix = "/", PolicyUsageFilter = "PermissionsPolicy" }) {
    const { arn } = policyWithArn(state, PolicyArn);
    const uses = (identity: Identity & { permissionsBoundaryArn?: string }): boolean => {
      const isUsed = PolicyUsageFilter === "PermissionsBoundary" ? identity.permissionsBoundaryArn === arn : identity.attachedPolicyArns.includes(arn);
      return isUsed && identity.path.startsWith(PathPrefix);
    };
    const isAsked = (kind: string): boolean => EntityFilter === undefined || EntityFilter === kind || EntityFilter === "LocalManagedPolicy";
    const users = isAsked("User") ? byName(state.users.values()).filter(uses) : [];
    const groups = isAsked("Group") ? byName(state.groups.values()).filter(uses) : [];
    const roles = isAsked("Role") ? byName(state.roles.values()).filter(uses) : [];
    return {
      PolicyUsers: users.map(({ name, id }) => ({ UserName: name, UserId: id })),
      PolicyGroups: groups.map(({ name, id }) => ({ GroupName: name, GroupId: id })),
      PolicyRoles: roles.map(({ name, id }) => ({ RoleName: name, RoleId: id })),
      IsTruncated: false,
    };
  },
});
