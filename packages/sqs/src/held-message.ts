import type { OperationContext } from "@sandstack/core";
import { checkRange } from "./checks.js";
import { armDeadline, prolongFlight, takeFromFlight } from "./deadlines.js";
import { invalidParameter, invalidReceiptHandle, missingParameter } from "./errors.js";
import { IN_FLIGHT_MAX, VISIBILITY_TIMEOUT_MAX_SECONDS } from "./limits.js";
import { readReceiptHandle } from "./receipt-handle.js";
import { receiveModified } from "./receive-attempts.js";
import { deadLetterFollowers } from "./redrive.js";
import type { Message, Queue, SqsState } from "./state.js";
import { endInvisibility } from "./tasks.js";
import { isFifo, messagesVisible, removeVisible } from "./visible-messages.js";

/**
 * The message that a receipt handle holds; `undefined` when the message is gone, or was received again since.
 *
 * @throws ReceiptHandleIsInvalid for a handle that this queue never issued
 * @throws InvalidParameterValue for one of a FIFO queue whose visibility timeout has lapsed
 */
function messageHeldBy(queue: Queue, handle: string | undefined): Message | undefined {
  if (handle === undefined || handle === "") throw missingParameter("ReceiptHandle");
  const receipt = readReceiptHandle(queue, handle);
  if (receipt === undefined) throw invalidReceiptHandle(handle);
  const message = queue.received.get(receipt.sequence);
  const isHeld = message?.receivesHere === receipt.receive;
  if (message !== undefined && isFifo(queue) && !(isHeld && message.place === "inFlight")) throw invalidParameter("ReceiptHandle", handle, "The receipt handle has expired.");
  return isHeld ? message : undefined;
}

/**
 * Deletes the message of a receipt handle. A lapsed handle still does it on a standard queue; one of a message that is
 * gone, or was received again since, deletes nothing and is no error there.
 *
 * @throws ReceiptHandleIsInvalid, and InvalidParameterValue for a lapsed handle on a FIFO queue
 */
export function deleteMessageHeldBy(ctx: OperationContext<SqsState>, queue: Queue, handle: string | undefined): void {
  const message = messageHeldBy(queue, handle);
  if (message === undefined) return;
  const wasFull = queue.inFlight.length >= IN_FLIGHT_MAX;
  if (message.place === "inFlight") takeFromFlight(queue, message);
  else removeVisible(queue, message);
  queue.received.delete(message.sequence);
  receiveModified(queue, message);
  ctx.record({ kind: "sqs.message.deleted", queueArn: queue.arn, messageId: message.messageId });
  deadLetterFollowers(ctx, queue, message);
  // What others waited for may be free now: the rest of the group, or a place in flight.
  if (isFifo(queue) || wasFull) messagesVisible(ctx, queue);
}

/**
 * Hides the message of a receipt handle for so long from now; with 0 it comes back at once, or is dead-lettered.
 *
 * @throws InvalidParameterValue when the message is not in flight, or would be hidden for more than 12 hours in all
 */
export function changeVisibilityHeldBy(ctx: OperationContext<SqsState>, queue: Queue, handle: string | undefined, timeoutSeconds: number | undefined): void {
  checkVisibilityTimeout(timeoutSeconds);
  if (timeoutSeconds === undefined) throw missingParameter("VisibilityTimeout");
  const message = messageHeldBy(queue, handle);
  if (message?.place !== "inFlight") {
    throw invalidParameter("ReceiptHandle", handle, "Message does not exist or is not available for visibility timeout change.");
  }
  const hiddenUntilMs = ctx.nowMs + timeoutSeconds * 1000;
  if (hiddenUntilMs > message.receivedAtMs + VISIBILITY_TIMEOUT_MAX_SECONDS * 1000) {
    const reason = `Total VisibilityTimeout for the message is beyond the limit [${VISIBILITY_TIMEOUT_MAX_SECONDS} seconds]`;
    throw invalidParameter("VisibilityTimeout", timeoutSeconds, reason);
  }
  receiveModified(queue, message);
  if (timeoutSeconds === 0) {
    takeFromFlight(queue, message);
    endInvisibility(ctx, queue, message);
    messagesVisible(ctx, queue);
  } else {
    prolongFlight(queue, message, hiddenUntilMs);
    message.lastRecordId = ctx.record({ kind: "sqs.message.hidden", queueArn: queue.arn, messageId: message.messageId, visibilityTimeoutSeconds: timeoutSeconds });
  }
  armDeadline(ctx, queue);
}

/** @throws InvalidParameterValue for a visibility timeout outside AWS's range */
export function checkVisibilityTimeout(timeoutSeconds: number | undefined): void {
  checkRange("VisibilityTimeout", timeoutSeconds, VISIBILITY_TIMEOUT_MAX_SECONDS);
}
