import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import type { Caller } from "sandstack";
import type { CaseSettings } from "./case.js";
import type { Outcome } from "./expectation.js";
import { ACCOUNT_ID, closeInstance, makeInstance, REGION, type Instance } from "./instance.js";
import { ways, type AwsCall, type Way } from "./via/send.js";
import { substitute } from "./values.js";

/** Turns of the event loop after which a call that is still open is taken to be parked. */
const TURNS_UNTIL_PARKED = 20;

/** A call that was started and not awaited. */
export interface StartedCall {
  readonly service: string;
  /** How it ended; `undefined` while it is open. */
  outcome: Outcome | undefined;
}

/** One case being run: its simulators and what it has saved. */
export class CaseRun {
  readonly variables = new Map<string, unknown>([
    ["account", ACCOUNT_ID],
    ["region", REGION],
  ]);
  readonly started = new Map<string, StartedCall>();
  /** Whether steps must keep their budgets of real time. */
  readonly holdsBudgets: boolean;
  /** The step being run: `4.0` is the first one inside the fifth. */
  currentStep = "";
  readonly #instances = new Map<string, Instance>();
  readonly #settings: CaseSettings;
  readonly #way: Way;

  constructor(settings: CaseSettings, way: Way, holdsBudgets: boolean) {
    this.#settings = settings;
    this.#way = way;
    this.holdsBudgets = holdsBudgets;
  }

  /** A simulator of this case, made on first use. */
  instance(name = "default"): Instance {
    let instance = this.#instances.get(name);
    if (instance === undefined) this.#instances.set(name, (instance = makeInstance(this.#settings)));
    return instance;
  }

  /** Ends what the case has started. */
  async close(): Promise<void> {
    for (const instance of this.#instances.values()) await closeInstance(instance);
  }

  /** The step with the variables saved so far. */
  filled<T>(step: unknown): T {
    return substitute(step, this.variables) as T; // the format's README says what a step of its key holds
  }

  /** Makes a call and answers how it ended; it never throws. */
  async outcomeOf(instance: Instance, call: AwsCall): Promise<Outcome> {
    const clock = instance.simAws.clock();
    const startedMs = clock.now().getTime();
    try {
      const output = await ways[this.#way].send(instance, call);
      return { output, virtualMs: clock.now().getTime() - startedMs };
    } catch (error) {
      return { error, virtualMs: clock.now().getTime() - startedMs };
    }
  }

  /** Starts a call and waits until it is parked or done. */
  async start(label: string, instance: Instance, call: AwsCall): Promise<void> {
    const started: StartedCall = { service: call.service, outcome: undefined };
    this.started.set(label, started);
    void this.outcomeOf(instance, call).then((outcome) => (started.outcome = outcome));
    await this.letCallsEnd();
  }

  /** Gives open calls the turns they need to end without the clock. */
  async letCallsEnd(): Promise<void> {
    const { latencyMs } = ways[this.#way];
    if (latencyMs > 0) await delay(latencyMs);
    for (let turn = 0; turn < TURNS_UNTIL_PARKED; turn++) await nextTurn();
  }
}

/** Who makes a step's call: a principal of the case, or credentials that it saved. */
export function callerOf(instance: Instance, as: unknown): Caller | undefined {
  if (as === undefined) return undefined;
  if (typeof as === "string") {
    const principal = instance.principals.get(as);
    if (principal === undefined) throw new Error(`The case names no principal ${as}.`);
    return principal;
  }
  const { AccessKeyId, SecretAccessKey, SessionToken } = (as as { credentials: Record<string, string> }).credentials; // the format's README
  return { kind: "credentials", credentials: { accessKeyId: AccessKeyId ?? "", secretAccessKey: SecretAccessKey ?? "", sessionToken: SessionToken } };
}
