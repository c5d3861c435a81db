import type { DeleteQueueCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { droppedMessages, onQueue, queueOf, removeQueue } from "../queue.js";
import type { SqsState } from "../state.js";

/**
 * Deletes a queue with all its messages, at once; AWS takes up to 60 s (API reference, DeleteQueue). Its name is held for 60 s.
 * Receives that wait for it end empty.
 *
 * @throws QueueDoesNotExist
 */
export const deleteQueue = operation<SqsState, DeleteQueueCommandInput, void>({
  name: "DeleteQueue",
  authorize: onQueue("sqs:DeleteQueue", { ownerOnly: true }),
  run(ctx, { QueueUrl }) {
    const queue = queueOf(ctx, QueueUrl);
    const dropped = droppedMessages(queue);
    removeQueue(ctx, queue);
    ctx.record({ kind: "sqs.queue.deleted", queueArn: queue.arn, ...dropped });
  },
});
