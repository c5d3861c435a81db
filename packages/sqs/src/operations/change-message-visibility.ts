import type { ChangeMessageVisibilityCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { changeVisibilityHeldBy } from "../held-message.js";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/**
 * Hides a message in flight for so long from now, in place of its timeout so far; 0 ends it at once. Later receives are not concerned.
 *
 * @throws ReceiptHandleIsInvalid for a handle this queue never issued
 * @throws InvalidParameterValue when the message is not in flight, or would be hidden for more than 12 hours since it was received
 */
export const changeMessageVisibility = operation<SqsState, ChangeMessageVisibilityCommandInput, void>({
  name: "ChangeMessageVisibility",
  authorize: onQueue("sqs:ChangeMessageVisibility"),
  run(ctx, { QueueUrl, ReceiptHandle, VisibilityTimeout }) {
    changeVisibilityHeldBy(ctx, queueOf(ctx, QueueUrl), ReceiptHandle, VisibilityTimeout);
  },
});
