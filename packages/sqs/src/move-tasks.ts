import { uuid, type ServiceContext } from "@sandstack/core";
import { numberOf } from "./attributes.js";
import { isWholeNumber } from "./checks.js";
import { armDeadline, enterQueue } from "./deadlines.js";
import { sqsError } from "./errors.js";
import { MOVE_TASKS_LISTED_MAX, MOVED_PER_SECOND_MAX } from "./limits.js";
import { deadLetterSourcesOf, queueByArn } from "./redrive.js";
import type { Message, MoveTask, Queue, SqsState } from "./state.js";
import { addVisible, isAnyReceivable, isFifo, messagesVisible, takeNextVisible, visibleCount } from "./visible-messages.js";

/** The name of the task that moves the next messages; its arguments say of which queue and which move task. */
export const MOVE_TASK = "sqs.messages.redriven";

export interface MoveTaskArgs {
  readonly queueName: string;
  readonly moveTaskId: string;
}

/** What StartMessageMoveTask is given. */
export interface MoveTaskInput {
  readonly SourceArn?: string | undefined;
  readonly DestinationArn?: string | undefined;
  readonly MaxNumberOfMessagesPerSecond?: number | undefined;
}

/** Why a task fails: AWS's codes (Developer Guide, "Troubleshooting dead-letter queue redrive"). */
const NO_KNOWN_SOURCE = "CouldNotDetermineMessageSource";
const NO_SUCH_QUEUE = "AWS.SimpleQueueService.NonExistentQueue";

function noSuchQueue(member: "SourceArn" | "DestinationArn"): Error {
  return sqsError("ResourceNotFoundException", `The resource that you specified for the ${member} parameter doesn't exist.`);
}

/** The queue whose tasks a call is about. @throws ResourceNotFoundException (404) */
export function sourceQueueOf(ctx: ServiceContext<SqsState>, SourceArn: string | undefined): Queue {
  const queue = SourceArn === undefined ? undefined : queueByArn(ctx, SourceArn);
  if (queue === undefined) throw noSuchQueue("SourceArn");
  return queue;
}

/**
 * Begins a task on a queue: it runs from now on, and moves its first messages at once.
 *
 * @throws ResourceNotFoundException, InvalidParameterValue
 */
export function startMoveTask(ctx: ServiceContext<SqsState>, { SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond: velocity }: MoveTaskInput): { source: Queue; task: MoveTask } {
  const source = sourceQueueOf(ctx, SourceArn);
  if (deadLetterSourcesOf(ctx.state, source.arn).length === 0) throw sqsError("InvalidParameterValue", "Source queue must be configured as a Dead Letter Queue.");
  if (DestinationArn !== undefined) checkDestination(ctx, source, DestinationArn);
  if (velocity !== undefined && !isWholeNumber(velocity, 1, MOVED_PER_SECOND_MAX)) {
    throw sqsError("InvalidParameterValue", `Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 and ${MOVED_PER_SECOND_MAX}.`);
  }
  if (source.moveTasks.some(({ status }) => status === "RUNNING")) {
    throw sqsError("InvalidParameterValue", "There is already a task running. Only one active task is allowed for a source queue arn at a given time.");
  }
  const task: MoveTask = {
    id: uuid(ctx.random),
    status: "RUNNING",
    startedAtMs: ctx.nowMs,
    destinationArn: DestinationArn,
    maxMessagesPerSecond: velocity,
    messagesToMove: visibleCount(source),
    messagesMoved: 0,
    failureReason: undefined,
  };
  source.moveTasks.push(task);
  if (source.moveTasks.length > MOVE_TASKS_LISTED_MAX) source.moveTasks.shift();
  ctx.schedule({ name: MOVE_TASK, dueAtMs: ctx.nowMs, args: { queueName: source.name, moveTaskId: task.id } satisfies MoveTaskArgs, about: [source.arn] });
  return { source, task };
}

function checkDestination(ctx: ServiceContext<SqsState>, source: Queue, arn: string): void {
  const destination = queueByArn(ctx, arn);
  if (destination === undefined) throw noSuchQueue("DestinationArn");
  if (destination === source) throw sqsError("InvalidParameterValue", "Source queue arn and destination queue arn cannot be the same.");
  if (isFifo(destination) !== isFifo(source)) {
    throw sqsError("InvalidParameterValue", "The source queue and destination queue must be of the same queue type.");
  }
}

/** Moves what a task moves in one go: as many messages as its velocity has in a second, or all there are. */
export function continueMoveTask(ctx: ServiceContext<SqsState>, source: Queue, moveTaskId: string): void {
  const task = source.moveTasks.find(({ id }) => id === moveTaskId);
  if (task?.status !== "RUNNING") return;
  const reached = moveMessages(ctx, source, task);
  for (const destination of reached) {
    armDeadline(ctx, destination);
    messagesVisible(ctx, destination);
  }
  if (task.status !== "RUNNING") return;
  // The clock moves before the next ones go: they stand for no work of this instant.
  const next = { dueAtMs: ctx.nowMs + 1_000, generation: 0 };
  ctx.schedule({ name: MOVE_TASK, ...next, args: { queueName: source.name, moveTaskId } satisfies MoveTaskArgs, about: [source.arn] });
}

/** Answers the queues that got messages. */
function moveMessages(ctx: ServiceContext<SqsState>, source: Queue, task: MoveTask): ReadonlySet<Queue> {
  const reached = new Set<Queue>();
  const isEnough = task.messagesMoved + (task.maxMessagesPerSecond ?? task.messagesToMove);
  const until = Math.min(isEnough, task.messagesToMove);
  while (task.messagesMoved < until) {
    const message = takeNextVisible(source);
    if (message === undefined) break;
    const arn = task.destinationArn ?? message.deadLetterSourceArn;
    const destination = arn === undefined ? undefined : queueByArn(ctx, arn);
    if (destination === undefined) {
      addVisible(source, message);
      task.status = "FAILED";
      task.failureReason = arn === undefined ? NO_KNOWN_SOURCE : NO_SUCH_QUEUE;
      return reached;
    }
    redriveMessage(ctx, source, message, destination);
    task.messagesMoved += 1;
    reached.add(destination);
  }
  if (task.messagesMoved === task.messagesToMove || !isAnyReceivable(source)) task.status = "COMPLETED";
  return reached;
}

/** Makes a new message of one that was taken out of a dead-letter queue: a new id, and its retention begins anew, as AWS says. */
function redriveMessage(ctx: ServiceContext<SqsState>, source: Queue, message: Message, destination: Queue): void {
  source.received.delete(message.sequence);
  const messageId = uuid(ctx.random);
  const messageIds = [message.messageId, messageId] as const;
  const lastRecordId = ctx.record({
    kind: "sqs.message.redriven",
    queueArn: destination.arn,
    deadLetterQueueArn: source.arn,
    messageIds,
    principal: undefined,
    cause: message.lastRecordId,
  });
  const sequence = destination.nextSequence++;
  const redriven: Message = {
    ...message,
    messageId,
    sentAtMs: ctx.nowMs,
    sequence,
    turn: sequence,
    receiveAttemptId: undefined,
    receiveCount: 0,
    receivesHere: 0,
    firstReceivedAtMs: undefined,
    receivedAtMs: 0,
    isDuplicate: false,
    deadLetterSourceArn: undefined,
    lastRecordId,
  };
  enterQueue(destination, redriven, ctx.nowMs, numberOf(destination, "DelaySeconds"));
}
