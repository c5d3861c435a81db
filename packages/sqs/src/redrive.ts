import type { ServiceContext } from "@sandstack/core";
import type { AttributeChanges, AttributeTexts } from "./attributes.js";
import { numberOf } from "./attributes.js";
import { armDeadline, enterQueue } from "./deadlines.js";
import { invalidParameter } from "./errors.js";
import { isFifoName, readQueueArn } from "./queue-url.js";
import type { Message, Queue, RedrivePolicy, SqsState } from "./state.js";
import { isFifo, messagesVisible, nextOfGroup, takeNextVisible } from "./visible-messages.js";

/** The queue of an ARN, if this account has it in this region. */
export function queueByArn({ state }: ServiceContext<SqsState>, arn: string): Queue | undefined {
  const named = readQueueArn(arn);
  const queue = named === undefined ? undefined : state.queues.get(named.name);
  return queue?.arn === arn ? queue : undefined;
}

/**
 * The dead-letter queue a message has to go to by now, or `undefined` while it may be received once more.
 *
 * A dead-letter queue that is gone takes nothing: the message stays where it is.
 */
export function deadLetterQueueOf(ctx: ServiceContext<SqsState>, queue: Queue, message: Message): Queue | undefined {
  const policy = queue.attributes.RedrivePolicy;
  // `<`, not `<=`: a message received `maxReceiveCount` times has had its last chance.
  if (policy === undefined || message.receivesHere < policy.maxReceiveCount) return undefined;
  const target = queueByArn(ctx, policy.deadLetterTargetArn);
  // A queue is not its own dead-letter queue.
  return target === queue ? undefined : target;
}

/**
 * Moves a message that is in no place of `queue` any more. It keeps its id, body, attributes and receive count, and its age
 * in a standard queue. In a FIFO queue it is as old as its stay there, and its id is its deduplication id from now on
 * (Developer Guide, "Using dead-letter queues").
 */
export function moveToDeadLetterQueue(ctx: ServiceContext<SqsState>, queue: Queue, message: Message, target: Queue): void {
  const { messageId, receiveCount } = message;
  queue.received.delete(message.sequence);
  const sequence = target.nextSequence++;
  const moved: Message = {
    ...message,
    sequence,
    turn: sequence,
    receivesHere: 0,
    receiveAttemptId: undefined,
    deadLetterSourceArn: queue.arn,
    ...(isFifo(target) && { sentAtMs: ctx.nowMs, deduplicationId: messageId }),
  };
  // A FIFO queue delays all messages alike: one that came without a delay would overtake others of its group.
  enterQueue(target, moved, ctx.nowMs, isFifo(target) ? numberOf(target, "DelaySeconds") : 0);
  moved.lastRecordId = ctx.record({
    kind: "sqs.message.moved",
    queueArn: queue.arn,
    deadLetterQueueArn: target.arn,
    messageId,
    receiveCount,
    principal: undefined,
    cause: message.lastRecordId,
  });
  armDeadline(ctx, target);
  messagesVisible(ctx, target);
}

/**
 * Moves the messages of a FIFO queue that had their last chance and were held back by `message` alone, which is gone from before them.
 */
export function deadLetterFollowers(ctx: ServiceContext<SqsState>, queue: Queue, message: Message): void {
  if (queue.attributes.RedrivePolicy === undefined) return;
  for (let next = nextOfGroup(queue, message); next !== undefined; next = nextOfGroup(queue, message)) {
    const deadLetterQueue = deadLetterQueueOf(ctx, queue, next);
    if (deadLetterQueue === undefined) return;
    takeNextVisible(queue, message);
    moveToDeadLetterQueue(ctx, queue, next, deadLetterQueue);
  }
}

/**
 * Checks that a queue may have the dead-letter queue that its new attributes name, if they do.
 *
 * @param sourceArn the queue that gets the attributes
 * @param given the attributes as text, for the message
 * @throws InvalidParameterValue
 */
export function checkDeadLetterTarget(ctx: ServiceContext<SqsState>, sourceArn: string, changes: AttributeChanges, given: AttributeTexts): void {
  const policy = changes.get("RedrivePolicy") as RedrivePolicy | undefined; // the attribute's own rule read it
  if (policy === undefined) return;
  const invalid = (reason: string): Error => invalidParameter("RedrivePolicy", given.RedrivePolicy, reason);
  if (readQueueArn(policy.deadLetterTargetArn)?.accountId !== ctx.scope.accountId) throw invalid("Dead-letter target owner should be same as the source.");
  const target = queueByArn(ctx, policy.deadLetterTargetArn);
  if (target === undefined) throw invalid("Dead letter target does not exist.");
  if (isFifo(target) !== isFifoName(sourceArn)) throw invalid("Dead-letter queue must be same type of queue as the source.");
  if (!mayUse(target, sourceArn)) throw invalid("Queue does not have permission to use the dead letter queue.");
}

function mayUse(deadLetterQueue: Queue, sourceArn: string): boolean {
  const allowed = deadLetterQueue.attributes.RedriveAllowPolicy;
  switch (allowed?.redrivePermission) {
    case "denyAll":
      return false;
    case "byQueue":
      return allowed.sourceQueueArns?.includes(sourceArn) === true;
    default:
      return true;
  }
}

/** The queues that send their dead letters to the queue of an ARN. */
export function deadLetterSourcesOf({ queues }: SqsState, arn: string | undefined): Queue[] {
  return [...queues.values()].filter(({ attributes }) => arn !== undefined && attributes.RedrivePolicy?.deadLetterTargetArn === arn);
}
