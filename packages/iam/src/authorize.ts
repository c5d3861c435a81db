import { checkOptions, frames, invalidOption, memberNames, parseArn, type AuthorizationRequest, type Caller, type ConditionContext, type Scope, type World } from "@sandstack/core";
import type { PolicyDecision } from "./policy/decision.js";
import type { PolicyInput } from "./policy/evaluate-policies.js";

export interface AuthorizeInput {
  /** `sqs:SendMessage` */
  readonly action: string;
  /** The ARN, or `*` for an action without a resource. Its account is whose resource it is; without one it is the account asked. */
  readonly resource: string;
  /** Who would call. Default: as for a call that names nobody. */
  readonly caller?: Caller | undefined;
  /**
   * Policies to be taken for the resource's own, as objects or JSON texts. Default: those that the world has under its ARN, such as a
   * queue's `Policy`, a function's permissions or, for STS's actions, a role's trust policy.
   */
  readonly resourcePolicies?: readonly PolicyInput[] | undefined;
  /** Condition keys beyond the global ones, or in their place: `{ "aws:SourceArn": topicArn }`. */
  readonly conditionContext?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
}

const MEMBERS = memberNames<AuthorizeInput>({ action: true, resource: true, caller: true, resourcePolicies: true, conditionContext: true });

/**
 * Asks IAM a question without making the call: would it be allowed, and which statement says so?
 *
 * It answers also in a world that enforces nothing. Nothing is recorded.
 *
 * @throws AWS's error for credentials of nobody
 * @throws SimMalformedPolicy for a policy that is no JSON object
 * @throws SimInvalidOption, SimUnknownCaller
 */
export function authorizeIn(world: World, scope: Scope, input: AuthorizeInput): PolicyDecision {
  checkInput(input);
  const { action, resource, caller, conditionContext } = input;
  const frame = frames.getStore();
  const resourceAccountId = parseArn(resource)?.accountId || scope.accountId;
  const decision = world.authorizer.authorize({
    principal: world.authorizer.resolve(caller === undefined && frame?.world === world ? frame.caller : caller, scope),
    action,
    resource,
    resourceAccountId,
    ...resourceSide(world, scope, input),
    region: scope.region,
    context: textValues(conditionContext),
  });
  return decision as PolicyDecision; // the world's authorizer is this package's, whose decisions are these
}

function checkInput(input: AuthorizeInput): void {
  checkOptions("iam().authorize()", input, MEMBERS);
  const { action, resource, resourcePolicies } = input;
  if (typeof action !== "string") throw invalidOption("action", 'an action such as "sqs:SendMessage"', action);
  if (typeof resource !== "string") throw invalidOption("resource", 'an ARN, or "*" for an action without a resource', resource);
  if (resourcePolicies !== undefined && !Array.isArray(resourcePolicies)) throw invalidOption("resourcePolicies", "a list of policies", resourcePolicies);
}

type ResourceSide = Pick<AuthorizationRequest, "resourcePolicies" | "policiesAre" | "ownerOnly">;

/** The resource's say: the policies given, or those the world has under its ARN. */
function resourceSide(world: World, scope: Scope, { action, resource, resourcePolicies }: AuthorizeInput): ResourceSide {
  const arn = parseArn(resource);
  const definition = arn === undefined ? undefined : world.services.get(arn.service)?.definition;
  const state = definition && world.stateOf(definition, { accountId: arn?.accountId || scope.accountId, region: arn?.region || scope.region });
  const access = definition?.accessTo?.(state, resource, action);
  const ownerOnly = access?.ownerOnly;
  if (resourcePolicies !== undefined) {
    return { resourcePolicies: resourcePolicies.map((policy) => (typeof policy === "string" ? policy : JSON.stringify(policy))), policiesAre: "given", ownerOnly };
  }
  if (arn === undefined) return {};
  if (access === undefined) return { policiesAre: "unknown" };
  return { resourcePolicies: access.policies, policiesAre: access.policies === undefined ? "of-no-resource" : "found", ownerOnly };
}

function textValues(context: AuthorizeInput["conditionContext"] = {}): ConditionContext {
  const texts: Record<string, string | readonly string[] | undefined> = {};
  for (const [key, value] of Object.entries(context)) texts[key] = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return texts;
}
