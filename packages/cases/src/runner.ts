import { setTimeout as delay } from "node:timers/promises";
import type { BehaviourCase } from "./case.js";
import { CaseRun } from "./case-run.js";
import { runSteps, type CaseFailure } from "./steps/index.js";
import { lackIn } from "./unavailable.js";
import type { Way } from "./via/send.js";

export type CaseResult = { readonly id: string; readonly title: string } & (
  | { readonly outcome: "passed" }
  | { readonly outcome: "failed"; readonly failure: CaseFailure }
  | { readonly outcome: "skipped"; readonly lacks: string }
);

export interface RunOptions {
  /** How calls are made. Default `"direct"`. */
  readonly via?: Way;
  /** Whether a case fails that takes longer than its budget of real time: not where others share the machine. Default true. */
  readonly holdsBudgets?: boolean;
}

/** How long a case may take in real time before it is given up, in milliseconds: a case that hangs has failed. */
const CASE_LIMIT_MS = 60_000;

/** Runs one case against a fresh world. */
export async function runCase({ id, title, settings = {}, steps }: BehaviourCase, { via = "direct", holdsBudgets = true }: RunOptions = {}): Promise<CaseResult> {
  const run = new CaseRun(settings, via, holdsBudgets);
  const limit = new AbortController();
  try {
    const failure = await Promise.race([runSteps(run, steps), timeOut(run, limit.signal)]);
    return failure === undefined ? { id, title, outcome: "passed" } : { id, title, outcome: "failed", failure };
  } catch (error) {
    const lacks = lackIn(error);
    if (lacks === undefined) throw error;
    return { id, title, outcome: "skipped", lacks };
  } finally {
    limit.abort();
    await run.close();
  }
}

async function timeOut(run: CaseRun, signal: AbortSignal): Promise<CaseFailure | undefined> {
  try {
    await delay(CASE_LIMIT_MS, undefined, { signal });
  } catch {
    return undefined; // called off: the case has ended
  }
  return { step: run.currentStep, path: "the step", expected: `an end within ${CASE_LIMIT_MS / 1000} s`, actual: "none" };
}
