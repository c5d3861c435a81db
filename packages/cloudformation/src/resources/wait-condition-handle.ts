import { resourceType } from "@sandstack/core";

/** AWS::CloudFormation::WaitConditionHandle: its `Ref` is the URL that signals would be sent to. */
export const waitConditionHandle = resourceType<Record<string, never>>({
  type: "AWS::CloudFormation::WaitConditionHandle",
  actsOn: [],
  async create(ctx) {
    const physicalId = `https://cloudformation-waitcondition-${ctx.scope.region}.s3.amazonaws.com/${encodeURIComponent(ctx.stackId)}/${ctx.uuid()}/${ctx.logicalId}`;
    return { physicalId, attributes: {} };
  },
  async update(_ctx, _wanted, current) {
    return { physicalId: current.physicalId, attributes: {} };
  },
  async delete() {
    // The URL is only a name.
  },
});
