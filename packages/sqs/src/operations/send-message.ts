import type { SendMessageCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { onQueue, queueOf } from "../queue.js";
import { messagesSent, sendMessage as send, type SentMessage } from "../send.js";
import type { SqsState } from "../state.js";

/**
 * Puts a message into a queue, to be received at once or after its delay (its own, else the queue's).
 *
 * @throws MissingParameter, InvalidParameterValue, InvalidMessageContents; nothing is stored
 */
export const sendMessage = operation<SqsState, SendMessageCommandInput, SentMessage>({
  name: "SendMessage",
  authorize: onQueue("sqs:SendMessage"),
  run(ctx, input) {
    const queue = queueOf(ctx, input.QueueUrl);
    const sent = send(ctx, queue, input);
    messagesSent(ctx, queue);
    return sent;
  },
});
