import type { GetQueueUrlCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { missingParameter, queueDoesNotExist } from "../errors.js";
import { aboutQueue, ownerScope } from "../queue.js";
import type { SqsState } from "../state.js";

/** The URL of a queue of this account, or of another's that opens it by its policy. @throws QueueDoesNotExist */
export const getQueueUrl = operation<SqsState, GetQueueUrlCommandInput, { QueueUrl: string }>({
  name: "GetQueueUrl",
  authorize: {
    scope: (callScope, { QueueOwnerAWSAccountId }) => ownerScope(callScope, QueueOwnerAWSAccountId),
    questions(call, { QueueName }) {
      if (QueueName === undefined) throw missingParameter("QueueName");
      return aboutQueue(call, "sqs:GetQueueUrl", QueueName);
    },
  },
  run(ctx, { QueueName = "" }) {
    const queue = ctx.state.queues.get(QueueName);
    if (queue === undefined) throw queueDoesNotExist();
    return { QueueUrl: queue.url };
  },
});
