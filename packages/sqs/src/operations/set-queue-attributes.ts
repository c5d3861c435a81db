import type { SetQueueAttributesCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { readAttributes, setAttributes } from "../attributes.js";
import { armDeadline, resetDeadlines, resetDelays } from "../deadlines.js";
import { missingParameter } from "../errors.js";
import { onQueue, queueOf } from "../queue.js";
import { checkDeadLetterTarget } from "../redrive.js";
import type { SqsState } from "../state.js";
import { runDeadlines } from "../tasks.js";
import { isFifo } from "../visible-messages.js";

/**
 * Sets attributes at once; AWS takes up to 60 s, 15 minutes for retention (API reference, SetQueueAttributes). A policy
 * set to `""` is taken off. A changed retention takes stored messages too, in a FIFO queue also a changed delay; a changed visibility timeout does not.
 *
 * @throws InvalidAttributeName, InvalidAttributeValue, InvalidParameterValue; nothing is set
 */
export const setQueueAttributes = operation<SqsState, SetQueueAttributesCommandInput, void>({
  name: "SetQueueAttributes",
  authorize: onQueue("sqs:SetQueueAttributes", { ownerOnly: true }),
  run(ctx, { QueueUrl, Attributes: given }) {
    const queue = queueOf(ctx, QueueUrl);
    if (given === undefined) throw missingParameter("Attributes");
    const changes = readAttributes(given, { forFifo: isFifo(queue), current: queue.attributes });
    checkDeadLetterTarget(ctx, queue.arn, changes, given);
    setAttributes(queue, changes);
    queue.modifiedAtMs = ctx.nowMs;
    if (changes.has("MessageRetentionPeriod")) resetDeadlines(queue);
    if (changes.has("DelaySeconds") && isFifo(queue)) resetDelays(queue, ctx.nowMs);
    runDeadlines(ctx, queue);
    armDeadline(ctx, queue);
  },
});
