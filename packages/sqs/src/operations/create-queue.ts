import type { CreateQueueCommandInput } from "@aws-sdk/client-sqs";
import { operation, type Question } from "@sandstack/core";
import { firstDifference, readAttributes, setAttributes } from "../attributes.js";
import { missingParameter, sqsError } from "../errors.js";
import { QUEUE_NAME_MAX_LENGTH } from "../limits.js";
import { aboutQueue, addQueue, isNameHeld } from "../queue.js";
import { FIFO_SUFFIX, isFifoName, queueArn } from "../queue-url.js";
import { checkDeadLetterTarget } from "../redrive.js";
import type { SqsState } from "../state.js";
import { checkTags, readTags, requestTagContext } from "../tags.js";

/**
 * The member of an input that wants a new queue, as CloudFormation does: where there is one already, even one that is the same, the
 * answer has no URL. A symbol: no request of AWS's has it.
 */
export const ONLY_NEW: unique symbol = Symbol.for("sandstack.sqs.only-new-queue");

export interface NewQueueInput extends CreateQueueCommandInput {
  readonly [ONLY_NEW]?: true;
}

const NAME = new RegExp(`^[A-Za-z0-9_-]{1,${QUEUE_NAME_MAX_LENGTH}}$`);

/**
 * Makes a queue, or answers the one of that name where no attribute given differs from its current value. Tags are not
 * compared, and an existing queue keeps its own.
 *
 * @throws QueueNameExists naming the first attribute that differs
 * @throws QueueDeletedRecently within 60 s of the deletion of a queue of that name
 */
export const createQueue = operation<SqsState, NewQueueInput, { QueueUrl?: string }>({
  name: "CreateQueue",
  authorize: {
    questions(call, { QueueName, tags }) {
      if (QueueName === undefined) throw missingParameter("QueueName");
      const wantedTags = readTags(tags);
      const options = { ownerOnly: true, context: requestTagContext(wantedTags) };
      const questions: Question[] = [aboutQueue(call, "sqs:CreateQueue", QueueName, options)];
      if (wantedTags.size > 0) questions.push(aboutQueue(call, "sqs:TagQueue", QueueName, options));
      return questions;
    },
  },
  run(ctx, { QueueName: name = "", Attributes: given = {}, tags, [ONLY_NEW]: isNewWanted = false }) {
    checkName(name, given);
    const changes = readAttributes(given, { forFifo: isFifoName(name) });
    const existing = ctx.state.queues.get(name);
    if (existing !== undefined) {
      const difference = firstDifference(existing, changes);
      if (difference === undefined) return isNewWanted ? {} : { QueueUrl: existing.url };
      throw sqsError("QueueNameExists", `A queue already exists with the same name and a different value for attribute ${difference}`);
    }
    checkDeadLetterTarget(ctx, queueArn(ctx.scope, name), changes, given);
    const wantedTags = readTags(tags);
    checkTags(name, new Map(), wantedTags);
    if (isNameHeld(ctx, name)) {
      throw sqsError("QueueDeletedRecently", "You must wait 60 seconds after deleting a queue before you can create another with the same name.");
    }
    const queue = addQueue(ctx, name);
    setAttributes(queue, changes);
    for (const [key, value] of wantedTags) queue.tags.set(key, value);
    ctx.record({ kind: "sqs.queue.created", queueArn: queue.arn });
    return { QueueUrl: queue.url };
  },
});

/** A FIFO queue has the suffix, and no other has. The suffix counts towards the length. */
function checkName(name: string, { FifoQueue }: Readonly<Record<string, string | undefined>>): void {
  // As all attributes it may be given as another type than text, though not by TypeScript.
  if (String(FifoQueue).toLowerCase() !== "true") {
    if (!NAME.test(name)) throw sqsError("InvalidParameterValue", "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length");
  } else if (!isFifoName(name) || name.length > QUEUE_NAME_MAX_LENGTH || !NAME.test(name.slice(0, -FIFO_SUFFIX.length))) {
    const rule = "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length";
    throw sqsError("InvalidParameterValue", rule);
  }
}
