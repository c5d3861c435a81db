import { simError } from "./errors.js";
import type { Task } from "./scheduler.js";

/**
 * How often background work may lead to more background work while the clock stands still: the invocations in the longest chain of
 * functions that each send what invokes the next. AWS stops such chains too, earlier (Lambda Developer Guide, "recursive loop detection").
 */
export const MAX_GENERATIONS = 200;

/** How many tasks may run at one instant, whatever led to them. */
export const MAX_TASKS_AT_ONE_INSTANT = 200_000;

/** The newest subjects of tasks that are kept for the error: more than any circle is likely to have. */
const MAX_SUBJECTS = 32;

/** Stops work that keeps producing work while the clock stands still, and knows what went round. */
export class RunawayGuard {
  #instantMs = Number.NaN;
  #tasksAtInstant = 0;
  #recentlyAbout: string[] = [];

  /** To be asked before each task. @throws SimRunawayWork */
  checkTask(task: Task, nowMs: number): void {
    if (nowMs !== this.#instantMs) {
      this.#instantMs = nowMs;
      this.#tasksAtInstant = 0;
      this.#recentlyAbout = [];
    }
    this.#tasksAtInstant += 1;
    if (task.about.length > 0) {
      this.#recentlyAbout.push(...task.about);
      if (this.#recentlyAbout.length > MAX_SUBJECTS) this.#recentlyAbout = this.#recentlyAbout.slice(-MAX_SUBJECTS / 2);
    }
    if (this.#tasksAtInstant > MAX_TASKS_AT_ONE_INSTANT) throw this.#runawayWork(`${MAX_TASKS_AT_ONE_INSTANT} tasks`, task.name, nowMs);
    this.checkGeneration(task.generation, task.name, nowMs);
  }

  /** @throws SimRunawayWork for work that more than `MAX_GENERATIONS` others led to, one after the other, while the clock stood still */
  checkGeneration(generation: number, what: string, nowMs: number): void {
    if (generation > MAX_GENERATIONS) throw this.#runawayWork(`work had led to work ${MAX_GENERATIONS} times`, what, nowMs);
  }

  #runawayWork(bound: string, what: string, nowMs: number): Error {
    const about = [...new Set(this.#recentlyAbout)].join(", ") || what;
    // Whoever goes on after this error starts to count anew.
    this.#instantMs = Number.NaN;
    return simError(
      "SimRunawayWork",
      `Background work keeps producing work while the clock stands still (stopped after ${bound} at ${new Date(nowMs).toISOString()}). ` +
        `What went round: ${about}. A function that sends to the queue it consumes does this; give its messages an end, a delay, or move the clock between them.`,
    );
  }
}
