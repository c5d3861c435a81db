import type { Message, ReceiveMessageCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { numberOf } from "../attributes.js";
import { checkRange, invalidParameter, isWholeNumber, sqsError } from "../errors.js";
import { checkVisibilityTimeout } from "../held-message.js";
import { BATCH_MAX, IN_FLIGHT_MAX, WAIT_TIME_MAX_SECONDS } from "../limits.js";
import { onQueue, queueOf } from "../queue.js";
import { readSelection, receiveMessages } from "../receive.js";
import type { SqsState } from "../state.js";
import { runDeadlines } from "../tasks.js";

interface Received {
  Messages?: Message[];
}

/**
 * Receives up to `MaxNumberOfMessages` messages, oldest first, each hidden for its visibility timeout. With a wait time
 * (its own, else the queue's) and nothing to receive it waits: a message that is sent, becomes due or comes back answers
 * it at once, the end of the time or the deletion of the queue answers it empty. Without messages there is no `Messages`.
 *
 * @throws InvalidParameterValue, InvalidAttributeName
 * @throws OverLimit (403) for a short poll with 120,000 messages in flight; a long poll is answered empty
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
    const waitSeconds = WaitTimeSeconds ?? numberOf(queue, "ReceiveMessageWaitTimeSeconds");
    if (waitSeconds === 0 && queue.inFlight.length >= IN_FLIGHT_MAX) {
      throw sqsError("OverLimit", `The queue ${queue.name} has ${IN_FLIGHT_MAX} messages in flight, which is the limit.`);
    }
    const attempt = (): Received | undefined => {
      // A queue that was deleted has nothing to give any more, not even when another has its name by now.
      if (ctx.state.queues.get(queue.name) !== queue) return {};
      const messages = receiveMessages(ctx, queue, count, VisibilityTimeout ?? numberOf(queue, "VisibilityTimeout"), selection);
      return messages.length > 0 ? { Messages: messages } : undefined;
    };
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
