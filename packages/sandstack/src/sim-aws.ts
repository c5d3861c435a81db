import { checkCaller, frames, invalidOption, World, type Caller, type SimLog } from "@sandstack/core";
import { SdkRequestHandler, typeFault } from "@sandstack/protocol";
import { readDelivery } from "@sandstack/sqs";
import { checkSimAwsOptions, type SimAwsOptions } from "./sim-aws-options.js";
import { SimClock } from "./sim-clock.js";
import { SimScope } from "./sim-scope.js";
import { services } from "./services.js";

const DEFAULT_SEED = "sandstack";

/** Where the world is found in a `SimAws`, also in one that another copy of this package made. */
const WORLD: unique symbol = Symbol.for("sandstack.world");

/**
 * A sealed AWS inside the process: accounts, regions, one clock, one scheduler. Two of them share nothing.
 *
 * A direct call that names no caller is made by whom `runAs` says, else by the account's root, wherever it is made: also inside a
 * function that is run in process, which is test code here and not its execution role.
 */
export class SimAws extends SimScope {
  readonly defaultAccountId: string;
  readonly defaultRegionName: string;
  readonly #world: World;
  readonly #clock: SimClock;

  /** @throws SimInvalidOption for an option there is not, or a value that would mean nothing */
  constructor(options: SimAwsOptions = {}) {
    checkSimAwsOptions(options);
    const { defaultAccountId = "888888888888", defaultRegionName = "us-east-1", startTime, seed = DEFAULT_SEED, clock = "manual", iam = "enforce", delivery } = options;
    const world = new World({ services, seed, clock, startTimeMs: startTime?.getTime(), iam, settings: { delivery: readDelivery(delivery) } });
    super(world, { accountId: defaultAccountId, region: defaultRegionName });
    world.sdkRequestHandler = (scope) => new SdkRequestHandler(world, { scope });
    world.typeFault = (serviceId, operationName, input) => typeFault(world, serviceId, operationName, input);
    this.defaultAccountId = defaultAccountId;
    this.defaultRegionName = defaultRegionName;
    this.#world = world;
    this.#clock = new SimClock(world);
  }

  /** For the parts of this package. */
  get [WORLD](): World {
    return this.#world;
  }

  clock(): SimClock {
    return this.#clock;
  }

  /**
   * Resolves when no background work is runnable at the present instant: deliveries, invocations, deployments.
   * Work that waits for the clock is not runnable; a function in process that shows no sign of life for two real seconds is taken for
   * such, and may still be running.
   *
   * @throws SimRunawayWork when work keeps producing work without time passing, after a chain of 200 invocations that each led to the next; it names the functions and queues
   */
  async backgroundTasksComplete(): Promise<void> {
    await this.#world.background.settle();
  }

  /** Empties all accounts and regions and ends parked receives. The clock stays where it is. */
  reset(): void {
    this.#world.reset();
  }

  /** What happened, as typed records: `log().filter({ message })`, `String(log())`. */
  log(): SimLog {
    return this.#world.log();
  }

  /**
   * Runs `run`; every call made inside it that names no caller is made by `caller`.
   *
   * @throws SimUnknownCaller for what is no caller; whether there is such a user or role is asked by each call
   */
  runAs<T>(caller: Caller, run: () => T): T {
    checkCaller(caller);
    if (typeof run !== "function") throw invalidOption("The second argument of runAs", "the function to run", run);
    const frame = frames.getStore();
    // Inside an invocation of another world this world's calls are no part of it.
    const inside = frame?.world === this.#world ? frame : undefined;
    return frames.run({ ...inside, world: this.#world, caller }, run);
  }
}

/** The world behind a `SimAws`. @throws SimInvalidOption for anything else */
export function worldOf(simAws: SimAws): World {
  const world = (simAws as SimAws | null)?.[WORLD]; // users without types give anything
  if (world === undefined) throw invalidOption("simAws", "a SimAws", simAws);
  return world;
}
