import type { DeleteMessageCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { deleteMessageHeldBy } from "../held-message.js";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/**
 * Deletes a received message. Deleting it twice is no error; a handle of an earlier receive deletes nothing.
 *
 * @throws ReceiptHandleIsInvalid for a handle this queue never issued
 * @throws InvalidParameterValue for a handle that has expired, on a FIFO queue
 */
export const deleteMessage = operation<SqsState, DeleteMessageCommandInput, void>({
  name: "DeleteMessage",
  authorize: onQueue("sqs:DeleteMessage"),
  run(ctx, { QueueUrl, ReceiptHandle }) {
    deleteMessageHeldBy(ctx, queueOf(ctx, QueueUrl), ReceiptHandle);
  },
});
