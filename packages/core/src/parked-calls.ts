import type { InFlightWork } from "./background.js";
import { scheduleTask, unscheduleTask, type ScheduleState } from "./scheduler.js";

/** A call left open: a long poll. */
export interface Waiter<T> {
  /** What it waits for: a queue's ARN. */
  readonly key: string;
  readonly deadlineMs: number;
  /** The answer, or `undefined` when there is none yet. Called when the key is woken. */
  attempt(): T | undefined;
  /** The answer when the deadline comes, or the world ends the wait. */
  giveUp(): T;
  readonly signal?: AbortSignal | undefined;
}

export interface Parked {
  readonly id: number;
  readonly waiter: Waiter<unknown>;
  readonly deadlineTask: number;
  /** The invocation that the call was made from. */
  readonly work: InFlightWork | undefined;
  answer(value: unknown): void;
  fail(error: unknown): void;
  /** Stops listening to the signal, which may outlive many calls. */
  forgetSignal(): void;
}

/** The name of the scheduler's own task: a parked call's deadline. */
export const DEADLINE_TASK = "world.wait.ended";

/** No service's: the deadlines of parked calls are the world's own. */
const NO_SCOPE = { accountId: "", region: "" };

/** The calls that are left open, by what they wait for, first come first served. */
export class ParkedCalls {
  readonly #scheduleOf: () => ScheduleState;
  readonly #onLeft: (parked: Parked) => void;
  readonly #byKey = new Map<string, Parked[]>();
  readonly #byId = new Map<number, Parked>();
  #nextId = 1;

  /**
   * @param scheduleOf the world's schedule, which a reset puts another in the place of
   * @param onLeft called when a call is left open no more
   */
  constructor(scheduleOf: () => ScheduleState, onLeft: (parked: Parked) => void) {
    this.#scheduleOf = scheduleOf;
    this.#onLeft = onLeft;
  }

  get size(): number {
    return this.#byId.size;
  }

  has({ id }: Parked): boolean {
    return this.#byId.has(id);
  }

  [Symbol.iterator](): Iterator<Parked> {
    return [...this.#byId.values()][Symbol.iterator]();
  }

  /** @param onParked called with the call once it is left open, which one with an aborted signal never is */
  park<T>(waiter: Waiter<T>, work: InFlightWork | undefined, onParked: (parked: Parked) => void): Promise<T> {
    const { signal } = waiter;
    return new Promise<T>((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const id = this.#nextId++;
      const deadlineTask = scheduleTask(this.#scheduleOf(), { name: DEADLINE_TASK, dueAtMs: waiter.deadlineMs, scope: NO_SCOPE, args: id, generation: 0, cause: undefined });
      const onAbort = (): void => void (this.leave(parked) && reject(signal?.reason));
      const forgetSignal = (): void => signal?.removeEventListener("abort", onAbort);
      const parked: Parked = { id, waiter, deadlineTask, work, answer: (value) => resolve(value as T), fail: reject, forgetSignal }; // value comes from this waiter
      this.#byId.set(id, parked);
      const queue = this.#byKey.get(waiter.key);
      if (queue === undefined) this.#byKey.set(waiter.key, [parked]);
      else queue.push(parked);
      signal?.addEventListener("abort", onAbort);
      onParked(parked);
    });
  }

  /** Answers the calls on `key` that have an answer now. */
  wake(key: string): void {
    const queue = this.#byKey.get(key);
    if (queue === undefined) return;
    for (const parked of [...queue]) {
      const value = parked.waiter.attempt();
      if (value === undefined) return;
      this.leave(parked);
      parked.answer(value);
    }
  }

  /** Answers a call as its deadline does. */
  end(id: number): void {
    const parked = this.#byId.get(id);
    if (parked !== undefined && this.leave(parked)) parked.answer(parked.waiter.giveUp());
  }

  endAll(): void {
    for (const { id } of this) this.end(id);
  }

  /** Takes a call off; false when it was answered before. */
  leave(parked: Parked): boolean {
    if (!this.#byId.delete(parked.id)) return false;
    parked.forgetSignal();
    unscheduleTask(this.#scheduleOf(), parked.deadlineTask);
    const queue = this.#byKey.get(parked.waiter.key) ?? [];
    queue.splice(queue.indexOf(parked), 1);
    if (queue.length === 0) this.#byKey.delete(parked.waiter.key);
    this.#onLeft(parked);
    return true;
  }
}
