import type { ChangeMessageVisibilityBatchCommandInput, ChangeMessageVisibilityBatchResultEntry } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { checkBatch, runBatch, type BatchOutput } from "../batch.js";
import { changeVisibilityHeldBy } from "../held-message.js";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/** Changes the visibility of up to 10 messages in flight; one that cannot be changed fails its entry alone. Authorized as ChangeMessageVisibility. */
export const changeMessageVisibilityBatch = operation<SqsState, ChangeMessageVisibilityBatchCommandInput, BatchOutput<ChangeMessageVisibilityBatchResultEntry>>({
  name: "ChangeMessageVisibilityBatch",
  authorize: onQueue("sqs:ChangeMessageVisibility"),
  run(ctx, { QueueUrl, Entries }) {
    const queue = queueOf(ctx, QueueUrl);
    const entries = checkBatch(Entries, "ChangeMessageVisibilityBatchRequestEntry", "ReceiptHandle");
    return runBatch(entries, ({ ReceiptHandle, VisibilityTimeout }) => {
      changeVisibilityHeldBy(ctx, queue, ReceiptHandle, VisibilityTimeout);
      return {};
    });
  },
});
