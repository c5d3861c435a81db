import type { ConditionContext } from "@sandstack/core";
import { compileDocument, compilePolicy } from "./compile.js";
import { valueInContext, type ConditionKeys } from "./condition-keys.js";
import { decide, type PolicyDecision } from "./decision.js";
import type { JsonObject } from "./document.js";
import type { SourcedPolicy } from "./evaluate.js";
import type { PolicyPrincipal } from "./principal.js";

/** A policy as an object or as JSON text. */
export type PolicyInput = JsonObject | string;

export interface EvaluatePoliciesInput {
  readonly principal: PolicyPrincipal;
  /** The principal's policies; for a session those of its role. */
  readonly identityPolicies?: readonly PolicyInput[];
  /** The permissions boundary. */
  readonly boundary?: PolicyInput;
  readonly sessionPolicies?: readonly PolicyInput[];
  readonly resourcePolicy?: PolicyInput;
  readonly resourceAccount: string;
  /** `sqs:SendMessage` */
  readonly action: string;
  /** The ARN, or `*` for an action without a resource. */
  readonly resource: string;
  /** The request's condition keys. `aws:PrincipalArn` is the principal's (a session's role's) where it is not given; no other key is there unless given. */
  readonly context?: ConditionContext;
}

/**
 * AWS's policy evaluation by itself: no sandbox, no service, nothing looked up.
 *
 * @throws SimMalformedPolicy for a policy that is no JSON object
 */
export function evaluatePolicies(input: EvaluatePoliciesInput): PolicyDecision {
  const { principal, identityPolicies = [], boundary, sessionPolicies = [], resourcePolicy, resourceAccount, action, resource, context } = input;
  const request = { principal, action, lowerCaseAction: action.toLowerCase(), resource, resourceAccount, keys: givenKeys(principal, context) };
  return decide(request, {
    identity: identityPolicies.map((policy) => sourced("inline", policy)),
    resource: resourcePolicy === undefined ? [] : [sourced("resource", resourcePolicy)],
    boundary: boundary === undefined ? [] : [sourced("boundary", boundary)],
    session: sessionPolicies.map((policy) => sourced("session", policy)),
  });
}

function sourced(kind: SourcedPolicy["kind"], policy: PolicyInput): SourcedPolicy {
  return { kind, policy: typeof policy === "string" ? compilePolicy(policy) : compileDocument(policy) };
}

function givenKeys(principal: PolicyPrincipal, context: ConditionContext | undefined): ConditionKeys {
  const principalArn = principal.account === undefined ? undefined : (principal.roleArn ?? principal.arn);
  return { valueOf: (key) => valueInContext(context, key) ?? (key === "aws:principalarn" ? principalArn : undefined) };
}
