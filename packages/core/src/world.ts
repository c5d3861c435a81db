import { AssetStore } from "./assets.js";
import { Background } from "./background.js";
import type { Authorizer, CallOptions, MintedCredentials } from "./caller.js";
import { changeClockMode, readClock, startClock, type ClockMode, type ClockState } from "./clock.js";
import { WorldContext } from "./context.js";
import type { InvokeOptions, ServiceOrigin } from "./door-context.js";
import { invoke, wouldAllow } from "./invoke.js";
import { invariant } from "./invariant.js";
import { appendToLog, emptyLog, recordsOf, SimLog, withPeriod, type LogEvent, type LogRecord, type LogState } from "./log.js";
import { DEADLINE_TASK } from "./parked-calls.js";
import type { ResourceType } from "./resource-type.js";
import { seedRandom, type RandomState } from "./random.js";
import { scopeKey, type Scope } from "./scope.js";
import { emptySchedule, scheduleTask, type NewTask, type ScheduleState, type Task } from "./scheduler.js";
import type { Announcements, Operation, ServiceContext, ServiceDefinition, TaskHandler, WorldSettings } from "./service.js";

/** Everything that a world remembers, as plain data: `structuredClone` of it is a snapshot. */
export interface WorldState {
  readonly clock: ClockState;
  readonly random: RandomState;
  readonly log: LogState;
  readonly schedule: ScheduleState;
  /** By service, then by scope key. Made on first touch. */
  readonly services: Record<string, Record<string, unknown>>;
}

export interface WorldOptions {
  readonly services: readonly ServiceDefinition[];
  readonly seed: string | number;
  readonly clock: ClockMode;
  /** Epoch milliseconds. Default: the host's now. */
  readonly startTimeMs?: number | undefined;
  readonly iam: "enforce" | "off";
  /** Default: none. */
  readonly settings?: Readonly<WorldSettings> | undefined;
}

/** A service as the world keeps it: its definition, indexed. */
export interface InstalledService {
  readonly definition: ServiceDefinition;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** How long work with a live clock counts as work of one instant, in milliseconds. */
const LIVE_INSTANT_MS = 1_000;

type Subscriber = (ctx: ServiceContext<unknown>, announcement: never) => void;

/** One sealed AWS: its state, its services, its background. Two worlds share nothing. */
export class World {
  state: WorldState;
  readonly iam: "enforce" | "off";
  readonly settings: Readonly<WorldSettings>;
  readonly assets = new AssetStore();
  readonly background: Background;
  readonly services: ReadonlyMap<string, InstalledService>;
  /** The CloudFormation resource types of all services, by name. */
  readonly resourceTypes: ReadonlyMap<string, ResourceType>;
  readonly authorizer: Authorizer;
  /** The credentials made for SDK clients, by access key. They outlive `reset()`, as the clients do that hold them. */
  readonly mintedCredentials = new Map<string, MintedCredentials>();
  /** Makes the `requestHandler` of SDK clients that call a scope; set by the package that knows the wire. */
  sdkRequestHandler: ((scope: Scope) => unknown) | undefined;
  /** AWS's error for an input of the wrong types, where an operation could make nothing of it; set by the package that knows the services' models. */
  typeFault: ((serviceId: string, operationName: string, input: unknown) => Error | undefined) | undefined;
  readonly #options: WorldOptions;
  readonly #taskHandlers = new Map<string, { definition: ServiceDefinition; handler: TaskHandler }>();
  readonly #subscribers = new Map<string, { definition: ServiceDefinition; subscriber: Subscriber }[]>();
  readonly #describers = new Map<string, (record: LogRecord) => string>();
  readonly #tables = new Map<string, Map<string, unknown>>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.iam = options.iam;
    this.settings = options.settings ?? {};
    this.state = emptyWorld(options);
    this.background = new Background(this);
    const services = new Map<string, InstalledService>();
    let authorizer: Authorizer | undefined;
    for (const definition of options.services) {
      services.set(definition.id, { definition, operations: new Map(definition.operations.map((operation) => [operation.name, operation])) });
      for (const [name, handler] of Object.entries(definition.tasks ?? {})) this.#taskHandlers.set(name, { definition, handler });
      for (const [kind, subscriber] of Object.entries(definition.subscriptions ?? {})) {
        const subscribers = this.#subscribers.get(kind) ?? [];
        subscribers.push({ definition, subscriber: subscriber as Subscriber }); // announce() gives each kind its own announcement
        this.#subscribers.set(kind, subscribers);
      }
      for (const [kind, describe] of Object.entries(definition.describe ?? {})) this.#describers.set(kind, describe);
      const world = this;
      authorizer ??= definition.authorizer?.({
        stateOf: (scope) => world.stateOf(definition, scope),
        get nowMs() {
          return world.nowMs;
        },
      });
    }
    invariant(authorizer, "a world has a service that authorizes");
    this.services = services;
    this.resourceTypes = new Map(options.services.flatMap((definition) => (definition.resourceTypes ?? []).map((resourceType) => [resourceType.type, resourceType])));
    this.authorizer = authorizer;
  }

  get nowMs(): number {
    return readClock(this.state.clock);
  }

  get clockMode(): ClockMode {
    return this.state.clock.mode;
  }

  /** Whether an instant is the present one, as far as work that leads to work is concerned: a live clock never stands still, so there it is the last second. */
  isPresent(instantMs: number): boolean {
    const distanceMs = Math.abs(instantMs - this.nowMs);
    return this.clockMode === "manual" ? distanceMs === 0 : distanceMs < LIVE_INSTANT_MS;
  }

  /** Stops the clock, or lets it run: what falls due meanwhile then runs by itself. */
  setClockMode(mode: ClockMode): void {
    changeClockMode(this.state.clock, mode);
    this.background.clockModeChanged();
  }

  /** A service's state in a scope, made on first touch. */
  stateOf(definition: ServiceDefinition, scope: Scope): unknown {
    const byScope = (this.state.services[definition.sharesStateWith ?? definition.id] ??= {});
    return (byScope[scopeKey(definition.reach, scope)] ??= definition.emptyState());
  }

  /** Asks a service through the door, as `invoke` of `invoke.ts`. */
  invoke(scope: Scope, serviceId: string, operationName: string, input: unknown, options: InvokeOptions, origin: ServiceOrigin): unknown {
    return invoke(this, scope, serviceId, operationName, input, options, origin);
  }

  /** Whether the door would let a call pass, as `wouldAllow` of `invoke.ts`. */
  wouldAllow(scope: Scope, serviceId: string, operationName: string, input: unknown, options: CallOptions): boolean {
    return wouldAllow(this, scope, serviceId, operationName, input, options);
  }

  record(event: LogEvent, principal: string | undefined, cause: number | undefined): number {
    const { log } = this.state;
    const id = log.appended + 1;
    appendToLog(log, { principal, cause, ...event, id, atMs: this.nowMs } as LogRecord); // an event with its number and instant is a record
    return id;
  }

  log(): SimLog {
    return new SimLog(recordsOf(this.state.log), (record) => this.#describers.get(record.kind)?.(record) ?? describeAnyRecord(record));
  }

  announce<Kind extends keyof Announcements>(kind: Kind, announcement: Announcements[Kind], scope: Scope, from: { generation: number; cause: number | undefined }): void {
    for (const { definition, subscriber } of this.#subscribers.get(kind) ?? []) {
      subscriber(new WorldContext(this, definition, scope, from.generation, from.cause), announcement as never); // the subscriber of this kind takes this announcement
    }
  }

  /** Runs one task; answers a promise when it is not done at once. */
  runTask(task: Task): void | Promise<void> {
    if (task.name === DEADLINE_TASK) return this.background.endWait(task.args as number); // the scheduler's own task carries a number
    const found = this.#taskHandlers.get(task.name);
    invariant(found, `a handler is registered for the task ${task.name}`);
    return found.handler(new WorldContext(this, found.definition, task.scope, task.generation, task.cause), task.args);
  }

  schedule(task: NewTask & { scope: Scope; generation: number; cause: number | undefined }): number {
    const sequence = scheduleTask(this.state.schedule, task);
    this.background.taskScheduled();
    return sequence;
  }

  table<T>(serviceId: string, name: string): Map<string, T> {
    const key = `${serviceId}/${name}`;
    let table = this.#tables.get(key);
    if (table === undefined) this.#tables.set(key, (table = new Map()));
    return table as Map<string, T>; // one name is used with one type
  }

  /** With a live clock nobody waits for the background, so a failure of ours is told in the log. */
  backgroundFailed(error: unknown): void {
    const { name, message } = error as Error;
    this.record({ kind: "call.failed", service: "world", operation: "background", errorName: name, message }, undefined, undefined);
  }

  /** Empties all accounts and regions and ends parked calls. The clock and the seeded generator go on. */
  reset(): void {
    this.background.stop();
    const { clock, random, schedule } = this.state;
    // Tasks go on being counted, so that none of the new world is called off by what remembers one of the old.
    this.state = { ...emptyWorld(this.#options), clock, random, schedule: { ...emptySchedule(), nextSequence: schedule.nextSequence } };
    this.#tables.clear();
    this.assets.clear();
  }
}

function emptyWorld(options: WorldOptions): WorldState {
  return {
    clock: startClock(options.clock, options.startTimeMs),
    random: seedRandom(options.seed),
    log: emptyLog(),
    schedule: emptySchedule(),
    services: {},
  };
}

function describeAnyRecord(record: LogRecord): string {
  if (record.kind === "call.denied") return `${record.principal ?? "somebody"} was denied ${record.action} on ${record.resource}: ${record.explanation}`;
  if (record.kind === "call.failed") return withPeriod(`${record.operation} by ${record.principal ?? "somebody"} failed: ${record.errorName}: ${record.message}`);
  const { id: _id, atMs: _atMs, kind, principal: _principal, cause: _cause, ...members } = record;
  return `${kind} ${JSON.stringify(members)}`;
}
