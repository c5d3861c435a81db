import type { ListQueuesCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { pageOf } from "../pages.js";
import type { SqsState } from "../state.js";

/** The URLs of the queues whose names begin with a prefix: 1,000 at most, or pages of `MaxResults`. Without a hit there is no `QueueUrls`. */
export const listQueues = operation<SqsState, ListQueuesCommandInput, { QueueUrls?: string[]; NextToken?: string }>({
  name: "ListQueues",
  authorize: { questions: () => ({ action: "sqs:ListQueues", resource: "*", ownerOnly: true }) },
  run(ctx, { QueueNamePrefix = "", MaxResults, NextToken }) {
    const queues = [...ctx.state.queues.values()].filter(({ name }) => name.startsWith(QueueNamePrefix));
    const { urls, nextToken } = pageOf(queues, { MaxResults, NextToken });
    return { ...(urls.length > 0 && { QueueUrls: urls }), ...(nextToken !== undefined && { NextToken: nextToken }) };
  },
});
