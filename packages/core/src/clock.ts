import { hostNowMs } from "./host.js";
import { isPlainObject, memberNames, shown } from "./options.js";

export type ClockMode = "manual" | "live";

/** The world's time. Manual: it stands until it is moved. Live: it runs with the host's, ahead by as much as it was moved. */
export interface ClockState {
  mode: ClockMode;
  /** Manual: the present instant. Live: unused. Epoch milliseconds. */
  nowMs: number;
  /** Live: what is added to the host's time, in milliseconds. Manual: unused. */
  aheadMs: number;
}

export function startClock(mode: ClockMode, startTimeMs: number | undefined): ClockState {
  const hostMs = hostNowMs();
  const nowMs = startTimeMs ?? hostMs;
  return { mode, nowMs, aheadMs: mode === "live" ? nowMs - hostMs : 0 };
}

export function readClock(clock: ClockState): number {
  return clock.mode === "manual" ? clock.nowMs : hostNowMs() + clock.aheadMs;
}

/** Sets the clock to a later instant; an earlier one is left alone, for time never goes back. */
export function setClock(clock: ClockState, toMs: number): void {
  if (clock.mode === "manual") clock.nowMs = Math.max(clock.nowMs, toMs);
  else clock.aheadMs = Math.max(clock.aheadMs, toMs - hostNowMs());
}

/** Stops a running clock where it stands, or lets a standing one run on from there. */
export function changeClockMode(clock: ClockState, mode: ClockMode): void {
  const nowMs = readClock(clock);
  clock.mode = mode;
  clock.nowMs = nowMs;
  clock.aheadMs = nowMs - hostNowMs();
}

/** A length of time; the members add up. */
export interface Duration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
}

const UNITS = memberNames<Duration>({ days: true, hours: true, minutes: true, seconds: true, milliseconds: true });

/** True for what names at least one unit, and nothing else. */
function isDuration(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const units = Object.keys(value).filter((name) => value[name] !== undefined);
  return units.length > 0 && units.every((name) => UNITS.includes(name) && typeof value[name] === "number");
}

/** @throws RangeError for what is no length of time: other members or none, a negative sum, no numbers */
export function durationMs(duration: Duration): number {
  if (!isDuration(duration)) {
    throw new RangeError(`A clock moves by a length of time such as { seconds: 30 }, not by ${shown(duration)}. The members there are: ${UNITS.join(", ")}.`);
  }
  const { days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 } = duration;
  const lengthMs = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  if (!Number.isFinite(lengthMs) || lengthMs < 0) {
    throw new RangeError(`A clock moves forward by a length of time such as { seconds: 30 }, not by ${shown(duration)}.`);
  }
  return lengthMs;
}
