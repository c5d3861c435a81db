import { resourceType } from "@sandstack/core";

/** AWS::CDK::Metadata: which constructs an app is made of. It has no effect, on AWS as here. */
export const cdkMetadata = resourceType<{ Analytics?: string }>({
  type: "AWS::CDK::Metadata",
  actsOn: ["Analytics"],
  async create(ctx) {
    return { physicalId: ctx.uuid(), attributes: {} };
  },
  async update(_ctx, _wanted, current) {
    return { physicalId: current.physicalId, attributes: {} };
  },
  async delete() {
    // Nothing was made.
  },
});
