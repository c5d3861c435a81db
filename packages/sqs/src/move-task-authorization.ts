import type { Authorization, CallContext, Question } from "@sandstack/core";
import { missingParameter, sqsError } from "./errors.js";
import type { MoveTaskInput } from "./move-tasks.js";
import { aboutQueue, ownerScope } from "./queue.js";
import { readQueueArn } from "./queue-url.js";
import { deadLetterSourcesOf } from "./redrive.js";
import type { SqsState } from "./state.js";

/**
 * Authorization of an action on the move tasks of a dead-letter queue, which needs what the tasks do there as well
 * (Developer Guide, "Amazon SQS API permissions").
 *
 * @param sourceOf the ARN of the dead-letter queue; it may throw AWS's error
 * @param destinationsOf the names of the queues to which messages can go
 */
export function onMoveTasks<Input>(
  action: string,
  sourceOf: (input: Input) => string | undefined,
  destinationsOf: (call: CallContext<SqsState>, input: Input) => readonly string[] = () => [],
): Authorization<SqsState, Input> {
  return {
    scope: (callScope, input) => ownerScope(callScope, readArn("SourceArn", sourceOf(input)).accountId),
    questions(call, input) {
      const { name } = readArn("SourceArn", sourceOf(input));
      const about = (asked: string): Question => aboutQueue(call, asked, name, { ownerOnly: asked === action });
      return [
        ...[action, "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"].map(about),
        ...destinationsOf(call, input).map((destination) => aboutQueue(call, "sqs:SendMessage", destination)),
      ];
    },
  };
}

/** Where the messages of a task can go: its destination, or else any of the queues that send their dead letters to its source. */
export function destinationsOf(call: CallContext<SqsState>, { SourceArn, DestinationArn }: MoveTaskInput): readonly string[] {
  if (DestinationArn !== undefined) return [readArn("DestinationArn", DestinationArn).name];
  return deadLetterSourcesOf(call.state, SourceArn).map(({ name }) => name);
}

/**
 * Reads the ARN of a queue that a member gives.
 *
 * @throws MissingParameter, InvalidParameterValue
 */
function readArn(member: "SourceArn" | "DestinationArn", arn: string | undefined): { accountId: string; name: string } {
  if (arn === undefined || arn === "") throw missingParameter(member);
  const read = readQueueArn(arn);
  if (read === undefined) throw sqsError("InvalidParameterValue", `You must use this format to specify the ${member}: arn:<partition>:<service>:<region>:<account-id>:<resource-id>`);
  return read;
}
