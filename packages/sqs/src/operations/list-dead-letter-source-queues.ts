import type { ListDeadLetterSourceQueuesCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { pageOf } from "../pages.js";
import { onQueue, queueOf } from "../queue.js";
import { deadLetterSourcesOf } from "../redrive.js";
import type { SqsState } from "../state.js";

/** The URLs of the queues whose RedrivePolicy names this one. The member is `queueUrls`, with a small q, and always there. */
export const listDeadLetterSourceQueues = operation<SqsState, ListDeadLetterSourceQueuesCommandInput, { queueUrls: string[]; NextToken?: string }>({
  name: "ListDeadLetterSourceQueues",
  authorize: onQueue("sqs:ListDeadLetterSourceQueues"),
  run(ctx, { QueueUrl, MaxResults, NextToken }) {
    const { urls, nextToken } = pageOf(deadLetterSourcesOf(ctx.state, queueOf(ctx, QueueUrl).arn), { MaxResults, NextToken });
    return { queueUrls: urls, ...(nextToken !== undefined && { NextToken: nextToken }) };
  },
});
