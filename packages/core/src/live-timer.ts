import { readClock, type ClockState } from "./clock.js";
import { afterHostDelay } from "./host.js";
import { nextDueMs, type ScheduleState } from "./scheduler.js";

/** A timer's longest delay, in milliseconds; a task due later is looked at again then. */
const MAX_TIMER_MS = 0x7fff_ffff;

/** What the timer looks at; read anew each time, for a reset puts others in their place. */
interface TimedWorld {
  readonly state: { readonly clock: ClockState; readonly schedule: ScheduleState };
}

/** With a live clock: the host's timer for the earliest task. With a manual one it is never armed. */
export class LiveTimer {
  readonly #world: TimedWorld;
  readonly #isAwaited: () => boolean;
  readonly #onFired: () => void;
  #cancel: (() => void) | undefined;
  #dueMs = Number.POSITIVE_INFINITY;

  /** @param isAwaited whether somebody waits for what the timer runs, so that it keeps the process alive */
  constructor(world: TimedWorld, isAwaited: () => boolean, onFired: () => void) {
    this.#world = world;
    this.#isAwaited = isAwaited;
    this.#onFired = onFired;
  }

  /** Sees to it that the earliest task is run in time. */
  arm(): void {
    const { clock, schedule } = this.#world.state;
    if (clock.mode !== "live") return;
    const dueMs = nextDueMs(schedule);
    if (dueMs === undefined || dueMs >= this.#dueMs) return;
    this.#cancel?.();
    this.#dueMs = dueMs;
    const delayMs = Math.min(Math.max(0, dueMs - readClock(clock)), MAX_TIMER_MS);
    this.#cancel = afterHostDelay(delayMs, () => this.fire(), { unref: !this.#isAwaited() });
  }

  /** To be called when the clock was moved, or who waits for it has changed. */
  rearm(): void {
    this.disarm();
    this.arm();
  }

  disarm(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#dueMs = Number.POSITIVE_INFINITY;
  }

  /** As when the time has come. */
  fire(): void {
    this.disarm();
    this.#onFired();
  }
}
