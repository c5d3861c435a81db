import { isAwsError, type Announcements, type ServiceContext } from "@sandstack/core";
import { deleteMessages, eventSourceOf, idsOf, recordFailure, retryThrottledBatches, startBatch } from "./batches.js";
import { findTarget, functionNotFound, type FunctionTarget } from "./functions.js";
import { FAILED_POLL_RETRY_AT_MOST_MS, FAILED_POLL_RETRY_MS, MAX_SYNC_PAYLOAD_BYTES, SQS_BATCH_SIZE } from "./limits.js";
import { isWanted } from "./message-filter.js";
import { hasRoom, holdBack, requestPoll, schedulePoll, type MappingArgs } from "./poll-requests.js";
import { roleCaller } from "./role.js";
import { sqsEventRecord, sqsEventText } from "./sqs-event.js";
import type { FunctionVersion, LambdaState, MappingState, ReceivedMessage } from "./state.js";

/** A batching window is over. */
export const WINDOW_TASK = "lambda.batching-window.ended";

type Context = ServiceContext<LambdaState>;

/** Has the mappings of a queue poll, since one of its messages became visible. */
export function wakeConsumers(ctx: Context, { queueArn }: Announcements["sqs.message.visible"]): void {
  for (const { scope, uuid } of ctx.state.consumers.get(queueArn) ?? []) {
    const mapping = ctx.stateOf(scope).mappings.get(uuid);
    if (mapping !== undefined) requestPoll(ctx, mapping, scope);
  }
}

/** Tries what a function's mappings hold again: it has concurrency to spare. */
export function concurrencyFreed(ctx: Context, { functionName }: Announcements["lambda.concurrency.freed"]): void {
  for (const mapping of ctx.state.mappings.values()) {
    if (mapping.functionName === functionName) retryThrottledBatches(ctx, mapping);
  }
}

/** Reads once from the queue and starts what batch is ready. As long as there are messages and room for batches, another poll follows. */
export async function pollMapping(ctx: Context, { uuid: id }: MappingArgs): Promise<void> {
  const mapping = ctx.state.mappings.get(id);
  if (mapping === undefined) return;
  mapping.runner.pollRequestedAtMs = undefined;
  if (!mapping.isEnabled) return;
  const target = findTarget(ctx.state, mapping.functionName, mapping.qualifier);
  if (target === undefined) {
    pollFailed(ctx, mapping, functionNotFound(mapping.functionArn));
    return;
  }
  if (!hasRoom(mapping, ctx.nowMs)) {
    holdBack(ctx, mapping);
    return;
  }
  const received = await receive(ctx, mapping, target.version);
  if (received.length === 0) return;
  const wanted = await dropUnwanted(ctx, mapping, target.version, received);
  if (mapping.windowSeconds === 0) {
    if (wanted.length > 0) startBatch(ctx, mapping, target, { messages: wanted, receivedAtMs: ctx.nowMs });
  } else gather(ctx, mapping, target, wanted);
  requestPoll(ctx, mapping);
}

/** Ends a batching window: what was gathered is a batch. */
export function endWindow(ctx: Context, { uuid: id }: MappingArgs): void {
  const mapping = ctx.state.mappings.get(id);
  if (mapping !== undefined) flushGathered(ctx, mapping);
}

/** Makes a batch of what a mapping has gathered. */
export function flushGathered(ctx: Context, mapping: MappingState): void {
  const { runner } = mapping;
  if (runner.windowTaskId !== undefined) ctx.unschedule(runner.windowTaskId);
  runner.windowTaskId = undefined;
  const target = findTarget(ctx.state, mapping.functionName, mapping.qualifier);
  const messages = runner.gathered.splice(0);
  const receivedAtMs = runner.gatheredSinceMs ?? ctx.nowMs;
  runner.gatheredBytes = 0;
  runner.gatheredSinceMs = undefined;
  // Without a function the messages come back when their visibility timeout lapses.
  if (target !== undefined && messages.length > 0) startBatch(ctx, mapping, target, { messages, receivedAtMs });
}

async function receive(ctx: Context, mapping: MappingState, fn: FunctionVersion): Promise<ReceivedMessage[]> {
  const { runner } = mapping;
  const input = {
    QueueUrl: mapping.queueUrl,
    MaxNumberOfMessages: Math.min(SQS_BATCH_SIZE, mapping.batchSize - runner.gathered.length),
    MessageSystemAttributeNames: ["All" as const],
    MessageAttributeNames: ["All"],
    WaitTimeSeconds: 0,
  };
  try {
    const { Messages = [] } = await ctx.call("sqs", "ReceiveMessage", input, { caller: roleCaller(fn) });
    runner.failure = undefined;
    runner.failedCount = 0;
    return Messages;
  } catch (error) {
    if (!isAwsError(error)) throw error;
    pollFailed(ctx, mapping, error);
    return [];
  }
}

/** Tells why a mapping cannot work, once for each reason, and has it tried again. A queue that is gone announces itself when it is back. */
function pollFailed(ctx: Context, mapping: MappingState, error: Error): void {
  const { runner } = mapping;
  const failure = `${error.name}: ${error.message}`;
  if (runner.failure !== failure) recordFailure(ctx, mapping, error);
  runner.failure = failure;
  if (error.name === "QueueDoesNotExist" || (runner.retryAtMs !== undefined && runner.retryAtMs > ctx.nowMs)) return;
  runner.retryAtMs = ctx.nowMs + Math.min(FAILED_POLL_RETRY_MS * 2 ** runner.failedCount, FAILED_POLL_RETRY_AT_MOST_MS);
  runner.failedCount += 1;
  schedulePoll(ctx, mapping, runner.retryAtMs);
}

/** Deletes the messages that no filter wants, and answers the others. */
async function dropUnwanted(ctx: Context, mapping: MappingState, fn: FunctionVersion, messages: ReceivedMessage[]): Promise<ReceivedMessage[]> {
  const { filterPatterns, functionArn, queueArn } = mapping;
  if (filterPatterns === undefined) return messages;
  const source = eventSourceOf(ctx, mapping);
  const wanted = messages.filter((message) => isWanted(filterPatterns, sqsEventRecord(message, source)));
  if (wanted.length === messages.length) return messages;
  const unwanted = messages.filter((message) => !wanted.includes(message));
  ctx.record({ kind: "lambda.mapping.filtered", functionArn, queueArn, messageIds: idsOf(unwanted) });
  await deleteMessages(ctx, mapping, fn, unwanted);
  return wanted;
}

/** Adds messages to the batch that is being gathered, and starts it when it is full. The window begins with its first message. */
function gather(ctx: Context, mapping: MappingState, { fn }: FunctionTarget, messages: readonly ReceivedMessage[]): void {
  const { runner } = mapping;
  for (const message of messages) {
    const bytes = eventBytes(mapping, message);
    if (runner.gatheredBytes + bytes > MAX_SYNC_PAYLOAD_BYTES) flushGathered(ctx, mapping);
    runner.gathered.push(message);
    runner.gatheredBytes += bytes;
    runner.gatheredSinceMs ??= ctx.nowMs;
    runner.windowTaskId ??= ctx.schedule({ name: WINDOW_TASK, dueAtMs: ctx.nowMs + mapping.windowSeconds * 1000, args: { uuid: mapping.uuid } satisfies MappingArgs, about: [fn.arn, mapping.queueArn] });
    if (runner.gathered.length >= mapping.batchSize) flushGathered(ctx, mapping);
  }
}

function eventBytes(mapping: MappingState, message: ReceivedMessage): number {
  return Buffer.byteLength(sqsEventText([message], { queueArn: mapping.queueArn, region: "", hasWindow: true }));
}
