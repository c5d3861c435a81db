import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";

interface AdvanceStep {
  readonly advance: { readonly seconds: number };
  readonly instance?: string;
}

export async function runAdvance(run: CaseRun, step: Step): Promise<undefined> {
  const { advance, instance } = run.filled<AdvanceStep>(step);
  await run.instance(instance).simAws.clock().advanceBy({ seconds: advance.seconds });
}

export async function runSettle(run: CaseRun, step: Step): Promise<undefined> {
  const { instance } = run.filled<{ instance?: string }>(step);
  await run.instance(instance).simAws.backgroundTasksComplete();
}
