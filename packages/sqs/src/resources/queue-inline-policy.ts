import { resourceType } from "@sandstack/core";
import { setPolicy } from "./policies.js";

interface QueueInlinePolicyProperties {
  readonly Queue: string;
  readonly PolicyDocument: object | string;
}

/** AWS::SQS::QueueInlinePolicy: the policy of one queue. Another queue is another resource. */
export const queueInlinePolicy = resourceType<QueueInlinePolicyProperties>({
  type: "AWS::SQS::QueueInlinePolicy",
  actsOn: ["Queue", "PolicyDocument"],
  async create(ctx, wanted) {
    await setPolicy(ctx, [wanted.Queue], wanted.PolicyDocument);
    return { physicalId: wanted.Queue, attributes: {} };
  },
  async update(ctx, wanted, current) {
    await setPolicy(ctx, [wanted.Queue], wanted.PolicyDocument);
    return { physicalId: current.physicalId, attributes: current.attributes };
  },
  async delete(ctx, current) {
    await setPolicy(ctx, [current.properties.Queue]);
  },
});
