import type { ListPoliciesRequest, ListPoliciesResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { awsManagedPolicies } from "../aws-managed-policies.js";
import { constraintMessage } from "../checks.js";
import { validationError } from "../errors.js";
import { onEverything } from "../identities.js";
import { byName, pageOf } from "../paging.js";
import { policySummary } from "../policies.js";
import type { IamState } from "../state.js";

/** Managed policies by name: the account's own, and those of AWS's that the sandbox knows. */
export const listPolicies = operation<IamState, ListPoliciesRequest, ListPoliciesResponse>({
  name: "ListPolicies",
  authorize: onEverything("iam:ListPolicies"),
  run({ state }, { Scope: scope = "All", OnlyAttached = false, PathPrefix = "/", PolicyUsageFilter, ...paging }) {
    if (!["All", "AWS", "Local"].includes(scope)) throw validationError(constraintMessage("scope", scope, "satisfy enum value set: [AWS, Local, All]"));
    const own = scope === "AWS" ? [] : [...state.policies.values()];
    const awsOwned = scope === "Local" ? [] : awsManagedPolicies();
    const policies = byName([...own, ...awsOwned])
      .filter(({ path }) => path.startsWith(PathPrefix))
      .map((policy) => policySummary(state, policy))
      .filter(({ AttachmentCount = 0 }) => !OnlyAttached || AttachmentCount > 0)
      .filter(({ AttachmentCount = 0, PermissionsBoundaryUsageCount = 0 }) => {
        return PolicyUsageFilter === undefined || (PolicyUsageFilter === "PermissionsPolicy" ? AttachmentCount : PermissionsBoundaryUsageCount) > 0;
      });
    const { items, more } = pageOf(policies, paging);
    return { Policies: [...items], ...more };
  },
});
