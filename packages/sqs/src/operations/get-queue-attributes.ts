import type { GetQueueAttributesCommandInput } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { renderQueueAttributes } from "../attributes.js";
import { onQueue, queueOf } from "../queue.js";
import type { SqsState } from "../state.js";

/** The attributes asked for. One that is not set is left out; when none is left there is no `Attributes`. @throws InvalidAttributeName */
export const getQueueAttributes = operation<SqsState, GetQueueAttributesCommandInput, { Attributes?: Record<string, string> }>({
  name: "GetQueueAttributes",
  authorize: onQueue("sqs:GetQueueAttributes"),
  run(ctx, { QueueUrl, AttributeNames = [] }) {
    const attributes = renderQueueAttributes(queueOf(ctx, QueueUrl), AttributeNames);
    return Object.keys(attributes).length === 0 ? {} : { Attributes: attributes };
  },
});
