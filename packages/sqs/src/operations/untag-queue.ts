import type { UntagQueueCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { sqsError } from "../errors.js";
import { TAG_KEY_MAX_LENGTH } from "../limits.js";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/** Takes tags off a queue; keys it has not got are no error. @throws InvalidParameterValue without keys */
export const untagQueue = operation<SqsState, UntagQueueCommandInput, void>({
  name: "UntagQueue",
  authorize: onQueue("sqs:UntagQueue", { ownerOnly: true, context: ({ TagKeys }) => ({ "aws:TagKeys": TagKeys }) }),
  run(ctx, { QueueUrl, TagKeys = [] }) {
    const queue = queueOf(ctx, QueueUrl);
    if (TagKeys.length === 0) throw sqsError("InvalidParameterValue", `Tag keys must be between 1 and ${TAG_KEY_MAX_LENGTH} characters in length.`);
    for (const key of TagKeys) queue.tags.delete(key);
  },
});
