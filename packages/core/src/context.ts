import type { AssetStore } from "./assets.js";
import type { InFlightWork } from "./background.js";
import type { CallOptions } from "./caller.js";
import type { LogEvent } from "./log.js";
import type { RandomState } from "./random.js";
import type { ResourceType } from "./resource-type.js";
import { unscheduleTask, type NewTask } from "./scheduler.js";
import type { Scope } from "./scope.js";
import type { Announcements, InputOf, OperationName, OutputOf, ServiceContext, ServiceDefinition, ServiceId, WorkMark, WorldSettings } from "./service.js";
import type { World } from "./world.js";

/** What service code sees of a world. */
export class WorldContext<State> implements ServiceContext<State> {
  readonly world: World;
  readonly definition: ServiceDefinition;
  readonly scope: Scope;
  readonly state: State;
  readonly cause: number | undefined;
  #generation: number;
  /** The instant that the generation is of. */
  #generationAtMs: number;

  constructor(world: World, definition: ServiceDefinition, scope: Scope, generation: number, cause: number | undefined) {
    this.world = world;
    this.definition = definition;
    this.scope = scope;
    this.state = world.stateOf(definition, scope) as State; // the definition's own state type
    this.#generation = generation;
    this.#generationAtMs = generation === 0 ? 0 : world.nowMs;
    this.cause = cause;
  }

  get nowMs(): number {
    return this.world.nowMs;
  }

  get generation(): number {
    return this.#generation === 0 || !this.world.isPresent(this.#generationAtMs) ? 0 : this.#generation;
  }

  get workMark(): WorkMark | undefined {
    const { generation } = this;
    return generation === 0 ? undefined : { generation, atMs: this.nowMs };
  }

  /** As `OperationContext.continueFrom`, for this piece of code itself. */
  raiseGeneration(generation: number): void {
    if (generation <= this.generation) return;
    this.#generation = generation;
    this.#generationAtMs = this.nowMs;
  }

  get random(): RandomState {
    return this.world.state.random;
  }

  get assets(): AssetStore {
    return this.world.assets;
  }

  get isIamEnforced(): boolean {
    return this.world.iam === "enforce";
  }

  get settings(): Readonly<WorldSettings> {
    return this.world.settings;
  }

  get resourceTypes(): ReadonlyMap<string, ResourceType> {
    return this.world.resourceTypes;
  }

  stateOf(scope: Scope): State {
    return this.world.stateOf(this.definition, scope) as State; // as above
  }

  record(event: LogEvent): number {
    return this.world.record(event, undefined, this.cause);
  }

  announce<Kind extends keyof Announcements>(kind: Kind, announcement: Announcements[Kind]): void {
    this.world.announce(kind, announcement, this.scope, this);
  }

  schedule(task: NewTask): number {
    // What falls due later is led to by the clock.
    const generation = this.world.isPresent(task.dueAtMs) ? this.generation : 0;
    return this.world.schedule({ scope: this.scope, generation, cause: this.cause, ...task });
  }

  unschedule(taskId: number): void {
    unscheduleTask(this.world.state.schedule, taskId);
  }

  async call<Id extends ServiceId, Name extends OperationName<Id>>(service: Id, operation: Name, input: InputOf<Id, Name>, options: CallOptions = {}): Promise<OutputOf<Id, Name>> {
    return (await this.world.invoke(this.scope, service, operation, input, options, this)) as OutputOf<Id, Name>; // the operations map ties the name to its output
  }

  wake(key: string): void {
    this.world.background.wake(key);
  }

  isAllowed<Id extends ServiceId, Name extends OperationName<Id>>(service: Id, operation: Name, input: InputOf<Id, Name>, options: CallOptions = {}): boolean {
    return this.world.wouldAllow(this.scope, service, operation, input, options);
  }

  runInFlight<T>(work: InFlightWork, run: () => Promise<T>): Promise<T> {
    return this.world.background.runInFlight(work, run);
  }

  runInBackground(work: InFlightWork, run: () => Promise<void>): void {
    this.world.background.runInBackground(work, run);
  }

  sdkRequestHandler(scope: Scope): unknown {
    return this.world.sdkRequestHandler?.(scope);
  }

  table<T>(name: string): Map<string, T> {
    return this.world.table(this.definition.id, name);
  }
}
