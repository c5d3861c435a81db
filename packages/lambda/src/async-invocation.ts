import { isAwsError, parseArn, type ServiceContext } from "@sandstack/core";
import { findTarget, isThrottled } from "./functions.js";
import { beginInvocation, type Outcome } from "./invocation.js";
import { ASYNC_RETRY_DELAYS_MS, DEAD_LETTER_ERROR_MESSAGE_BYTES } from "./limits.js";
import { queueUrlOf } from "./queue-url.js";
import { roleCaller } from "./role.js";
import type { FunctionVersion, LambdaState } from "./state.js";

/** An asynchronous event is to be tried. */
export const EVENT_TASK = "lambda.event.due";

/** How long an event waits that finds no free concurrency: AWS's back-off begins with a second. */
const THROTTLED_RETRY_MS = 1_000;

/** An event of an asynchronous invocation, as plain data. All attempts have one request id. */
export interface AsyncEvent {
  readonly functionName: string;
  /** The version or alias that was invoked, if one was named. */
  readonly qualifier: string | undefined;
  readonly functionArn: string;
  readonly invokedFunctionArn: string;
  /** JSON text. */
  readonly payload: string;
  readonly requestId: string;
  /** Attempts that have failed. */
  readonly failedCount: number;
}

type Context = ServiceContext<LambdaState>;

/** Accepts an event to be worked off in the background. */
export function queueEvent(ctx: Context, event: Omit<AsyncEvent, "failedCount">): void {
  ctx.record({ kind: "lambda.event.queued", functionArn: event.functionArn, requestId: event.requestId });
  scheduleEvent(ctx, { ...event, failedCount: 0 }, ctx.nowMs);
}

function scheduleEvent(ctx: Context, event: AsyncEvent, dueAtMs: number): void {
  ctx.schedule({ name: EVENT_TASK, dueAtMs, args: event, about: [event.functionArn] });
}

/** Tries an event: starts its invocation and leaves it to the background. */
export function tryEvent(ctx: Context, event: AsyncEvent): void {
  const target = findTarget(ctx.state, event.functionName, event.qualifier);
  if (target === undefined) {
    discard(ctx, event, ctx.state.functions.has(event.functionName) ? `its function has no version or alias ${event.qualifier} any more` : "its function was deleted");
    return;
  }
  if (isThrottled(target.fn)) {
    scheduleEvent(ctx, event, ctx.nowMs + THROTTLED_RETRY_MS);
    return;
  }
  const { payload, requestId, invokedFunctionArn } = event;
  const invocation = beginInvocation(ctx, { ...target, payload, requestId, invokedFunctionArn, attempt: event.failedCount + 1 });
  ctx.runInBackground(invocation.work, async () => {
    const outcome = await invocation.run();
    if (outcome.failure !== undefined) await eventFailed(ctx, target.version, event, outcome);
  });
}

async function eventFailed(ctx: Context, fn: FunctionVersion, event: AsyncEvent, outcome: Outcome): Promise<void> {
  const retryDelayMs = ASYNC_RETRY_DELAYS_MS[event.failedCount];
  const failedCount = event.failedCount + 1;
  if (retryDelayMs !== undefined) {
    const dueAtMs = ctx.nowMs + retryDelayMs;
    scheduleEvent(ctx, { ...event, failedCount }, dueAtMs);
    ctx.record({ kind: "lambda.event.retried", functionArn: event.functionArn, requestId: event.requestId, attempt: failedCount + 1, dueAtMs });
    return;
  }
  if (fn.deadLetterTargetArn === undefined) discard(ctx, event, `it failed ${failedCount} times, and the function has no dead-letter queue`);
  else await sendToDeadLetterQueue(ctx, fn, event, fn.deadLetterTargetArn, outcome.failure?.errorMessage ?? "");
}

/** Sends the event itself, with why it failed in attributes (recorded on AWS: ErrorCode is the status of the invocation, 200). */
async function sendToDeadLetterQueue(ctx: Context, fn: FunctionVersion, event: AsyncEvent, targetArn: string, errorMessage: string): Promise<void> {
  if (parseArn(targetArn)?.service !== "sqs") {
    discard(ctx, event, `its dead-letter target ${targetArn} is no queue, and the sandbox sends to queues alone`);
    return;
  }
  const input = {
    QueueUrl: queueUrlOf(targetArn),
    MessageBody: event.payload,
    MessageAttributes: {
      RequestID: { DataType: "String", StringValue: event.requestId },
      ErrorCode: { DataType: "Number", StringValue: "200" },
      ErrorMessage: { DataType: "String", StringValue: firstBytes(errorMessage, DEAD_LETTER_ERROR_MESSAGE_BYTES) || " " },
    },
  };
  try {
    await ctx.call("sqs", "SendMessage", input, { caller: roleCaller(fn) });
    discard(ctx, event, `it was sent to the dead-letter queue ${targetArn}`, targetArn);
  } catch (error) {
    // A queue that is gone or closed to the role loses the event, on AWS too; the log says so.
    if (!isAwsError(error)) throw error;
    discard(ctx, event, `the dead-letter queue ${targetArn} did not take it: ${error.name}: ${error.message}`);
  }
}

function firstBytes(text: string, byteCount: number): string {
  return Buffer.from(text).subarray(0, byteCount).toString("utf8").replace(/\uFFFD$/, "");
}

function discard(ctx: Context, { functionArn, requestId }: AsyncEvent, outcome: string, deadLetterQueueArn?: string): void {
  ctx.record({ kind: "lambda.event.discarded", functionArn, requestId, outcome, ...(deadLetterQueueArn === undefined ? {} : { deadLetterQueueArn }) });
}
