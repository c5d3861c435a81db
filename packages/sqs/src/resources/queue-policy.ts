import { forAllOrNone, resourceType } from "@sandstack/core";
import { setPolicy } from "./policies.js";

interface QueuePolicyProperties {
  readonly Queues: readonly string[];
  readonly PolicyDocument: object | string;
}

/** AWS::SQS::QueuePolicy: one policy on all listed queues. A queue that leaves the list loses its policy. */
export const queuePolicy = resourceType<QueuePolicyProperties>({
  type: "AWS::SQS::QueuePolicy",
  actsOn: ["Queues", "PolicyDocument"],
  async create(ctx, wanted) {
    await forAllOrNone(
      wanted.Queues,
      (queue) => setPolicy(ctx, [queue], wanted.PolicyDocument),
      (queue) => setPolicy(ctx, [queue]),
    );
    const physicalId = ctx.physicalName();
    return { physicalId, attributes: { Id: physicalId } };
  },
  async update(ctx, wanted, current) {
    await setPolicy(ctx, current.properties.Queues.filter((url) => !wanted.Queues.includes(url)));
    await setPolicy(ctx, wanted.Queues, wanted.PolicyDocument);
    return { physicalId: current.physicalId, attributes: current.attributes };
  },
  async delete(ctx, current) {
    await setPolicy(ctx, current.properties.Queues);
  },
});
