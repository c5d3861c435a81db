import type { StartMessageMoveTaskCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { destinationsOf, onMoveTasks } from "../move-task-authorization.js";
import { startMoveTask } from "../move-tasks.js";
import type { SqsState } from "../state.js";
import { writeTaskHandle } from "../task-handle.js";

/**
 * Begins to move the visible messages of a dead-letter queue, oldest first, to a queue or back to where each came from. It
 * runs in the background: all messages at once at the present instant or, with a velocity, that many at once and again with
 * each second of the sandbox's clock. What is moved is a new message: its id, receive count and retention begin anew.
 *
 * @throws ResourceNotFoundException (404) for a queue that does not exist
 * @throws InvalidParameterValue for a source that is nobody's dead-letter queue, or has a task running
 */
export const startMessageMoveTask = operation<SqsState, StartMessageMoveTaskCommandInput, { TaskHandle: string }>({
  name: "StartMessageMoveTask",
  authorize: onMoveTasks("sqs:StartMessageMoveTask", ({ SourceArn }) => SourceArn, destinationsOf),
  run(ctx, input) {
    const { source, task } = startMoveTask(ctx, input);
    return { TaskHandle: writeTaskHandle({ taskId: task.id, sourceArn: source.arn }) };
  },
});
