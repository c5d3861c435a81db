export type { MatchingStatement, MatchingStatements, PolicyDecision } from "./policy/decision.js";
export { evaluatePolicies, type EvaluatePoliciesInput, type PolicyInput } from "./policy/evaluate-policies.js";
export type { PolicyPrincipal } from "./policy/principal.js";
export { iamService } from "./service.js";
export { stsService } from "./sts/service.js";
export type * from "./operations.js";
