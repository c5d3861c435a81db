import { frames, parseArn, type Caller, type ConditionContext, type Scope, type World } from "@sandstack/core";
import type { PolicyDecision } from "./policy/decision.js";
import type { PolicyInput } from "./policy/evaluate-policies.js";
import { iamService } from "./service.js";
import type { IamState } from "./state.js";

export interface AuthorizeInput {
  /** `sqs:SendMessage` */
  readonly action: string;
  /** The ARN, or `*` for an action without a resource. Its account is whose resource it is; without one it is the account asked. */
  readonly resource: string;
  /** Who would call. Default: as for a call that names nobody. */
  readonly caller?: Caller | undefined;
  /**
   * The resource's own policies, as objects or JSON texts: a queue's `Policy`, a function's permissions. They are not looked up;
   * only the trust policy of a role is, for STS's actions.
   */
  readonly resourcePolicies?: readonly PolicyInput[] | undefined;
  /** Condition keys beyond the global ones, or in their place: `{ "aws:SourceArn": topicArn }`. */
  readonly conditionContext?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
}

/**
 * Asks IAM a question without making the call: would it be allowed, and which statement says so?
 *
 * It answers also in a world that enforces nothing. Nothing is recorded.
 *
 * @throws AWS's error for credentials of nobody
 * @throws SimMalformedPolicy for a policy that is no JSON object
 */
export function authorizeIn(world: World, scope: Scope, input: AuthorizeInput): PolicyDecision {
  const { action, resource, caller, resourcePolicies, conditionContext } = input;
  const frame = frames.getStore();
  const resourceAccountId = parseArn(resource)?.accountId || scope.accountId;
  const policies = resourcePolicies?.map((policy) => (typeof policy === "string" ? policy : JSON.stringify(policy)));
  const decision = world.authorizer.authorize({
    principal: world.authorizer.resolve(caller === undefined && frame?.world === world ? frame.caller : caller, scope),
    action,
    resource,
    resourceAccountId,
    resourcePolicies: policies ?? trustPolicies(world, action, resource, resourceAccountId),
    region: scope.region,
    context: textValues(conditionContext),
  });
  return decision as PolicyDecision; // the world's authorizer is this package's, whose decisions are these
}

function trustPolicies(world: World, action: string, resource: string, accountId: string): readonly string[] {
  if (!/^sts:/i.test(action) || !/:role\//.test(resource)) return [];
  const state = world.stateOf(iamService, { accountId, region: "" }) as IamState; // of this service's own definition
  const role = state.roles.get(resource.slice(resource.lastIndexOf("/") + 1));
  return role?.arn === resource ? [role.trustPolicy] : [];
}

function textValues(context: AuthorizeInput["conditionContext"] = {}): ConditionContext {
  const texts: Record<string, string | readonly string[] | undefined> = {};
  for (const [key, value] of Object.entries(context)) texts[key] = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return texts;
}
