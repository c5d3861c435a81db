import { url as debuggerUrl } from "node:inspector";
import { createContext, Script, type Context } from "node:vm";

/** Node can interrupt a script that runs on and on; this one runs what its realm holds, code of whatever realm. */
const SCRIPT = new Script("run()", { filename: "sandstack:run" });
let realm: Context | undefined;

type Outcome<T> = { readonly kind: "returned"; readonly value: T } | { readonly kind: "threw"; readonly error: unknown };

/**
 * Keeps the code of one environment from holding the process for ever: code that never pauses is cut off where it stands after a bound of
 * real time, which none of its own handlers sees. The watch costs about 0.05 ms. Code called by code is within that one's bound.
 *
 * What goes on after an `await` is called by the engine itself and is not bounded. While a debugger is attached nothing is.
 */
export class SynchronousBound {
  #isInside = false;
  #hasOverrun = false;

  /** True once code was cut off: its environment is of no use any more. */
  get hasOverrun(): boolean {
    return this.#hasOverrun;
  }

  /** @throws what `run` throws; when it was cut off, an error that nobody is to be shown */
  run<T>(run: () => T, boundMs: number): T {
    if (this.#isInside || debuggerUrl() !== undefined) return run();
    this.#isInside = true;
    let outcome: Outcome<T> | undefined;
    try {
      outcome = runScript(run, boundMs);
    } finally {
      this.#isInside = false;
    }
    if (outcome?.kind === "returned") return outcome.value;
    if (outcome !== undefined) throw outcome.error;
    this.#hasOverrun = true;
    throw new Error(`The code ran for ${boundMs} ms without a pause.`);
  }
}

/** Answers `undefined` when `run` was cut off. */
function runScript<T>(run: () => T, timeout: number): Outcome<T> | undefined {
  const outcomes: Outcome<T>[] = [];
  realm ??= createContext({});
  realm["run"] = () => void outcomes.push(outcomeOf(run));
  try {
    SCRIPT.runInContext(realm, { timeout });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error; // errors of Node's carry a code
  }
  return outcomes[0];
}

function outcomeOf<T>(run: () => T): Outcome<T> {
  try {
    return { kind: "returned", value: run() };
  } catch (error) {
    return { kind: "threw", error };
  }
}
