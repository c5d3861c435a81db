import { isAwsError, uuid, type Announcements, type ServiceContext } from "@sandstack/core";
import { readBatchResponse } from "./batch-response.js";
import { functionNotFound } from "./functions.js";
import { beginInvocation, type Outcome } from "./invocation.js";
import {
  CONCURRENCY_AT_MOST,
  CONCURRENCY_AT_START,
  CONCURRENCY_PER_MINUTE,
  FAILED_POLL_RETRY_AT_MOST_MS,
  FAILED_POLL_RETRY_MS,
  MAX_SYNC_PAYLOAD_BYTES,
  SQS_BATCH_SIZE,
} from "./limits.js";
import { isWanted } from "./message-filter.js";
import { roleCaller } from "./role.js";
import { sqsEventRecord, sqsEventText, type EventSource } from "./sqs-event.js";
import type { FunctionState, LambdaState, MappingState, ReceivedMessage } from "./state.js";

/** A mapping is to look at its queue. */
export const POLL_TASK = "lambda.mapping.polled";
/** A batching window is over. */
export const WINDOW_TASK = "lambda.batching-window.ended";

const MINUTE_MS = 60_000;

type Context = ServiceContext<LambdaState>;

interface MappingArgs {
  readonly uuid: string;
}

/** Has the mappings of a queue poll, since one of its messages became visible. */
export function wakeConsumers(ctx: Context, { queueArn }: Announcements["sqs.message.visible"]): void {
  for (const { scope, uuid } of ctx.state.consumers.get(queueArn) ?? []) {
    const mapping = ctx.stateOf(scope).mappings.get(uuid);
    if (mapping !== undefined) requestPoll(ctx, mapping, scope);
  }
}

/** Has a mapping poll at the next chance; one poll at a time is asked for, however many messages there are. */
export function requestPoll(ctx: Context, mapping: MappingState, scope = ctx.scope): void {
  const { runner } = mapping;
  if (!mapping.isEnabled || runner.pollRequestedAtMs === ctx.nowMs) return;
  runner.pollRequestedAtMs = ctx.nowMs;
  schedulePoll(ctx, mapping, ctx.nowMs, scope);
}

function schedulePoll(ctx: Context, mapping: MappingState, dueAtMs: number, scope = ctx.scope): void {
  // The messages that a poll finds say what work led to them, not the poll, which many asked for: generation 0.
  ctx.schedule({ name: POLL_TASK, dueAtMs, scope, generation: 0, args: { uuid: mapping.uuid } satisfies MappingArgs, about: [mapping.functionArn, mapping.queueArn] });
}

/** Has the mappings of a function poll: it has concurrency to spare again. */
export function wakeMappingsOf(ctx: Context, { functionName }: Announcements["lambda.concurrency.freed"]): void {
  for (const mapping of ctx.state.mappings.values()) {
    if (mapping.functionName === functionName && mapping.runner.isHeldBack) resumePolling(ctx, mapping);
  }
}

/** Reads once from the queue and starts what batch is ready. As long as there are messages and room for batches, another poll follows. */
export async function pollMapping(ctx: Context, { uuid: id }: MappingArgs): Promise<void> {
  const mapping = ctx.state.mappings.get(id);
  if (mapping === undefined) return;
  mapping.runner.pollRequestedAtMs = undefined;
  if (!mapping.isEnabled) return;
  const fn = ctx.state.functions.get(mapping.functionName);
  if (fn === undefined) {
    pollFailed(ctx, mapping, functionNotFound(mapping.functionArn));
    return;
  }
  if (!hasRoom(ctx, mapping, fn)) {
    holdBack(ctx, mapping);
    return;
  }
  const received = await receive(ctx, mapping, fn);
  if (received.length === 0) return;
  const wanted = await dropUnwanted(ctx, mapping, fn, received);
  if (mapping.windowSeconds === 0) {
    if (wanted.length > 0) startBatch(ctx, mapping, fn, wanted);
  } else gather(ctx, mapping, fn, wanted);
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
  const fn = ctx.state.functions.get(mapping.functionName);
  const messages = runner.gathered.splice(0);
  runner.gatheredBytes = 0;
  // Without a function the messages come back when their visibility timeout lapses.
  if (fn !== undefined && messages.length > 0) startBatch(ctx, mapping, fn, messages);
}

/** How many batches a mapping may have in flight: a few at first, more with each minute of work, up to its own maximum. */
export function concurrencyLimit({ maximumConcurrency, runner }: MappingState, nowMs: number): number {
  const busyMinutes = runner.busySinceMs === undefined ? 0 : Math.floor((nowMs - runner.busySinceMs) / MINUTE_MS);
  return Math.min(CONCURRENCY_AT_START + CONCURRENCY_PER_MINUTE * busyMinutes, maximumConcurrency ?? CONCURRENCY_AT_MOST, CONCURRENCY_AT_MOST);
}

function hasRoom(ctx: Context, mapping: MappingState, fn: FunctionState): boolean {
  // Messages that find no reserved concurrency wait in the queue; AWS may receive and throttle them, which raises their receive counts.
  const isThrottled = fn.reservedConcurrency !== undefined && fn.runningCount >= fn.reservedConcurrency;
  return !isThrottled && mapping.runner.batchesInFlight < concurrencyLimit(mapping, ctx.nowMs);
}

/** Notes that a poll is wanted when a batch has ended, or the mapping has scaled up. */
function holdBack(ctx: Context, mapping: MappingState): void {
  const { runner } = mapping;
  const isFirst = !runner.isHeldBack;
  runner.isHeldBack = true;
  if (isFirst && runner.busySinceMs !== undefined && concurrencyLimit(mapping, ctx.nowMs) < concurrencyLimit(mapping, Number.MAX_SAFE_INTEGER)) {
    const busyMinutes = Math.floor((ctx.nowMs - runner.busySinceMs) / MINUTE_MS);
    schedulePoll(ctx, mapping, runner.busySinceMs + (busyMinutes + 1) * MINUTE_MS);
  }
}

function resumePolling(ctx: Context, mapping: MappingState): void {
  mapping.runner.isHeldBack = false;
  requestPoll(ctx, mapping);
}

async function receive(ctx: Context, mapping: MappingState, fn: FunctionState): Promise<ReceivedMessage[]> {
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

function recordFailure(ctx: Context, { uuid: id, functionArn, queueArn }: MappingState, { name, message }: Error): void {
  ctx.record({ kind: "lambda.mapping.failed", functionArn, queueArn, uuid: id, errorName: name, message });
}

function eventSourceOf({ scope }: Context, { queueArn, windowSeconds }: MappingState): EventSource {
  return { queueArn, region: scope.region, hasWindow: windowSeconds > 0 };
}

/** Deletes the messages that no filter wants, and answers the others. */
async function dropUnwanted(ctx: Context, mapping: MappingState, fn: FunctionState, messages: ReceivedMessage[]): Promise<ReceivedMessage[]> {
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
function gather(ctx: Context, mapping: MappingState, fn: FunctionState, messages: readonly ReceivedMessage[]): void {
  const { runner } = mapping;
  for (const message of messages) {
    const bytes = eventBytes(mapping, message);
    if (runner.gatheredBytes + bytes > MAX_SYNC_PAYLOAD_BYTES) flushGathered(ctx, mapping);
    runner.gathered.push(message);
    runner.gatheredBytes += bytes;
    runner.windowTaskId ??= ctx.schedule({ name: WINDOW_TASK, dueAtMs: ctx.nowMs + mapping.windowSeconds * 1000, args: { uuid: mapping.uuid } satisfies MappingArgs, about: [fn.arn, mapping.queueArn] });
    if (runner.gathered.length >= mapping.batchSize) flushGathered(ctx, mapping);
  }
}

function eventBytes(mapping: MappingState, message: ReceivedMessage): number {
  return Buffer.byteLength(sqsEventText([message], { queueArn: mapping.queueArn, region: "", hasWindow: true }));
}

/** Invokes the function with a batch, in the background, and acts on how that ends. */
function startBatch(ctx: Context, mapping: MappingState, fn: FunctionState, messages: readonly ReceivedMessage[]): void {
  const { runner, queueArn } = mapping;
  runner.batchesInFlight += 1;
  runner.busySinceMs ??= ctx.nowMs;
  const payload = sqsEventText(messages, eventSourceOf(ctx, mapping));
  const requestId = uuid(ctx.random);
  const invocation = beginInvocation(ctx, { fn, payload, requestId, invokedFunctionArn: mapping.functionArn, batch: { messageIds: idsOf(messages), queueArn } });
  ctx.runInBackground(invocation.work, async () => {
    try {
      await concludeBatch(ctx, { mapping, fn, messages, requestId, outcome: await invocation.run() });
    } finally {
      batchEnded(ctx, mapping);
    }
  });
}

function batchEnded(ctx: Context, mapping: MappingState): void {
  const { runner } = mapping;
  runner.batchesInFlight -= 1;
  if (runner.batchesInFlight === 0) runner.busySinceMs = undefined;
  if (runner.isHeldBack) resumePolling(ctx, mapping);
}

interface EndedBatch {
  readonly mapping: MappingState;
  readonly fn: FunctionState;
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

async function deleteMessages(ctx: Context, mapping: MappingState, fn: FunctionState, messages: readonly ReceivedMessage[]): Promise<void> {
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

function idsOf(messages: readonly ReceivedMessage[]): string[] {
  return messages.map(({ MessageId = "" }) => MessageId);
}
