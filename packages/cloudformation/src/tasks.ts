import type { InFlightWork, ServiceContext } from "@sandstack/core";
import { carryOut } from "./engine/carry-out.js";
import type { CloudFormationState, Stack, StackOperation } from "./state.js";

/** The task that works on a stack: its arguments name the stack. */
export const STACK_DUE = "cloudformation.stack.due";

interface StackDue {
  readonly stackId: string;
}

/** How long a deployment may wait for the host (a function's archive being unpacked) without a sign of life, in real milliseconds. */
const PATIENCE_MS = 10_000;

/** Has the work on a stack begin in the background; what is already underway is finished before it. */
export function beginOperation(ctx: ServiceContext<CloudFormationState>, stack: Stack, operation: StackOperation): void {
  if (stack.operation !== undefined) {
    stack.nextOperation = operation;
    return;
  }
  stack.operation = operation;
  ctx.schedule({ name: STACK_DUE, dueAtMs: ctx.nowMs, args: { stackId: stack.id } satisfies StackDue, about: [`stack ${stack.name}`] });
}

/** The work underway, by stack id: for those who wait for its end. */
export function runningTable(ctx: Pick<ServiceContext<CloudFormationState>, "table">): Map<string, Promise<void>> {
  return ctx.table<Promise<void>>("running");
}

/** Begins what was asked of a stack. The work is not awaited: other background work, which it may need, goes on beside it. */
export function stackDue(ctx: ServiceContext<CloudFormationState>, { stackId }: StackDue): void {
  const stack = ctx.state.stacks.get(stackId);
  if (stack?.operation === undefined) return;
  const work: InFlightWork = { name: `the deployment of stack ${stack.name}`, generation: ctx.generation, cause: ctx.cause, isAsleep: () => false, patienceMs: PATIENCE_MS };
  let end = (): void => {};
  runningTable(ctx).set(stackId, new Promise((resolve) => (end = resolve)));
  ctx.runInBackground(work, async () => {
    try {
      await carryOut(ctx, stack);
    } finally {
      stack.operation = undefined;
      runningTable(ctx).delete(stackId);
      const next = stack.nextOperation;
      stack.nextOperation = undefined;
      if (next !== undefined) beginOperation(ctx, stack, next);
      end();
    }
  });
}
