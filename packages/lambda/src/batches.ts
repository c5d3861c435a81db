import { isAwsError, uuid, type ServiceContext } from "@sandstack/core";
import { readBatchResponse } from "./batch-response.js";
import { beginInvocation, type Outcome } from "./invocation.js";
import { findTarget, isThrottled, type FunctionTarget } from "./functions.js";
import { SQS_BATCH_SIZE } from "./limits.js";
import { resumePolling, type MappingArgs } from "./poll-requests.js";
import { roleCaller } from "./role.js";
import { sqsEventText, type EventSource } from "./sqs-event.js";
import type { FunctionVersion, LambdaState, MappingState, ReceivedMessage, ThrottledBatch } from "./state.js";

/** A batch was throttled: how long it may be tried again is to be found out. */
export const THROTTLE_TASK = "lambda.batch.throttled";
/** The messages of a throttled batch are back on the queue. */
export const DROP_TASK = "lambda.batch.dropped";

type Context = ServiceContext<LambdaState>;

interface ThrottledArgs extends MappingArgs {
  readonly batchId: string;
}

/** Messages for one invocation, and when the first of them was received, in epoch milliseconds. */
export interface Batch {
  readonly messages: readonly ReceivedMessage[];
  readonly receivedAtMs: number;
}

/**
 * Invokes the function with a batch. Where it has no reserved concurrency to spare the batch waits for some until its messages' visibility
 * timeout is over; then it is dropped, and they come back from the queue, received once more (developer guide, services-sqs-errorhandling).
 */
export function startBatch(ctx: Context, mapping: MappingState, target: FunctionTarget, batch: Batch): void {
  const { runner } = mapping;
  runner.batchesInFlight += 1;
  runner.busySinceMs ??= ctx.nowMs;
  if (isThrottled(target.fn)) throttle(ctx, mapping, batch);
  else invokeWithBatch(ctx, mapping, target, batch.messages);
}

/** Tries a mapping's throttled batches again, the one that has waited longest first. */
export function retryThrottledBatches(ctx: Context, mapping: MappingState): void {
  const target = findTarget(ctx.state, mapping.functionName, mapping.qualifier);
  while (target !== undefined && !isThrottled(target.fn)) {
    const batch = mapping.runner.throttled.shift();
    if (batch === undefined) return;
    if (batch.dropTaskId !== undefined) ctx.unschedule(batch.dropTaskId);
    invokeWithBatch(ctx, mapping, target, batch.messages);
  }
}

function throttle(ctx: Context, mapping: MappingState, { messages, receivedAtMs }: Batch): void {
  const { uuid: id, queueArn, functionArn } = mapping;
  const batchId = uuid(ctx.random);
  mapping.runner.throttled.push({ batchId, messages, receivedAtMs, dropTaskId: undefined });
  ctx.record({ kind: "lambda.batch.throttled", functionArn, queueArn, messageIds: idsOf(messages) });
  ctx.schedule({ name: THROTTLE_TASK, dueAtMs: ctx.nowMs, args: { uuid: id, batchId } satisfies ThrottledArgs, about: [functionArn, queueArn] });
}

/** Finds out when the messages of a throttled batch come back, and drops it then. */
export async function boundThrottledBatch(ctx: Context, args: ThrottledArgs): Promise<void> {
  const { mapping, batch } = throttledBatch(ctx, args) ?? {};
  const target = mapping && findTarget(ctx.state, mapping.functionName, mapping.qualifier);
  if (mapping === undefined || batch === undefined || target === undefined) return;
  const visibilityMs = await visibilityTimeoutMs(ctx, mapping, target.version);
  batch.dropTaskId = ctx.schedule({ name: DROP_TASK, dueAtMs: batch.receivedAtMs + visibilityMs, args, about: [mapping.functionArn, mapping.queueArn] });
}

async function visibilityTimeoutMs(ctx: Context, mapping: MappingState, fn: FunctionVersion): Promise<number> {
  try {
    const { Attributes } = await ctx.call("sqs", "GetQueueAttributes", { QueueUrl: mapping.queueUrl, AttributeNames: ["VisibilityTimeout"] }, { caller: roleCaller(fn) });
    return Number(Attributes?.["VisibilityTimeout"]) * 1000;
  } catch (error) {
    // A queue that is gone or closed to the role: there is nothing to wait for.
    if (!isAwsError(error)) throw error;
    recordFailure(ctx, mapping, error);
    return 0;
  }
}

/** Gives a throttled batch up: its messages are on the queue again. */
export function dropThrottledBatch(ctx: Context, args: ThrottledArgs): void {
  const { mapping, batch } = throttledBatch(ctx, args) ?? {};
  if (mapping === undefined || batch === undefined) return;
  const { throttled } = mapping.runner;
  throttled.splice(throttled.indexOf(batch), 1);
  ctx.record({ kind: "lambda.batch.dropped", functionArn: mapping.functionArn, queueArn: mapping.queueArn, messageIds: idsOf(batch.messages) });
  batchEnded(ctx, mapping);
}

function throttledBatch(ctx: Context, { uuid: id, batchId }: ThrottledArgs): { mapping: MappingState; batch: ThrottledBatch } | undefined {
  const mapping = ctx.state.mappings.get(id);
  const batch = mapping?.runner.throttled.find((each) => each.batchId === batchId);
  return mapping === undefined || batch === undefined ? undefined : { mapping, batch };
}

/** Invokes the function in the background, and acts on how that ends. */
function invokeWithBatch(ctx: Context, mapping: MappingState, target: FunctionTarget, messages: readonly ReceivedMessage[]): void {
  const payload = sqsEventText(messages, eventSourceOf(ctx, mapping));
  const requestId = uuid(ctx.random);
  const invocation = beginInvocation(ctx, { ...target, payload, requestId, invokedFunctionArn: mapping.functionArn, batch: { messageIds: idsOf(messages), queueArn: mapping.queueArn } });
  ctx.runInBackground(invocation.work, async () => {
    try {
      await concludeBatch(ctx, { mapping, fn: target.version, messages, requestId, outcome: await invocation.run() });
    } finally {
      batchEnded(ctx, mapping);
    }
  });
}

function batchEnded(ctx: Context, mapping: MappingState): void {
  const { runner } = mapping;
  runner.batchesInFlight -= 1;
  if (runner.batchesInFlight === 0) runner.busySinceMs = undefined;
  resumePolling(ctx, mapping);
}

interface EndedBatch {
  readonly mapping: MappingState;
  readonly fn: FunctionVersion;
  readonly messages: readonly ReceivedMessage[];
  readonly requestId: string;
  readonly outcome: Outcome;
}

/** Deletes what was worked off. The rest stays on the queue and comes back when its visibility timeout lapses. */
async function concludeBatch(ctx: Context, { mapping, fn, messages, requestId, outcome }: EndedBatch): Promise<void> {
  if (outcome.failure !== undefined) return;
  const { functionArn, queueArn } = mapping;
  const verdict = mapping.reportsBatchItemFailures ? readBatchResponse(outcome.payload, idsOf(messages)) : { kind: "all-succeeded" as const };
  switch (verdict.kind) {
    case "all-succeeded":
      await deleteMessages(ctx, mapping, fn, messages);
      return;
    case "some-failed":
      ctx.record({ kind: "lambda.batch.partly-failed", functionArn, queueArn, requestId, messageIds: [...verdict.failedIds] });
      await deleteMessages(ctx, mapping, fn, messages.filter(({ MessageId = "" }) => !verdict.failedIds.has(MessageId)));
      return;
    case "all-failed":
      ctx.record({ kind: "lambda.batch.failed", functionArn, queueArn, requestId, messageIds: idsOf(messages), reason: verdict.reason });
  }
}

/** Deletes messages as the execution role. Those that cannot be deleted stay, and the log says why. */
export async function deleteMessages(ctx: Context, mapping: MappingState, fn: FunctionVersion, messages: readonly ReceivedMessage[]): Promise<void> {
  for (let start = 0; start < messages.length; start += SQS_BATCH_SIZE) {
    const Entries = messages.slice(start, start + SQS_BATCH_SIZE).map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    try {
      await ctx.call("sqs", "DeleteMessageBatch", { QueueUrl: mapping.queueUrl, Entries }, { caller: roleCaller(fn) });
    } catch (error) {
      // A queue that is gone or closed to the role: the messages stay, on AWS too; the log says so.
      if (!isAwsError(error)) throw error;
      recordFailure(ctx, mapping, error);
      return;
    }
  }
}

export function idsOf(messages: readonly ReceivedMessage[]): string[] {
  return messages.map(({ MessageId = "" }) => MessageId);
}

export function recordFailure(ctx: Context, { uuid: id, functionArn, queueArn }: MappingState, { name, message }: Error): void {
  ctx.record({ kind: "lambda.mapping.failed", functionArn, queueArn, uuid: id, errorName: name, message });
}

export function eventSourceOf({ scope }: Context, { queueArn, windowSeconds }: MappingState): EventSource {
  return { queueArn, region: scope.region, hasWindow: windowSeconds > 0 };
}
