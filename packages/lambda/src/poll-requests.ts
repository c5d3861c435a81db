import type { ServiceContext } from "@sandstack/core";
import { CONCURRENCY_AT_MOST, CONCURRENCY_AT_START, CONCURRENCY_PER_MINUTE } from "./limits.js";
import type { LambdaState, MappingState } from "./state.js";

/** A mapping is to look at its queue. */
export const POLL_TASK = "lambda.mapping.polled";

const MINUTE_MS = 60_000;

type Context = ServiceContext<LambdaState>;

export interface MappingArgs {
  readonly uuid: string;
}

/** Has a mapping poll at the next chance; one poll at a time is asked for, however many messages there are. */
export function requestPoll(ctx: Context, mapping: MappingState, scope = ctx.scope): void {
  const { runner } = mapping;
  if (!mapping.isEnabled || runner.pollRequestedAtMs === ctx.nowMs) return;
  runner.pollRequestedAtMs = ctx.nowMs;
  schedulePoll(ctx, mapping, ctx.nowMs, scope);
}

/** Has a mapping poll at `dueAtMs`, whatever was asked for before. */
export function schedulePoll(ctx: Context, mapping: MappingState, dueAtMs: number, scope = ctx.scope): void {
  // The messages that a poll finds say what work led to them, not the poll, which many asked for: generation 0.
  ctx.schedule({ name: POLL_TASK, dueAtMs, scope, generation: 0, args: { uuid: mapping.uuid } satisfies MappingArgs, about: [mapping.functionArn, mapping.queueArn] });
}

/** True when a mapping may have one more batch in flight. */
export function hasRoom(mapping: MappingState, nowMs: number): boolean {
  return mapping.runner.batchesInFlight < concurrencyLimit(mapping, nowMs);
}

/** How many batches a mapping may have in flight: a few at first, more with each minute of work, up to its own maximum. */
function concurrencyLimit({ maximumConcurrency, runner }: MappingState, nowMs: number): number {
  const busyMinutes = runner.busySinceMs === undefined ? 0 : Math.floor((nowMs - runner.busySinceMs) / MINUTE_MS);
  return Math.min(CONCURRENCY_AT_START + CONCURRENCY_PER_MINUTE * busyMinutes, maximumConcurrency ?? CONCURRENCY_AT_MOST, CONCURRENCY_AT_MOST);
}

/** Notes that a poll is wanted when a batch has ended, or the mapping has scaled up. */
export function holdBack(ctx: Context, mapping: MappingState): void {
  const { runner } = mapping;
  const isFirst = !runner.isHeldBack;
  runner.isHeldBack = true;
  if (isFirst && runner.busySinceMs !== undefined && concurrencyLimit(mapping, ctx.nowMs) < concurrencyLimit(mapping, Number.MAX_SAFE_INTEGER)) {
    const busyMinutes = Math.floor((ctx.nowMs - runner.busySinceMs) / MINUTE_MS);
    schedulePoll(ctx, mapping, runner.busySinceMs + (busyMinutes + 1) * MINUTE_MS);
  }
}

/** Has a mapping that was held back poll again. */
export function resumePolling(ctx: Context, mapping: MappingState): void {
  if (!mapping.runner.isHeldBack) return;
  mapping.runner.isHeldBack = false;
  requestPoll(ctx, mapping);
}
