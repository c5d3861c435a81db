import { types } from "node:util";
import { durationMs, shown, type Duration, type World } from "@sandstack/core";

/** The world's clock. */
export class SimClock {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** The sandbox's present instant. */
  now(): Date {
    return new Date(this.#world.nowMs);
  }

  /**
   * Moves the clock on and runs everything that falls due on the way, in order, each at its own instant; then settles.
   *
   * @throws RangeError for what is no length of time, or a negative one
   * @throws SimRunawayWork as `backgroundTasksComplete`
   */
  async advanceBy(duration: Duration): Promise<void> {
    await this.#world.background.advanceBy(durationMs(duration));
  }

  /** As `advanceBy`, to an instant. @throws RangeError for what is no Date, and for an instant in the past: time never goes back */
  async advanceTo(date: Date): Promise<void> {
    // Not `instanceof`: inside jest a Date may be of another realm.
    if (!types.isDate(date)) throw new RangeError(`A clock moves to a Date such as new Date("2026-12-24T18:00:00Z"), not to ${shown(date)}.`);
    const targetMs = date.getTime();
    if (!(targetMs >= this.#world.nowMs)) {
      throw new RangeError(`The clock stands at ${this.now().toISOString()} and cannot go to ${String(date)}: time never goes back.`);
    }
    await this.#world.background.advance(targetMs);
  }
}
