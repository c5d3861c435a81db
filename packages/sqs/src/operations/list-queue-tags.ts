import type { ListQueueTagsCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/** The queue's tags. Without any there is no `Tags`. */
export const listQueueTags = operation<SqsState, ListQueueTagsCommandInput, { Tags?: Record<string, string> }>({
  name: "ListQueueTags",
  authorize: onQueue("sqs:ListQueueTags", { ownerOnly: true }),
  run(ctx, { QueueUrl }) {
    const { tags } = queueOf(ctx, QueueUrl);
    return tags.size === 0 ? {} : { Tags: Object.fromEntries(tags) };
  },
});
