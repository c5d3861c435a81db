import type { CancelMessageMoveTaskCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { missingParameter, sqsError } from "../errors.js";
import { onMoveTasks } from "../move-task-authorization.js";
import { sourceQueueOf } from "../move-tasks.js";
import type { SqsState } from "../state.js";
import { readTaskHandle, type TaskHandle } from "../task-handle.js";

/**
 * Ends a move task at once, where AWS goes on for a while. What it has moved stays moved.
 *
 * @throws InvalidParameterValue for a handle that is none
 * @throws ResourceNotFoundException (404) for a task that does not run, or whose queue is gone
 */
export const cancelMessageMoveTask = operation<SqsState, CancelMessageMoveTaskCommandInput, { ApproximateNumberOfMessagesMoved: number }>({
  name: "CancelMessageMoveTask",
  authorize: onMoveTasks("sqs:CancelMessageMoveTask", (input) => handleOf(input).sourceArn),
  run(ctx, input) {
    const { taskId, sourceArn } = handleOf(input);
    const task = sourceQueueOf(ctx, sourceArn).moveTasks.find(({ id }) => id === taskId);
    if (task === undefined) throw sqsError("ResourceNotFoundException", "Task does not exist.");
    if (task.status !== "RUNNING") throw sqsError("ResourceNotFoundException", "Only active tasks can be cancelled.");
    task.status = "CANCELLED";
    return { ApproximateNumberOfMessagesMoved: task.messagesMoved };
  },
});

function handleOf({ TaskHandle: handle }: CancelMessageMoveTaskCommandInput): TaskHandle {
  if (handle === undefined) throw missingParameter("TaskHandle");
  return readTaskHandle(handle);
}
