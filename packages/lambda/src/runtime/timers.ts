import { AsyncResource } from "node:async_hooks";
import { promisify } from "node:util";
import type { RuntimeHost } from "./runtime-host.js";

/** Node's longest delay; a longer one is taken as 1 ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

interface Timer {
  run(): void;
  readonly everyMs: number | undefined;
  readonly delayMs: number;
  callOff(): void;
}

/** What `setTimeout` and its like answer. */
class TimerHandle {
  readonly #timers: SandboxTimers;
  readonly #id: number;
  #hasRef = true;

  constructor(timers: SandboxTimers, id: number) {
    this.#timers = timers;
    this.#id = id;
  }

  ref(): this {
    this.#hasRef = true;
    return this;
  }
  unref(): this {
    this.#hasRef = false;
    return this;
  }
  hasRef(): boolean {
    return this.#hasRef;
  }
  refresh(): this {
    this.#timers.refresh(this.#id);
    return this;
  }
  close(): this {
    this.#timers.clear(this.#id);
    return this;
  }
  [Symbol.toPrimitive](): number {
    return this.#id;
  }
}

/**
 * The timers of one execution environment, on the sandbox's clock. A delay of 0 is due at once, without the clock moving.
 *
 * Between invocations an environment is frozen, as on AWS: what falls due then runs when the next invocation begins.
 */
export class SandboxTimers {
  readonly #host: () => RuntimeHost;
  readonly #enter: (callback: () => void) => void;
  readonly #pending = new Map<number, Timer>();
  readonly #overdue = new Set<number>();
  #nextId = 1;
  #isFrozen = true;

  /** @param enter calls a callback and sees to what it throws */
  constructor(host: () => RuntimeHost, enter: (callback: () => void) => void) {
    this.#host = host;
    this.#enter = enter;
  }

  /** True while a timer is still to fall due. */
  get hasPending(): boolean {
    return this.#pending.size > this.#overdue.size;
  }

  thaw(): void {
    this.#isFrozen = false;
    const overdue = [...this.#overdue];
    this.#overdue.clear();
    for (const id of overdue) this.fire(id);
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  /** Runs a timer that has fallen due. */
  fire(id: number): void {
    const timer = this.#pending.get(id);
    if (timer === undefined) return;
    if (this.#isFrozen) {
      this.#overdue.add(id);
      return;
    }
    if (timer.everyMs === undefined) this.#pending.delete(id);
    else this.#schedule(id, timer, Math.max(1, timer.everyMs));
    timer.run();
  }

  clear(id: number): void {
    this.#pending.get(id)?.callOff();
    this.#pending.delete(id);
    this.#overdue.delete(id);
  }

  clearAll(): void {
    for (const id of [...this.#pending.keys()]) this.clear(id);
  }

  refresh(id: number): void {
    const timer = this.#pending.get(id);
    if (timer === undefined) return;
    timer.callOff();
    this.#schedule(id, timer, timer.delayMs);
  }

  start(callback: (...args: unknown[]) => void, delay: unknown, args: readonly unknown[], repeats: boolean): TimerHandle {
    if (typeof callback !== "function") {
      throw Object.assign(new TypeError(`The "callback" argument must be of type function. Received ${String(callback)}`), { code: "ERR_INVALID_ARG_TYPE" });
    }
    const id = this.#nextId++;
    const delayMs = delayOf(delay);
    // Bound to the invocation that set it, so that calls made from it are that invocation's.
    const run = AsyncResource.bind(() => this.#enter(() => callback(...args)));
    this.#schedule(id, { run, everyMs: repeats ? delayMs : undefined, delayMs, callOff: () => {} }, delayMs);
    return new TimerHandle(this, id);
  }

  #schedule(id: number, timer: Timer, delayMs: number): void {
    const host = this.#host();
    this.#pending.set(id, { ...timer, callOff: host.startTimer(id, host.nowMs + delayMs) });
  }
}

function delayOf(delay: unknown): number {
  const delayMs = Number(delay);
  if (!(delayMs >= 1)) return 0;
  return delayMs > MAX_DELAY_MS ? 1 : Math.trunc(delayMs);
}

type TimerFunctions = Readonly<Record<"setTimeout" | "setInterval" | "setImmediate" | "clearTimeout" | "clearInterval" | "clearImmediate", (...args: never[]) => unknown>>;

/** The timer functions of the environment's globals and of `node:timers`. */
export function timerFunctions(timers: SandboxTimers): TimerFunctions {
  const clear = (handle: unknown): void => {
    if (handle !== undefined && handle !== null) timers.clear(Number(handle));
  };
  const { setTimeout: later, setImmediate: soon } = timerPromises(timers);
  const setTimeout = (callback: () => void, delay?: unknown, ...args: unknown[]): TimerHandle => timers.start(callback, delay, args, false);
  const setImmediate = (callback: () => void, ...args: unknown[]): TimerHandle => timers.start(callback, 0, args, false);
  return {
    setTimeout: Object.defineProperty(setTimeout, promisify.custom, { value: later }),
    setInterval: (callback: () => void, delay?: unknown, ...args: unknown[]) => timers.start(callback, delay, args, true),
    setImmediate: Object.defineProperty(setImmediate, promisify.custom, { value: soon }),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
}

interface TimerPromises {
  readonly setTimeout: <T>(delay?: number, value?: T, options?: { signal?: AbortSignal }) => Promise<T | undefined>;
  readonly setImmediate: <T>(value?: T, options?: { signal?: AbortSignal }) => Promise<T | undefined>;
  readonly setInterval: <T>(delay?: number, value?: T, options?: { signal?: AbortSignal }) => AsyncGenerator<T | undefined>;
  readonly scheduler: { wait(delay?: number, options?: { signal?: AbortSignal }): Promise<unknown>; yield(): Promise<unknown> };
}

/** `node:timers/promises` on the sandbox's clock. */
export function timerPromises(timers: SandboxTimers): TimerPromises {
  const wait = <T>(delay: unknown, value: T | undefined, signal: AbortSignal | undefined): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const handle = timers.start(() => resolve(value), delay, [], false);
      signal?.addEventListener(
        "abort",
        () => {
          handle.close();
          reject(signal.reason);
        },
        { once: true },
      );
    });
  return {
    setTimeout: (delay, value, { signal } = {}) => wait(delay, value, signal),
    setImmediate: (value, { signal } = {}) => wait(0, value, signal),
    async *setInterval(delay, value, { signal } = {}) {
      for (;;) {
        await wait(Math.max(1, Number(delay ?? 1)), undefined, signal);
        yield value;
      }
    },
    scheduler: { wait: (delay, { signal } = {}) => wait(delay, undefined, signal), yield: () => wait(0, undefined, undefined) },
  };
}

/** `AbortSignal` whose `timeout()` is on the sandbox's clock. */
export function sandboxAbortSignal(timers: SandboxTimers): typeof AbortSignal {
  const timeout = (delay: number): AbortSignal => {
    const controller = new AbortController();
    timers.start(() => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")), delay, [], false).unref();
    return controller.signal;
  };
  return new Proxy(AbortSignal, { get: (target, property, receiver) => (property === "timeout" ? timeout : Reflect.get(target, property, receiver)) });
}
