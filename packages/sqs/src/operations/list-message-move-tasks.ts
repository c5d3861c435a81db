import type { ListMessageMoveTasksCommandInput, ListMessageMoveTasksResultEntry } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { isWholeNumber } from "../checks.js";
import { invalidParameter } from "../errors.js";
import { MOVE_TASKS_LISTED_MAX } from "../limits.js";
import { onMoveTasks } from "../move-task-authorization.js";
import { sourceQueueOf } from "../move-tasks.js";
import type { MoveTask, SqsState } from "../state.js";
import { writeTaskHandle } from "../task-handle.js";

/** The newest move tasks of a queue, newest first: one, or up to `MaxResults` of the last 10. @throws ResourceNotFoundException (404), InvalidParameterValue */
export const listMessageMoveTasks = operation<SqsState, ListMessageMoveTasksCommandInput, { Results: ListMessageMoveTasksResultEntry[] }>({
  name: "ListMessageMoveTasks",
  authorize: onMoveTasks("sqs:ListMessageMoveTasks", ({ SourceArn }) => SourceArn),
  run(ctx, { SourceArn, MaxResults = 1 }) {
    const { arn, moveTasks } = sourceQueueOf(ctx, SourceArn);
    if (!isWholeNumber(MaxResults, 1, MOVE_TASKS_LISTED_MAX)) {
      throw invalidParameter("MaxResults", MaxResults, `Must be between 1 and ${MOVE_TASKS_LISTED_MAX}, if provided.`);
    }
    return { Results: moveTasks.slice(-MaxResults).reverse().map((task) => render(arn, task)) };
  },
});

/** What does not apply to a task is absent. */
function render(sourceArn: string, task: MoveTask): ListMessageMoveTasksResultEntry {
  return {
    ...(task.status === "RUNNING" && { TaskHandle: writeTaskHandle({ taskId: task.id, sourceArn }) }),
    Status: task.status,
    SourceArn: sourceArn,
    ...(task.destinationArn !== undefined && { DestinationArn: task.destinationArn }),
    ...(task.maxMessagesPerSecond !== undefined && { MaxNumberOfMessagesPerSecond: task.maxMessagesPerSecond }),
    ApproximateNumberOfMessagesMoved: task.messagesMoved,
    ApproximateNumberOfMessagesToMove: task.messagesToMove,
    ...(task.failureReason !== undefined && { FailureReason: task.failureReason }),
    StartedTimestamp: task.startedAtMs,
  };
}
