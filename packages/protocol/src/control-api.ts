import { durationMs, type ClockMode, type Duration, type World } from "@sandstack/core";
import type { WireRequest, WireResponse } from "./http.js";

/**
 * The server's own endpoints, beside AWS's: health, reset and the clock. `/moto-api/reset` is where suites written for that tool look for it.
 */
export async function answerControl(world: World, request: WireRequest): Promise<WireResponse | undefined> {
  if (!request.path.startsWith("/_sandstack/") && request.path !== "/moto-api/reset") return undefined;
  switch (`${request.method} ${request.path}`) {
    case "GET /_sandstack/health":
      return json(200, { status: "ok", services: [...world.services.keys()].sort() });
    case "POST /_sandstack/reset":
    case "POST /moto-api/reset":
      world.reset();
      return json(200, { status: "ok" });
    case "GET /_sandstack/clock":
      return json(200, clockOf(world));
    case "POST /_sandstack/clock":
      return changeClock(world, request);
    default:
      return json(404, { message: "The sandbox's own endpoints: GET /_sandstack/health, POST /_sandstack/reset, GET and POST /_sandstack/clock." });
  }
}

function clockOf(world: World): object {
  return { now: new Date(world.nowMs).toISOString(), mode: world.clockMode };
}

interface ClockChange {
  readonly mode?: ClockMode;
  /** As `clock().advanceBy`. */
  readonly advanceBy?: Duration;
  /** An instant, as ISO text. */
  readonly advanceTo?: string;
}

const CLOCK_HELP = 'The clock takes { "advanceBy": { "seconds": 30 } }, { "advanceTo": "2030-01-01T00:00:00Z" } or { "mode": "manual" | "live" }.';

async function changeClock(world: World, request: WireRequest): Promise<WireResponse> {
  const change = readClockChange(request.body);
  if (change === undefined) return json(400, { message: CLOCK_HELP });
  const { mode, advanceBy, advanceTo } = change;
  const targetMs = advanceTo === undefined ? advanceBy === undefined ? undefined : world.nowMs + durationMs(advanceBy) : Date.parse(advanceTo);
  if (targetMs !== undefined && !(targetMs >= world.nowMs)) return json(400, { message: `The clock stands at ${new Date(world.nowMs).toISOString()}: time never goes back. ${CLOCK_HELP}` });
  if (mode !== undefined) world.setClockMode(mode);
  if (targetMs !== undefined) await world.background.advance(targetMs);
  return json(200, clockOf(world));
}

/** The change asked for; `undefined` when the body is none. */
function readClockChange(body: string | Uint8Array): ClockChange | undefined {
  let change: ClockChange;
  try {
    change = JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8")) as ClockChange; // looked at below
    if (change.advanceBy !== undefined) durationMs(change.advanceBy);
  } catch {
    return undefined; // no JSON, or a length that no clock can move by
  }
  const { mode, advanceBy, advanceTo } = change;
  const isModeRight = mode === undefined || mode === "manual" || mode === "live";
  const isInstantRight = advanceTo === undefined || (typeof advanceTo === "string" && !Number.isNaN(Date.parse(advanceTo)));
  return isModeRight && isInstantRight && (mode ?? advanceBy ?? advanceTo) !== undefined ? change : undefined;
}

function json(statusCode: number, body: object): WireResponse {
  return { statusCode, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
