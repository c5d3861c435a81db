export { authorizeIn, type AuthorizeInput } from "./authorize.js";
export type { MatchingStatement, MatchingStatements, PolicyDecision } from "./policy/decision.js";
export { evaluatePolicies, type EvaluatePoliciesInput, type PolicyInput } from "./policy/evaluate-policies.js";
export type { PolicyPrincipal } from "./policy/principal.js";
export { policyFault, type PolicyKind } from "./policy/validate.js";
export { iamService } from "./service.js";
export { stsService } from "./sts/service.js";
export type * from "./log-events.js";
export type * from "./operations.js";
