import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import type { CaseFailure } from "./index.js";

interface RepeatStep {
  readonly repeat: { readonly times: number; readonly as: string };
  readonly steps: readonly Step[];
}

interface BudgetStep {
  readonly budget: { readonly realMillis: number };
  readonly steps: readonly Step[];
}

type RunHeld = (steps: readonly Step[]) => Promise<CaseFailure | undefined>;

/** True for a step that holds steps. */
export function isControlStep(step: Step): boolean {
  return "repeat" in step || "budget" in step;
}

/** Runs the steps that `step`, standing at `at`, holds, as often and within as much time as it says. */
export async function runControlStep(run: CaseRun, step: Step, at: string, runHeld: RunHeld): Promise<CaseFailure | undefined> {
  return "repeat" in step ? repeatSteps(run, step as unknown as RepeatStep, at, runHeld) : budgetSteps(run, step as unknown as BudgetStep, at, runHeld); // told by the key
}

async function repeatSteps(run: CaseRun, { repeat: { times, as }, steps }: RepeatStep, at: string, runHeld: RunHeld): Promise<CaseFailure | undefined> {
  for (let index = 0; index < times; index++) {
    run.variables.set(as, index);
    const failure = await runHeld(steps);
    if (failure !== undefined) return { ...failure, step: failure.step.replace(at, `${at}[${as}=${index}]`) };
  }
  return undefined;
}

/** A budget is of real time, as the format has it, whichever way the calls take. */
async function budgetSteps(run: CaseRun, { budget, steps }: BudgetStep, at: string, runHeld: RunHeld): Promise<CaseFailure | undefined> {
  const startedMs = performance.now();
  const failure = await runHeld(steps);
  const tookMs = performance.now() - startedMs;
  if (failure !== undefined || !run.holdsBudgets || tookMs <= budget.realMillis) return failure;
  return { step: at, path: "budget.realMillis", expected: budget.realMillis, actual: Math.ceil(tookMs) };
}
