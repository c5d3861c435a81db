import type { Message, ReceiveMessageCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { numberOf } from "../attributes.js";
import { checkRange, isWholeNumber } from "../checks.js";
import { invalidParameter, sqsError } from "../errors.js";
import { checkVisibilityTimeout } from "../held-message.js";
import { BATCH_MAX, IN_FLIGHT_MAX, WAIT_TIME_MAX_SECONDS } from "../limits.js";
import { missesMessages } from "../looseness.js";
import { onQueue, queueOf } from "../queue.js";
import { readSelection, receiveMessages, renderMessage } from "../receive.js";
import { readAttemptId, receiveAgain } from "../receive-attempts.js";
import type { SqsState } from "../state.js";
import { runDeadlines } from "../tasks.js";
import { isFifo } from "../visible-messages.js";

interface Received {
  Messages?: Message[];
}

/**
 * Receives up to `MaxNumberOfMessages` messages, oldest first, in a FIFO queue group by group, each hidden for its visibility timeout. With a wait time
 * (its own, else the queue's) and nothing to receive it waits: a message that is sent, becomes due or comes back answers
 * it at once, the end of the time or the deletion of the queue answers it empty. Without messages there is no `Messages`.
 *
 * @throws InvalidParameterValue, InvalidAttributeName
 * @throws OverLimit (403) for a short poll of a standard queue with 120,000 messages in flight; a long poll, and any of a FIFO queue, finds nothing
 */
export const receiveMessage = operation<SqsState, ReceiveMessageCommandInput, Received>({
  name: "ReceiveMessage",
  authorize: onQueue("sqs:ReceiveMessage"),
  run(ctx, input) {
    const queue = queueOf(ctx, input.QueueUrl);
    const { MaxNumberOfMessages: count = 1, WaitTimeSeconds, VisibilityTimeout } = input;
    if (!isWholeNumber(count, 1, BATCH_MAX)) throw invalidParameter("MaxNumberOfMessages", count, `Must be between 1 and ${BATCH_MAX}, if provided.`);
    checkRange("WaitTimeSeconds", WaitTimeSeconds, WAIT_TIME_MAX_SECONDS);
    checkVisibilityTimeout(VisibilityTimeout);
    const selection = readSelection(input);
    const attemptId = readAttemptId(queue, input.ReceiveRequestAttemptId);
    const waitSeconds = WaitTimeSeconds ?? numberOf(queue, "ReceiveMessageWaitTimeSeconds");
    const visibilityTimeoutSeconds = (): number => VisibilityTimeout ?? numberOf(queue, "VisibilityTimeout");
    const again = receiveAgain(ctx, queue, attemptId, visibilityTimeoutSeconds());
    if (again !== undefined) return { Messages: again.map((message) => renderMessage(queue, message, selection)) };
    if (waitSeconds === 0 && !isFifo(queue) && queue.inFlight.length >= IN_FLIGHT_MAX) {
      throw sqsError("OverLimit", `The queue ${queue.name} has ${IN_FLIGHT_MAX} messages in flight, which is the limit.`);
    }
    const attempt = (): Received | undefined => {
      // A queue that was deleted has nothing to give any more, not even when another has its name by now.
      if (ctx.state.queues.get(queue.name) !== queue) return {};
      // The queue's own timeout may have been changed while the call waited.
      const messages = receiveMessages(ctx, queue, { count, visibilityTimeoutSeconds: visibilityTimeoutSeconds(), selection, attemptId });
      return messages.length > 0 ? { Messages: messages } : undefined;
    };
    if (waitSeconds === 0 && missesMessages(ctx, queue)) return {};
    const received = attempt();
    if (received !== undefined || waitSeconds === 0) return received ?? {};
    const giveUp = (): Received => {
      // What falls due at the very instant at which the wait ends is still received.
      runDeadlines(ctx, queue);
      return attempt() ?? {};
    };
    return ctx.park({ key: queue.arn, deadlineMs: ctx.nowMs + waitSeconds * 1000, attempt, giveUp });
  },
});
