import { AsyncLocalStorage } from "node:async_hooks";
import type { Caller } from "./caller.js";
import { readClock, setClock } from "./clock.js";
import { simError } from "./errors.js";
import { afterHostDelay, nextTurn } from "./host.js";
import { LiveTimer } from "./live-timer.js";
import { ParkedCalls, type Parked, type Waiter } from "./parked-calls.js";
import { RunawayGuard } from "./runaway-guard.js";
import { nextDueMs, takeDueTask } from "./scheduler.js";
import type { World } from "./world.js";

/** How long a parked call is left open in real time when the clock is manual and nothing else is runnable, in milliseconds. */
export const PARKED_GRACE_MS = 100;

/** How many turns of the event loop must pass without a sign of life before sleeping code is taken to wait for the clock. */
const QUIET_TURNS = 3;

/** How long the driver waits at a time for a sign of life, in real milliseconds. */
const PATIENCE_SLICE_MS = 50;

/** User code that is running: a Lambda invocation. */
export interface InFlightWork {
  /** For messages: `function orders-consumer`. */
  readonly name: string;
  /** As `ServiceContext.generation`, for the work that this work leads to. */
  readonly generation: number;
  readonly cause: number | undefined;
  /** True while the code waits for nothing but the sandbox's clock. */
  isAsleep(): boolean;
  /**
   * How long the code may show no sign of life, in real milliseconds, before it is taken to wait for the clock: code that awaits
   * the host (a file, a real timer) gets this much patience, once until it shows one.
   */
  readonly patienceMs: number;
  /** Who SDK clients made inside it are when they are given no credentials: the function's execution role. */
  readonly sdkCaller?: Caller | undefined;
}

/** What a call in progress is part of: the caller set by `runAs`, the invocation it is made from. */
export interface Frame {
  readonly world: World;
  readonly caller?: Caller | undefined;
  readonly work?: InFlightWork | undefined;
  /** When `work` began, in epoch milliseconds. */
  readonly workBeganAtMs?: number | undefined;
}

export const frames = new AsyncLocalStorage<Frame>();

/**
 * The world's background: it runs what is due, waits for user code, keeps parked calls, and moves the clock.
 *
 * One driver at a time: `settle`, `advance` and `finish` take turns.
 */
export class Background {
  readonly #world: World;
  /** Work in flight, each with the work it was started from. */
  readonly #inFlight = new Map<InFlightWork, InFlightWork | undefined>();
  /** Work that has used up its patience and shown no sign of life since: nobody waits for it again. */
  readonly #silent = new Set<InFlightWork>();
  /** Gives up what `finish` waits for. */
  readonly #givingUp = new Set<(error: Error) => void>();
  /** What unawaited work threw since the last drive looked. */
  readonly #failures: unknown[] = [];
  readonly #parked: ParkedCalls;
  readonly #liveTimer: LiveTimer;
  readonly #runawayGuard = new RunawayGuard();
  /** Calls that wait, with a live clock, for work in flight. */
  #awaitedCount = 0;
  #driver: Promise<void> = Promise.resolve();
  #drivers = 0;
  /** Counts signs of life: tasks run, calls made, code ended. */
  #activity = 0;
  #onActivity: (() => void) | undefined;

  constructor(world: World) {
    this.#world = world;
    this.#parked = new ParkedCalls(() => world.state.schedule, (parked) => this.#parkedLeft(parked));
    this.#liveTimer = new LiveTimer(world, () => this.#isAwaited(), () => this.#runInRealTime());
  }

  /** Tells that something moved, in work if it did there: waiting drivers look again. */
  noteActivity(work = this.#workInside()): void {
    if (work !== undefined) this.#silent.delete(work);
    this.#activity += 1;
    this.#onActivity?.();
  }

  async runInFlight<T>(work: InFlightWork, run: () => Promise<T>): Promise<T> {
    this.#inFlight.set(work, this.#workInside());
    try {
      return await frames.run({ world: this.#world, work, workBeganAtMs: this.#world.nowMs }, run);
    } finally {
      this.#inFlight.delete(work);
      this.noteActivity(work);
    }
  }

  runInBackground(work: InFlightWork, run: () => Promise<void>): void {
    this.runInFlight(work, run).catch((error: unknown) => {
      this.#world.backgroundFailed(error);
      // With a live clock nobody drives: the log has it.
      if (this.#world.state.clock.mode === "manual") this.#failures.push(error);
    });
  }

  /** Runs what is runnable at the present instant until nothing is. */
  settle(): Promise<void> {
    this.#refuseInside("backgroundTasksComplete()");
    return this.#drive(() => this.#settleNow());
  }

  /** Moves the clock to `targetMs`, stopping at each instant at which something falls due. */
  advance(targetMs: number): Promise<void> {
    this.#refuseInside("Moving the clock");
    return this.#drive(() => this.#advanceNow(targetMs));
  }

  /** As `advance`, by a length from where the clock stands when those who drive at the time have ended. */
  advanceBy(lengthMs: number): Promise<void> {
    this.#refuseInside("Moving the clock");
    return this.#drive(() => this.#advanceNow(this.#world.nowMs + lengthMs));
  }

  /**
   * Waits for `ending`, moving a manual clock as far as it needs when nothing else is runnable.
   *
   * @throws SimWorldReset when the world is reset before: what the ending waits for is gone then
   */
  async finish<T>(ending: Promise<T>): Promise<T> {
    const { clock } = this.#world.state;
    const work = this.#untilReset(ending);
    // Inside an invocation, and with a live clock, others move the time.
    if (this.#workInside() !== undefined) return work;
    if (clock.mode === "live") return this.#stayAliveFor(work);
    let isDone = false;
    const done = work.then(
      () => void (isDone = true),
      () => void (isDone = true),
    );
    void done.then(() => this.noteActivity());
    await this.#drive(async () => {
      for (;;) {
        await this.#settleNow(() => isDone);
        if (isDone) return;
        const dueMs = this.#nextDueMs();
        if (dueMs === undefined) await Promise.race([done, this.#nextActivity()]);
        else setClock(clock, dueMs);
      }
    });
    return work;
  }

  park<T>(waiter: Waiter<T>): Promise<T> {
    const work = this.#workInside();
    return this.#parked.park(waiter, work, (parked) => {
      this.noteActivity(work);
      this.#liveTimer.rearm();
      // A call from inside an invocation waits for the clock as the invocation does.
      if (this.#world.clockMode === "manual" && work === undefined) this.#giveGrace(parked);
    });
  }

  wake(key: string): void {
    this.#parked.wake(key);
  }

  /** Answers a parked call as its deadline does. */
  endWait(parkedId: number): void {
    this.#parked.end(parkedId);
  }

  /** Ends all parked calls. */
  endWaits(): void {
    this.#parked.endAll();
  }

  /** With a live clock: sees to it that the earliest task is run in time. */
  taskScheduled(): void {
    this.#liveTimer.arm();
  }

  /** The clock was stopped, or runs from now on. */
  clockModeChanged(): void {
    this.#liveTimer.rearm();
    if (this.#world.clockMode === "live") return;
    for (const parked of this.#parked) if (parked.work === undefined) this.#giveGrace(parked);
  }

  /** With a live clock, a call first has done what fell due before it. Runs synchronously as far as tasks are instant. */
  catchUp(): void {
    if (this.#world.clockMode === "live" && this.#hasDueTask()) this.#liveTimer.fire();
  }

  /** Ends all parked calls and gives up all work, before the world is emptied. */
  stop(): void {
    this.endWaits();
    this.#liveTimer.disarm();
    this.#inFlight.clear();
    this.#silent.clear();
    this.#failures.length = 0;
    for (const giveUp of this.#givingUp) giveUp(simError("SimWorldReset", "The world was reset while this call waited for a function; the invocation was given up."));
    this.noteActivity();
  }

  #parkedLeft({ work }: Parked): void {
    if (!this.#isAwaited()) this.#liveTimer.rearm();
    this.noteActivity(work);
  }

  #untilReset<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#givingUp.add(reject);
      void work.then(resolve, reject).finally(() => this.#givingUp.delete(reject));
    });
  }

  #nextDueMs(): number | undefined {
    return nextDueMs(this.#world.state.schedule);
  }

  /** The live clock's timer keeps the process alive for whoever waits for what it runs. */
  async #stayAliveFor<T>(work: Promise<T>): Promise<T> {
    this.#awaitedCount += 1;
    this.#liveTimer.rearm();
    try {
      return await work;
    } finally {
      this.#awaitedCount -= 1;
      if (!this.#isAwaited()) this.#liveTimer.rearm();
    }
  }

  #isAwaited(): boolean {
    return this.#parked.size > 0 || this.#awaitedCount > 0;
  }

  /** With a live clock nobody drives: what fails is told in the log. */
  #runInRealTime(): void {
    this.#runDueTasks()
      .catch((error: unknown) => this.#world.backgroundFailed(error))
      .finally(() => this.#liveTimer.arm());
  }

  /** Runs `drive` when the driver before it has ended. */
  async #drive(drive: () => Promise<void>): Promise<void> {
    const before = this.#driver;
    let release = (): void => {};
    this.#driver = new Promise((resolve) => (release = resolve));
    this.#drivers += 1;
    try {
      await before;
      await drive();
    } finally {
      this.#drivers -= 1;
      release();
    }
  }

  async #advanceNow(targetMs: number): Promise<void> {
    const { clock } = this.#world.state;
    await this.#settleNow();
    for (let dueMs = this.#nextDueMs(); dueMs !== undefined && dueMs <= targetMs; dueMs = this.#nextDueMs()) {
      setClock(clock, dueMs);
      await this.#settleNow();
    }
    setClock(clock, targetMs);
    await this.#settleNow();
    this.#liveTimer.rearm();
  }

  async #settleNow(isEnough: () => boolean = () => false): Promise<void> {
    let quietTurns = 0;
    let seen = this.#activity;
    while (!isEnough()) {
      await this.#runDueTasks();
      await nextTurn();
      if (this.#failures.length > 0) throw this.#failures.shift();
      if (this.#hasDueTask() || this.#activity !== seen) {
        seen = this.#activity;
        quietTurns = 0;
        continue;
      }
      quietTurns += 1;
      if (this.#inFlight.size === 0) return;
      if (quietTurns < QUIET_TURNS) continue;
      const awake = this.#workAwake();
      if (awake.length === 0) return;
      const patienceMs = Math.max(...awake.map((work) => work.patienceMs));
      if (await this.#activityWithinPatience(patienceMs)) continue;
      for (const work of awake) this.#silent.add(work);
      return;
    }
  }

  /** In slices, so that time in which the process stood still, as at a breakpoint, uses up one slice and not all patience. */
  async #activityWithinPatience(patienceMs: number): Promise<boolean> {
    for (let leftMs = patienceMs; leftMs > 0; leftMs -= PATIENCE_SLICE_MS) {
      if (await this.#activityWithin(Math.min(leftMs, PATIENCE_SLICE_MS))) return true;
    }
    return false;
  }

  /** The work in flight that is worth waiting for: it waits for neither the clock, nor a parked call, nor work it started, which is looked at itself. */
  #workAwake(): InFlightWork[] {
    // Work that is found asleep did set a timer since.
    for (const work of this.#silent) if (work.isAsleep()) this.#silent.delete(work);
    const waiting = new Set([...this.#parked].map(({ work }) => work));
    for (const startedFrom of this.#inFlight.values()) waiting.add(startedFrom);
    return [...this.#inFlight.keys()].filter((work) => !waiting.has(work) && !this.#silent.has(work) && !work.isAsleep());
  }

  #hasDueTask(): boolean {
    const dueMs = this.#nextDueMs();
    return dueMs !== undefined && dueMs <= readClock(this.#world.state.clock);
  }

  async #runDueTasks(): Promise<void> {
    for (;;) {
      // A task may take a turn, and the world may be reset meanwhile: its schedule is then another.
      const { schedule, clock } = this.#world.state;
      const nowMs = readClock(clock);
      const task = takeDueTask(schedule, nowMs);
      if (task === undefined) return;
      this.#runawayGuard.checkTask(task, nowMs);
      this.#activity += 1;
      const running = this.#world.runTask(task);
      if (running !== undefined) await running;
    }
  }

  /** @throws SimRunawayWork for work that too much other work led to while the clock stood still */
  checkGeneration(generation: number, what: string): void {
    this.#runawayGuard.checkGeneration(generation, what, this.#world.nowMs);
  }

  /** Answers whether there was a sign of life within real time. */
  #activityWithin(delayMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = afterHostDelay(delayMs, () => {
        this.#onActivity = undefined;
        resolve(false);
      });
      this.#onActivity = () => {
        this.#onActivity = undefined;
        cancel();
        resolve(true);
      };
    });
  }

  #nextActivity(): Promise<void> {
    return new Promise((resolve) => {
      this.#onActivity = () => {
        this.#onActivity = undefined;
        resolve();
      };
    });
  }

  /** With a manual clock a parked call is answered after a short real time when nothing that could answer it is runnable. */
  #giveGrace(parked: Parked): void {
    // What is runnable now may be what the call waits for. During another drive it runs anyway.
    if (this.#drivers === 0) {
      void this.#drive(() => this.#settleNow()).catch((error: unknown) => {
        if (this.#parked.leave(parked)) parked.fail(error);
        // The call was answered before: the next who drives is told.
        else this.#failures.push(error);
      });
    }
    afterHostDelay(PARKED_GRACE_MS, () => {
      // A clock that runs brings the deadline by itself.
      if (!this.#parked.has(parked) || this.#world.clockMode === "live") return;
      if (this.#drivers > 0) this.#giveGrace(parked);
      else this.#parked.end(parked.id);
    });
  }

  /** The work of this world that the present call is made from. Work of another world is not this one's to wait for. */
  #workInside(): InFlightWork | undefined {
    const frame = frames.getStore();
    return frame?.world === this.#world ? frame.work : undefined;
  }

  #refuseInside(what: string): void {
    const work = this.#workInside();
    if (work === undefined) return;
    throw simError("SimInsideInvocation", `${what} was asked for inside ${work.name}, which is itself background work and would wait for itself. Ask for it in the test, or sleep with a timer inside the function.`);
  }
}
