import type { Describe, LogEvent, LogEventKind, LogRecord } from "@sandstack/core";
import { ownFrame } from "./runtime/stack.js";

declare module "@sandstack/core" {
  interface LogEvents {
    "lambda.function.created": { functionArn: string };
    "lambda.function.updated": { functionArn: string };
    "lambda.function.deleted": { functionArn: string };
    "lambda.version.published": { functionArn: string; version: string };
    "lambda.version.deleted": { functionArn: string; version: string };
    /** `version` is the one that the alias points to. */
    "lambda.alias.created": { functionArn: string; alias: string; version: string };
    "lambda.alias.updated": { functionArn: string; alias: string; version: string };
    "lambda.alias.deleted": { functionArn: string; alias: string };
    /** `messageIds` are those of the batch, for an invocation by an event source mapping. `version` is there for a published one. */
    "lambda.invocation.started": { functionArn: string; version?: string; requestId: string; attempt?: number; messageIds?: readonly string[]; queueArn?: string };
    "lambda.invocation.succeeded": { functionArn: string; requestId: string; durationMs: number; messageIds?: readonly string[] };
    /** `trace` is the error's stack in lines, without the sandbox's own frames; `note` says what AWS's own words leave open. */
    "lambda.invocation.failed": {
      functionArn: string;
      requestId: string;
      durationMs: number;
      errorType: string;
      errorMessage: string;
      trace?: readonly string[];
      note?: string;
      messageIds?: readonly string[];
    };
    /** A line that the function's code wrote. */
    "lambda.console.written": { functionArn: string; requestId: string; level: string; text: string };
    "lambda.event.queued": { functionArn: string; requestId: string };
    "lambda.event.retried": { functionArn: string; requestId: string; attempt: number; dueAtMs: number };
    /** An asynchronous event that will not be tried again. `outcome` says what became of it. */
    "lambda.event.discarded": { functionArn: string; requestId: string; outcome: string; deadLetterQueueArn?: string };
    "lambda.mapping.created": { functionArn: string; queueArn: string; uuid: string };
    "lambda.mapping.updated": { functionArn: string; queueArn: string; uuid: string };
    "lambda.mapping.deleted": { functionArn: string; queueArn: string; uuid: string };
    /** The mapping cannot poll its queue, or cannot delete what was worked off. */
    "lambda.mapping.failed": { functionArn: string; queueArn: string; uuid: string; errorName: string; message: string };
    /** Messages that no filter wanted, and that were deleted for it. */
    "lambda.mapping.filtered": { functionArn: string; queueArn: string; messageIds: readonly string[] };
    /** A batch for which the function had no reserved concurrency to spare. It is tried again as long as its messages are hidden. */
    "lambda.batch.throttled": { functionArn: string; queueArn: string; messageIds: readonly string[] };
    /** A throttled batch that was not invoked while its messages were hidden: they come back, received once more. */
    "lambda.batch.dropped": { functionArn: string; queueArn: string; messageIds: readonly string[] };
    /** A batch of which some messages, by the function's own report, stay on the queue. */
    "lambda.batch.partly-failed": { functionArn: string; queueArn: string; requestId: string; messageIds: readonly string[] };
    /** A batch whose messages all stay on the queue although the function returned. */
    "lambda.batch.failed": { functionArn: string; queueArn: string; requestId: string; messageIds: readonly string[]; reason: string };
  }
}

/** How Lambda's records read. */
export const describeLambda: { readonly [Kind in LogEventKind]?: Describe } = {
  ...on("lambda.function.created", ({ functionArn }) => `Function ${nameOf(functionArn)} was created.`),
  ...on("lambda.function.updated", ({ functionArn }) => `Function ${nameOf(functionArn)} was updated.`),
  ...on("lambda.function.deleted", ({ functionArn }) => `Function ${nameOf(functionArn)} was deleted.`),
  ...on("lambda.version.published", ({ functionArn, version }) => `Version ${version} of function ${nameOf(functionArn)} was published.`),
  ...on("lambda.version.deleted", ({ functionArn, version }) => `Version ${version} of function ${nameOf(functionArn)} was deleted.`),
  ...on("lambda.alias.created", ({ functionArn, alias, version }) => `Alias ${alias} of function ${nameOf(functionArn)} was created, for version ${version}.`),
  ...on("lambda.alias.updated", ({ functionArn, alias, version }) => `Alias ${alias} of function ${nameOf(functionArn)} was updated; it is for version ${version}.`),
  ...on("lambda.alias.deleted", ({ functionArn, alias }) => `Alias ${alias} of function ${nameOf(functionArn)} was deleted.`),
  ...on("lambda.invocation.started", ({ functionArn, version, attempt, messageIds, queueArn }) => {
    const batch = messageIds === undefined ? "" : ` with ${messagesOf(messageIds)}${queueArn === undefined ? "" : ` of queue ${nameOf(queueArn)}`}`;
    return `Function ${nameOf(functionArn)}${version === undefined ? "" : `, version ${version},`} was invoked${batch}${attempt === undefined ? "" : ` (attempt ${attempt})`}.`;
  }),
  ...on("lambda.invocation.succeeded", ({ functionArn, durationMs, messageIds }) => `Function ${nameOf(functionArn)} succeeded after ${durationMs} ms${withMessages(messageIds)}.`),
  ...on(
    "lambda.invocation.failed",
    ({ functionArn, durationMs, errorType, errorMessage, trace = [], note, messageIds }) =>
      `Function ${nameOf(functionArn)} failed after ${durationMs} ms${withMessages(messageIds)}: ${errorType}: ${errorMessage}${inBrackets(placeOf(trace))}${inBrackets(note)}`,
  ),
  ...on("lambda.console.written", ({ functionArn, level, text }) => `Function ${nameOf(functionArn)} wrote (${level}): ${text}`),
  ...on("lambda.event.queued", ({ functionArn, requestId }) => `An event for function ${nameOf(functionArn)} was accepted (request ${requestId}).`),
  ...on(
    "lambda.event.retried",
    ({ functionArn, attempt, dueAtMs }) => `The event for function ${nameOf(functionArn)} will be tried again at ${new Date(dueAtMs).toISOString()} (attempt ${attempt}).`,
  ),
  ...on("lambda.event.discarded", ({ functionArn, outcome }) => `The event for function ${nameOf(functionArn)} is not tried again: ${outcome}.`),
  ...on("lambda.mapping.created", ({ functionArn, queueArn }) => `Function ${nameOf(functionArn)} was mapped to queue ${nameOf(queueArn)}.`),
  ...on("lambda.mapping.updated", ({ functionArn, queueArn }) => `The mapping of function ${nameOf(functionArn)} to queue ${nameOf(queueArn)} was updated.`),
  ...on("lambda.mapping.deleted", ({ functionArn, queueArn }) => `The mapping of function ${nameOf(functionArn)} to queue ${nameOf(queueArn)} was deleted.`),
  ...on(
    "lambda.mapping.failed",
    ({ functionArn, queueArn, errorName, message }) => `The mapping of function ${nameOf(functionArn)} to queue ${nameOf(queueArn)} cannot work: ${errorName}: ${message}`,
  ),
  ...on("lambda.mapping.filtered", ({ functionArn, messageIds }) => `No filter of function ${nameOf(functionArn)} wanted ${messagesOf(messageIds)}, which ${messageIds.length === 1 ? "was" : "were"} deleted.`),
  ...on("lambda.batch.throttled", ({ functionArn, messageIds }) => `Function ${nameOf(functionArn)} had no reserved concurrency to spare for ${messagesOf(messageIds)}, which wait${messageIds.length === 1 ? "s" : ""} for some.`),
  ...on("lambda.batch.dropped", ({ functionArn, queueArn, messageIds }) => `Function ${nameOf(functionArn)} stayed throttled for ${messagesOf(messageIds)}, which ${messageIds.length === 1 ? "goes" : "go"} back to queue ${nameOf(queueArn)}.`),
  ...on("lambda.batch.partly-failed", ({ functionArn, messageIds }) => `Function ${nameOf(functionArn)} reported ${messagesOf(messageIds)} as failed; the rest of the batch is deleted.`),
  ...on("lambda.batch.failed", ({ functionArn, messageIds, reason }) => `Function ${nameOf(functionArn)} returned, yet ${messagesOf(messageIds)} stay${messageIds.length === 1 ? "s" : ""} on the queue: ${reason}.`),
};

function on<Kind extends LogEventKind>(kind: Kind, describe: (event: LogEvent<Kind>) => string): { [K in Kind]: Describe } {
  // The log calls a kind's description with records of that kind alone.
  return { [kind]: (record: LogRecord) => describe(record as unknown as LogEvent<Kind>) } as { [K in Kind]: Describe };
}

function placeOf(trace: readonly string[]): string | undefined {
  const frame = ownFrame(trace);
  return frame === undefined ? undefined : `at ${frame}`;
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? "" : ` (${text})`;
}

/** A queue's name; a function's, with the qualifier if there is one. */
function nameOf(arn: string): string {
  return arn.split(":").slice(arn.includes(":function:") ? 6 : 5).join(":");
}

function messagesOf(messageIds: readonly string[]): string {
  return messageIds.length === 1 ? `message ${messageIds[0]}` : `messages ${messageIds.join(", ")}`;
}

function withMessages(messageIds: readonly string[] | undefined): string {
  return messageIds === undefined ? "" : `, ${messagesOf(messageIds)}`;
}
