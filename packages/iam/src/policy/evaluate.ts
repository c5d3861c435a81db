import type { DecisionValue } from "@sandstack/core";
import type { CompiledPolicy } from "./compile.js";
import type { PrincipalMatch } from "./principal.js";
import { closenessOf, mismatchOf, type PolicyRequest } from "./statement.js";

/** A policy and where it stands. */
export interface SourcedPolicy {
  readonly kind: "inline" | "managed" | "resource" | "boundary" | "session";
  /** The name of an inline or managed policy. */
  readonly name?: string | undefined;
  /** The ARN of a managed policy. */
  readonly arn?: string | undefined;
  /** Whose policy it is, where it is not the principal's own: `group Admins`. */
  readonly holder?: string | undefined;
  readonly policy: CompiledPolicy;
}

/** The sides that have a say, in the order in which AWS names them in a refusal. */
export type Side = "identity" | "resource" | "boundary" | "session";

/** All policies that apply to a request, by side. */
export interface PolicySets {
  /** The user's, its groups', or the session's role's. */
  readonly identity: readonly SourcedPolicy[];
  readonly resource: readonly SourcedPolicy[];
  /** At most one; none when the principal has no permissions boundary. */
  readonly boundary: readonly SourcedPolicy[];
  /** None when the session was made without. */
  readonly session: readonly SourcedPolicy[];
}

/** How a request was decided. */
export interface Verdict {
  readonly value: DecisionValue;
  /** The side that decided, or that would have had to allow; `root` where an account's root needs no policy, `owner` where no policy opens an action to others. */
  readonly by: Side | "root" | "owner";
}

const DENIED_BY = verdicts("ExplicitDeny");
const ALLOWED_BY = verdicts("Allow");
const NOT_ALLOWED_BY = verdicts("ImplicitDeny");

function verdicts(value: DecisionValue): Readonly<Record<Verdict["by"], Verdict>> {
  const verdict = (by: Verdict["by"]): Verdict => Object.freeze({ value, by });
  return { identity: verdict("identity"), resource: verdict("resource"), boundary: verdict("boundary"), session: verdict("session"), root: verdict("root"), owner: verdict("owner") };
}

/** What only a policy on the resource opens, also inside its account: taking on a role (its trust policy) and KMS keys (their key policy). */
const NEEDS_RESOURCE_POLICY = /^(sts:(assumerole|tagsession|setsourceidentity)|kms:)/;

/**
 * Decides a request, as the IAM User Guide's "Policy evaluation logic" says: an explicit deny anywhere refuses; inside an account an
 * identity policy or a policy on the resource suffices; across accounts both must allow; a permissions boundary and session policies
 * limit; a service or a stranger is allowed by policies on the resource alone.
 */
export function evaluate(request: PolicyRequest, policies: PolicySets): Verdict {
  const { principal, resourceAccount } = request;
  if (denies(policies.identity, request, false)) return DENIED_BY.identity;
  if (denies(policies.resource, request, true)) return DENIED_BY.resource;
  if (denies(policies.boundary, request, false)) return DENIED_BY.boundary;
  if (denies(policies.session, request, false)) return DENIED_BY.session;

  if (request.ownerOnly === true && principal.account !== resourceAccount) return NOT_ALLOWED_BY.owner;
  const granted = grantOf(policies.resource, request);
  if (principal.account === undefined) return granted === undefined ? NOT_ALLOWED_BY.resource : ALLOWED_BY.resource;
  if (principal.account !== resourceAccount) return acrossAccounts(request, policies, granted);
  if (granted === undefined && NEEDS_RESOURCE_POLICY.test(request.lowerCaseAction)) return NOT_ALLOWED_BY.resource;
  if (principal.type === "root") return ALLOWED_BY.root;
  if (granted === "named") return ALLOWED_BY.resource;
  const own = withinLimits(request, policies, granted === "role");
  return own.value === "Allow" && granted === "role" ? ALLOWED_BY.resource : own;
}

function acrossAccounts(request: PolicyRequest, policies: PolicySets, granted: PrincipalMatch): Verdict {
  const own = request.principal.type === "root" ? ALLOWED_BY.root : withinLimits(request, policies, false);
  if (own.value !== "Allow") return own;
  return granted === undefined ? NOT_ALLOWED_BY.resource : ALLOWED_BY.resource;
}

/**
 * All sides that would have to allow a request that is not allowed, and do not, the one that decided first. AWS's refusals name that one
 * alone; who mends them wants to know them all.
 */
export function lackingSides(request: PolicyRequest, policies: PolicySets, { by }: Verdict): readonly Side[] {
  if (by === "root" || by === "owner") return [];
  const { principal, resourceAccount } = request;
  const isAcross = principal.account !== undefined && principal.account !== resourceAccount;
  if (by === "resource" && !isAcross) return ["resource"];
  const granted = grantOf(policies.resource, request);
  const lacks = (side: Side): boolean => policies[side].length > 0 && !allows(policies[side], request);
  const lacking: Side[] = [];
  if (principal.type !== "root") {
    if ((isAcross || granted !== "role") && !allows(policies.identity, request)) lacking.push("identity");
    if (lacks("boundary")) lacking.push("boundary");
    if (lacks("session")) lacking.push("session");
  }
  if (isAcross && granted === undefined) lacking.push("resource");
  return lacking;
}

/** The principal's own side: its policies within its boundary and its session's policies. */
function withinLimits(request: PolicyRequest, policies: PolicySets, isGrantedElsewhere: boolean): Verdict {
  if (!isGrantedElsewhere && !allows(policies.identity, request)) return NOT_ALLOWED_BY.identity;
  if (policies.boundary.length > 0 && !allows(policies.boundary, request)) return NOT_ALLOWED_BY.boundary;
  if (policies.session.length > 0 && !allows(policies.session, request)) return NOT_ALLOWED_BY.session;
  return ALLOWED_BY.identity;
}

function denies(policies: readonly SourcedPolicy[], request: PolicyRequest, hasPrincipals: boolean): boolean {
  for (const { policy } of policies) {
    for (const statement of policy.statements) {
      if (statement.effect === "Deny" && mismatchOf(statement, request, hasPrincipals) === undefined) return true;
    }
  }
  return false;
}

function allows(policies: readonly SourcedPolicy[], request: PolicyRequest): boolean {
  for (const { policy } of policies) {
    for (const statement of policy.statements) {
      if (statement.effect === "Allow" && mismatchOf(statement, request, false) === undefined) return true;
    }
  }
  return false;
}

/** The closest grant of the policies on the resource. */
function grantOf(policies: readonly SourcedPolicy[], request: PolicyRequest): PrincipalMatch {
  let closest: PrincipalMatch;
  for (const { policy } of policies) {
    for (const statement of policy.statements) {
      if (statement.effect !== "Allow" || mismatchOf(statement, request, true) !== undefined) continue;
      const closeness = closenessOf(statement, request.principal);
      if (closeness === "named") return closeness;
      if (closeness === "role" || closest === undefined) closest = closeness;
    }
  }
  return closest;
}
