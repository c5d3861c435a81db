import type { AuthorizationRequest, Authorizer, AuthorizerWorld, Principal } from "@sandstack/core";
import { Callers } from "./callers.js";
import { boundaryOf, policiesOfRole, policiesOfUser } from "./identity-policies.js";
import { compilePolicy } from "./policy/compile.js";
import { decide, type PolicyDecision } from "./policy/decision.js";
import type { PolicySets, SourcedPolicy } from "./policy/evaluate.js";
import type { PolicyPrincipal } from "./policy/principal.js";
import type { PolicyRequest } from "./policy/statement.js";
import { RequestKeys } from "./request-keys.js";
import type { IamState } from "./state.js";

/** IAM's say in the door: who calls, and whether they may. */
export function makeAuthorizer(world: AuthorizerWorld<IamState>): Authorizer {
  // IAM's state is the account's: any region leads to it.
  const stateOf = (accountId: string): IamState => world.stateOf({ accountId, region: "us-east-1" });
  const callers = new Callers({
    stateOf,
    get nowMs() {
      return world.nowMs;
    },
  });
  return {
    resolve: (caller, scope) => callers.resolve(caller, scope),
    credentialsOf: (accessKeyId) => callers.credentialsOf(accessKeyId),
    authorize: (request) => authorize(request, stateOf, world.nowMs),
  };
}

function authorize(request: AuthorizationRequest, stateOf: (accountId: string) => IamState, nowMs: number): PolicyDecision {
  const { principal, action, resource, resourceAccountId, resourcePolicies, policiesAre, ownerOnly } = request;
  const side = principalSide(principal, stateOf);
  const asked: PolicyRequest = {
    principal: policyPrincipal(principal),
    action,
    lowerCaseAction: action.toLowerCase(),
    resource,
    resourceAccount: resourceAccountId,
    keys: new RequestKeys(request, nowMs, side.tags),
    ownerOnly,
    policiesAre,
  };
  const resourceSide = resourcePolicies === undefined || resourcePolicies.length === 0 ? NONE : resourcePolicies.map(resourcePolicy);
  return decide(asked, { identity: side.identity, boundary: side.boundary, session: side.session, resource: resourceSide }, side.notes);
}

interface PrincipalSide extends Pick<PolicySets, "identity" | "boundary" | "session"> {
  readonly tags?: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

const NONE: readonly SourcedPolicy[] = [];
const NO_SIDE: PrincipalSide = { identity: NONE, boundary: NONE, session: NONE, notes: [] };

/** The principal's own policies. Somebody whom the sandbox has not got has none. */
function principalSide(principal: Principal, stateOf: (accountId: string) => IamState): PrincipalSide {
  if (principal.kind === "user") {
    const state = stateOf(principal.accountId);
    const user = state.users.get(principal.userName);
    if (user === undefined || user.arn !== principal.arn) return { ...NO_SIDE, notes: [unknownNote("user", principal.arn, principal.accountId)] };
    return { identity: policiesOfUser(state, user), boundary: boundaryOf(state, user), session: NONE, tags: user.tags, notes: NO_SIDE.notes };
  }
  if (principal.kind === "role-session") {
    const state = stateOf(principal.accountId);
    const role = state.roles.get(principal.roleName);
    const session = principal.sessionPolicies?.map(sessionPolicy) ?? NONE;
    if (role === undefined || role.arn !== principal.roleArn) return { ...NO_SIDE, session, notes: [unknownNote("role", principal.roleArn, principal.accountId)] };
    return { identity: policiesOfRole(state, role), boundary: boundaryOf(state, role), session, tags: role.tags, notes: NO_SIDE.notes };
  }
  return NO_SIDE;
}

function unknownNote(kind: string, arn: string, accountId: string): string {
  return `The sandbox has no ${kind} ${arn} in account ${accountId}, so no policy of its own allows anything.`;
}

function resourcePolicy(text: string): SourcedPolicy {
  return { kind: "resource", policy: compilePolicy(text) };
}

function sessionPolicy(text: string): SourcedPolicy {
  return { kind: "session", policy: compilePolicy(text) };
}

function policyPrincipal(principal: Principal): PolicyPrincipal {
  switch (principal.kind) {
    case "root":
      return { type: "root", arn: principal.arn, account: principal.accountId, userId: principal.userId };
    case "user":
      return { type: "user", arn: principal.arn, account: principal.accountId, userId: principal.userId };
    case "role-session":
      return { type: "session", arn: principal.arn, account: principal.accountId, roleArn: principal.roleArn, userId: principal.userId };
    case "service":
      return { type: "service", arn: principal.service };
    case "anonymous":
      return { type: "anonymous", arn: "" };
  }
}
