import { evaluatePolicies, type EvaluatePoliciesInput } from "sandstack/iam";
import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import type { Mismatch } from "../matching.js";

interface EvaluateStep {
  readonly evaluate: EvaluatePoliciesInput & { readonly expect: { readonly decision: "allowed" | "implicitDeny" | "explicitDeny" } };
}

const decisions = { Allow: "allowed", ImplicitDeny: "implicitDeny", ExplicitDeny: "explicitDeny" } as const;

/** Evaluates policies by themselves: no world, no service. */
export async function runEvaluate(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { expect, ...input } = run.filled<EvaluateStep>(step).evaluate;
  const decision = evaluatePolicies(input);
  const actual = decisions[decision.value];
  return actual === expect.decision ? undefined : { path: "decision", expected: expect.decision, actual: `${actual}: ${decision.explain()}` };
}
