import type { TagQueueCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { missingParameter } from "../errors.js";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";
import { checkTags, readTags, requestTagContext } from "../tags.js";

/** Puts tags on a queue; one with the same key is overwritten. @throws MissingParameter without tags, InvalidParameterValue */
export const tagQueue = operation<SqsState, TagQueueCommandInput, void>({
  name: "TagQueue",
  authorize: onQueue("sqs:TagQueue", { ownerOnly: true, context: ({ Tags }) => requestTagContext(readTags(Tags)) }),
  run(ctx, { QueueUrl, Tags }) {
    const queue = queueOf(ctx, QueueUrl);
    const added = readTags(Tags);
    if (added.size === 0) throw missingParameter("Tags");
    checkTags(queue.name, queue.tags, added);
    for (const [key, value] of added) queue.tags.set(key, value);
  },
});
