import type { PoliciesAre } from "@sandstack/core";
import type { Statement } from "./compile.js";
import { conditionHolds, type Condition } from "./condition.js";
import type { ConditionKeys } from "./condition-keys.js";
import { matchesPattern, type Pattern } from "./pattern.js";
import { isSpared, matchPrincipal, type PolicyPrincipal, type PrincipalMatch } from "./principal.js";

/** One request, as policies are asked about it. */
export interface PolicyRequest {
  readonly principal: PolicyPrincipal;
  /** `sqs:SendMessage` */
  readonly action: string;
  readonly lowerCaseAction: string;
  /** The ARN, or `*`. */
  readonly resource: string;
  /** Whose resource it is. */
  readonly resourceAccount: string;
  readonly keys: ConditionKeys;
  /** True where AWS never opens the action to other accounts. */
  readonly ownerOnly?: boolean | undefined;
  /** Where the policies on the resource come from; left out, they are all there are. */
  readonly policiesAre?: PoliciesAre | undefined;
}

/** The element that keeps a statement from applying to a request; a condition is told by itself. */
export type Mismatch = "action" | "resource" | "principal" | Condition;

/**
 * Why a statement does not apply to a request, or `undefined` when it does.
 *
 * @param hasPrincipals true for policies on resources: a statement of theirs that names no principal applies to nobody
 */
export function mismatchOf(statement: Statement, request: PolicyRequest, hasPrincipals: boolean): Mismatch | undefined {
  if (matchesSome(statement.actions, request.lowerCaseAction, request.keys) === statement.isNotAction) return "action";
  const { resources } = statement;
  if (resources !== undefined && matchesSome(resources, request.resource, request.keys) === statement.isNotResource) return "resource";
  if (hasPrincipals && !appliesToPrincipal(statement, request.principal)) return "principal";
  for (const condition of statement.conditions) {
    if (!conditionHolds(condition, request.keys)) return condition;
  }
  return undefined;
}

function matchesSome(patterns: readonly Pattern[], text: string, keys: ConditionKeys): boolean {
  for (const pattern of patterns) {
    if (matchesPattern(pattern, text, keys)) return true;
  }
  return false;
}

function appliesToPrincipal({ principals, isNotPrincipal }: Statement, principal: PolicyPrincipal): boolean {
  if (principals === undefined) return false;
  return isNotPrincipal ? !isSpared(principals, principal) : matchPrincipal(principals, principal) !== undefined;
}

/** How closely a statement that applies means the principal. */
export function closenessOf({ principals, isNotPrincipal }: Statement, principal: PolicyPrincipal): PrincipalMatch {
  if (principals === undefined) return undefined;
  return isNotPrincipal ? "named" : matchPrincipal(principals, principal);
}
