import { accessDeniedMessage, type ServiceDefinition } from "@sandstack/core";
import { sqsError } from "./errors.js";
import { describe } from "./log-events.js";
import { addPermission } from "./operations/add-permission.js";
import { cancelMessageMoveTask } from "./operations/cancel-message-move-task.js";
import { changeMessageVisibility } from "./operations/change-message-visibility.js";
import { changeMessageVisibilityBatch } from "./operations/change-message-visibility-batch.js";
import { createQueue } from "./operations/create-queue.js";
import { deleteMessage } from "./operations/delete-message.js";
import { deleteMessageBatch } from "./operations/delete-message-batch.js";
import { deleteQueue } from "./operations/delete-queue.js";
import { getQueueAttributes } from "./operations/get-queue-attributes.js";
import { getQueueUrl } from "./operations/get-queue-url.js";
import { listDeadLetterSourceQueues } from "./operations/list-dead-letter-source-queues.js";
import { listMessageMoveTasks } from "./operations/list-message-move-tasks.js";
import { listQueueTags } from "./operations/list-queue-tags.js";
import { listQueues } from "./operations/list-queues.js";
import { purgeQueue } from "./operations/purge-queue.js";
import { receiveMessage } from "./operations/receive-message.js";
import { removePermission } from "./operations/remove-permission.js";
import { sendMessage } from "./operations/send-message.js";
import { sendMessageBatch } from "./operations/send-message-batch.js";
import { setQueueAttributes } from "./operations/set-queue-attributes.js";
import { startMessageMoveTask } from "./operations/start-message-move-task.js";
import { tagQueue } from "./operations/tag-queue.js";
import { untagQueue } from "./operations/untag-queue.js";
import { accessTo } from "./permissions.js";
import { queue } from "./resources/queue.js";
import { queueInlinePolicy } from "./resources/queue-inline-policy.js";
import { queuePolicy } from "./resources/queue-policy.js";
import { emptyState, type SqsState } from "./state.js";
import { tasks } from "./tasks.js";

export const sqsService: ServiceDefinition<SqsState> = {
  id: "sqs",
  reach: "region",
  wire: {
    protocols: ["awsJson1_0", "awsQuery"],
    target: "AmazonSQS",
    queryVersion: "2012-11-05",
    xmlNamespace: "http://queue.amazonaws.com/doc/2012-11-05/",
    isOpenToStrangers: true,
  },
  emptyState,
  operations: [
    addPermission,
    cancelMessageMoveTask,
    changeMessageVisibility,
    changeMessageVisibilityBatch,
    createQueue,
    deleteMessage,
    deleteMessageBatch,
    deleteQueue,
    getQueueAttributes,
    getQueueUrl,
    listDeadLetterSourceQueues,
    listMessageMoveTasks,
    listQueueTags,
    listQueues,
    purgeQueue,
    receiveMessage,
    removePermission,
    sendMessage,
    sendMessageBatch,
    setQueueAttributes,
    startMessageMoveTask,
    tagQueue,
    untagQueue,
  ],
  tasks,
  resourceTypes: [queue, queueInlinePolicy, queuePolicy],
  describe,
  accessTo,
  // SQS alone prints the action in lower case.
  accessDenied: (refusal) => sqsError("AccessDenied", accessDeniedMessage(refusal, refusal.question.action.toLowerCase())),
};
