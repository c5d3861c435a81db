import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import type { Mismatch } from "../matching.js";
import { lackIn } from "../unavailable.js";
import { runCall } from "./call.js";
import { runAdvance, runSettle } from "./clock.js";
import { isControlStep, runControlStep } from "./control.js";
import { runDrain } from "./drain.js";
import { runEvaluate } from "./evaluate.js";
import { runHttp } from "./http.js";
import { runInvocations, runLambda } from "./lambda.js";
import { runPrincipal } from "./principal.js";
import { runHistory, runPeek, runReset } from "./records.js";
import { runDeleteStack, runDeploy } from "./stack.js";
import { runAwait, runAwaitAll, runPending } from "./waiting.js";

/** Where a case failed. */
export interface CaseFailure extends Mismatch {
  /** The step's index; `4.0` is the first step inside the fifth. */
  readonly step: string;
}

type RunStep = (run: CaseRun, step: Step) => Promise<Mismatch | undefined>;

/** What to do for a step, by the key that tells its kind. */
const kinds: Readonly<Record<string, RunStep>> = {
  service: runCall,
  await: runAwait,
  awaitAll: runAwaitAll,
  pending: runPending,
  advance: runAdvance,
  settle: runSettle,
  lambda: runLambda,
  invocations: runInvocations,
  deploy: runDeploy,
  deleteStack: runDeleteStack,
  principal: runPrincipal,
  evaluate: runEvaluate,
  drain: runDrain,
  history: runHistory,
  peek: runPeek,
  reset: runReset,
  http: runHttp,
};

/**
 * Runs steps in order up to the first that does not do as expected.
 *
 * @param place the index of the step that holds these, with its dot: `4.`
 * @throws what says that the sandbox lacks something the steps use
 */
export async function runSteps(run: CaseRun, steps: readonly Step[], place = ""): Promise<CaseFailure | undefined> {
  for (const [index, step] of steps.entries()) {
    const at = `${place}${index}`;
    run.currentStep = at;
    const failure = isControlStep(step) ? await runControlStep(run, step, at, (held) => runSteps(run, held, `${at}.`)) : await runPlainStep(run, step, at);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function runPlainStep(run: CaseRun, step: Step, at: string): Promise<CaseFailure | undefined> {
  const key = Object.keys(step).find((name) => Object.hasOwn(kinds, name));
  const runStep = key === undefined ? undefined : kinds[key];
  if (runStep === undefined) return { step: at, path: "the step", expected: `one of the keys ${Object.keys(kinds).join(", ")}`, actual: Object.keys(step) };
  try {
    const mismatch = await runStep(run, step);
    return mismatch === undefined ? undefined : { step: at, ...mismatch };
  } catch (error) {
    if (lackIn(error) !== undefined) throw error;
    return { step: at, path: key ?? "", expected: "no error", actual: error };
  }
}
