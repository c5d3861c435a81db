import type { OperationContext } from "@sandstack/core";
import { checkId } from "./checks.js";
import { armDeadline, prolongFlight } from "./deadlines.js";
import { invalidParameter } from "./errors.js";
import { DEDUPLICATION_INTERVAL_MS } from "./limits.js";
import { remember } from "./recent.js";
import type { Message, Queue, SqsState } from "./state.js";
import { isFifo } from "./visible-messages.js";

/** The ReceiveRequestAttemptId that counts: standard queues take no notice of one. @throws InvalidParameterValue */
export function readAttemptId(queue: Queue, attemptId: string | undefined): string | undefined {
  if (!isFifo(queue)) return undefined;
  checkId("ReceiveRequestAttemptId", attemptId);
  return attemptId;
}

/** Keeps what a receive answered, for five minutes. */
export function rememberReceive(queue: Queue, attemptId: string | undefined, messages: readonly Message[], nowMs: number): void {
  if (attemptId === undefined) return;
  for (const message of messages) message.receiveAttemptId = attemptId;
  remember(queue.recentReceives, { key: attemptId, endsAtMs: nowMs + DEDUPLICATION_INTERVAL_MS, sequences: messages.map(({ sequence }) => sequence), isModified: false });
}

/**
 * The messages of an earlier receive with the same id, hidden anew, or `undefined` where this is a receive like any other:
 * there was none within five minutes, or its messages have become visible again since.
 *
 * @throws InvalidParameterValue when one of its messages was deleted, or had its visibility changed: AWS's text as its users report it
 */
export function receiveAgain(ctx: OperationContext<SqsState>, queue: Queue, attemptId: string | undefined, visibilityTimeoutSeconds: number): Message[] | undefined {
  const earlier = attemptId === undefined ? undefined : queue.recentReceives.byKey.get(attemptId);
  if (earlier === undefined) return undefined;
  if (earlier.isModified) {
    throw invalidParameter("ReceiveRequestAttemptId", attemptId, "The receiveRequestAttemptId is not valid anymore since the receive call is not retryable.");
  }
  const messages = earlier.sequences.map((sequence) => queue.received.get(sequence)).filter((message) => message !== undefined);
  if (messages.length < earlier.sequences.length || messages.some(({ place, receiveAttemptId }) => place !== "inFlight" || receiveAttemptId !== attemptId)) return undefined;
  for (const message of messages) {
    message.receivedAtMs = ctx.nowMs;
    prolongFlight(queue, message, ctx.nowMs + visibilityTimeoutSeconds * 1000);
    message.lastRecordId = ctx.record({ kind: "sqs.message.hidden", queueArn: queue.arn, messageId: message.messageId, visibilityTimeoutSeconds });
  }
  armDeadline(ctx, queue);
  return messages;
}

/** Notes that a message is not as its receive left it, so that the receive cannot be repeated. */
export function receiveModified(queue: Queue, { receiveAttemptId }: Message): void {
  const receive = receiveAttemptId === undefined ? undefined : queue.recentReceives.byKey.get(receiveAttemptId);
  if (receive !== undefined) receive.isModified = true;
}
