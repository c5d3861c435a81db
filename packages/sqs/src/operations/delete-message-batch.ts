import type { DeleteMessageBatchCommandInput, DeleteMessageBatchResultEntry } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { checkBatch, runBatch, type BatchOutput } from "../batch.js";
import { deleteMessageHeldBy } from "../held-message.js";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/** Deletes up to 10 received messages; a bad handle fails its entry alone. Authorized as DeleteMessage. */
export const deleteMessageBatch = operation<SqsState, DeleteMessageBatchCommandInput, BatchOutput<DeleteMessageBatchResultEntry>>({
  name: "DeleteMessageBatch",
  authorize: onQueue("sqs:DeleteMessage"),
  run(ctx, { QueueUrl, Entries }) {
    const queue = queueOf(ctx, QueueUrl);
    const entries = checkBatch(Entries, "DeleteMessageBatchRequestEntry", "ReceiptHandle");
    return runBatch(entries, ({ ReceiptHandle }) => {
      deleteMessageHeldBy(ctx, queue, ReceiptHandle);
      return {};
    });
  },
});
