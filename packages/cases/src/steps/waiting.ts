import type { Step } from "../case.js";
import type { CaseRun, StartedCall } from "../case-run.js";
import { matchOutcome, type Expectation } from "../expectation.js";
import { match, type Mismatch } from "../matching.js";

interface AwaitStep {
  readonly await: string;
  readonly expect?: Expectation;
}

/** A started call must have ended without the clock being moved. */
export async function runAwait(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { await: label, expect } = run.filled<AwaitStep>(step);
  const { service, outcome } = await endOf(run, label);
  return outcome === undefined ? { path: label, expected: "an ended call", actual: "still open" } : matchOutcome(expect, outcome, service);
}

interface AwaitAllStep {
  readonly awaitAll: readonly string[];
  readonly expect?: { readonly messageCounts: unknown };
}

export async function runAwaitAll(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { awaitAll: labels, expect } = run.filled<AwaitAllStep>(step);
  const messageCounts: number[] = [];
  for (const label of labels) {
    const { service, outcome } = await endOf(run, label);
    if (outcome === undefined) return { path: label, expected: "an ended call", actual: "still open" };
    const mismatch = matchOutcome(undefined, outcome, service);
    if (mismatch !== undefined) return { ...mismatch, path: `${label}.${mismatch.path}` };
    const { Messages = [] } = "output" in outcome ? (outcome.output as { Messages?: unknown[] }) : {}; // the format waits for receives
    messageCounts.push(Messages.length);
  }
  return expect === undefined ? undefined : match(expect.messageCounts, messageCounts, "messageCounts");
}

export async function runPending(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { pending: label } = run.filled<{ pending: string }>(step);
  const { outcome } = await endOf(run, label);
  return outcome === undefined ? undefined : { path: label, expected: "a call still open", actual: "output" in outcome ? outcome.output : outcome.error };
}

async function endOf(run: CaseRun, label: string): Promise<StartedCall> {
  await run.letCallsEnd();
  const started = run.started.get(label);
  if (started === undefined) throw new Error(`The case has started no call ${label}.`);
  return started;
}
