import type { PurgeQueueCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { sqsError } from "../errors.js";
import { PURGE_COOLDOWN_MS } from "../limits.js";
import { dropAllMessages, droppedMessages, onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/**
 * Drops every message of a queue: visible, delayed and in flight.
 * Immediate here; AWS takes up to 60 s (API reference, PurgeQueue).
 *
 * @throws PurgeQueueInProgress (403) within 60 s of the last purge; nothing is dropped
 */
export const purgeQueue = operation<SqsState, PurgeQueueCommandInput, void>({
  name: "PurgeQueue",
  authorize: onQueue("sqs:PurgeQueue"),
  run(ctx, { QueueUrl }) {
    const queue = queueOf(ctx, QueueUrl);
    if (queue.purgedAtMs !== undefined && ctx.nowMs < queue.purgedAtMs + PURGE_COOLDOWN_MS) {
      throw sqsError("PurgeQueueInProgress", `Only one PurgeQueue operation on ${queue.name} is allowed every 60 seconds.`);
    }
    queue.purgedAtMs = ctx.nowMs;
    const dropped = droppedMessages(queue);
    dropAllMessages(queue);
    ctx.record({ kind: "sqs.queue.purged", queueArn: queue.arn, ...dropped });
  },
});
