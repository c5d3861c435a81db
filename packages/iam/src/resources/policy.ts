import { forAllOrNone, resourceType } from "@sandstack/core";
import { iamError } from "../errors.js";
import { deleteInlinePolicy, holdersOf, putInlinePolicy, without, type Holder, type PolicyProperty } from "./holders.js";

interface PolicyProperties extends PolicyProperty {
  readonly Roles?: readonly string[];
  readonly Users?: readonly string[];
  readonly Groups?: readonly string[];
}

/** AWS::IAM::Policy: one inline policy in all roles, users and groups listed. One that leaves the list loses it. */
export const policy = resourceType<PolicyProperties>({
  type: "AWS::IAM::Policy",
  actsOn: ["PolicyName", "PolicyDocument", "Roles", "Users", "Groups"],
  async create(ctx, wanted) {
    const holders = checkHolders(wanted);
    await forAllOrNone(
      holders,
      (holder) => putInlinePolicy(ctx, holder, wanted),
      (holder) => deleteInlinePolicy(ctx, holder, wanted.PolicyName),
    );
    const physicalId = ctx.physicalName({ maxLength: 128 });
    return { physicalId, attributes: { Id: physicalId } };
  },
  async update(ctx, wanted, current) {
    const holders = checkHolders(wanted);
    const before = holdersOf(current.properties);
    const left = wanted.PolicyName === current.properties.PolicyName ? without(before, holders) : before;
    for (const holder of left) await deleteInlinePolicy(ctx, holder, current.properties.PolicyName);
    for (const holder of holders) await putInlinePolicy(ctx, holder, wanted);
    return { physicalId: current.physicalId, attributes: current.attributes };
  },
  async delete(ctx, { properties }) {
    for (const holder of holdersOf(properties)) await deleteInlinePolicy(ctx, holder, properties.PolicyName);
  },
});

function checkHolders(wanted: PolicyProperties): readonly Holder[] {
  const holders = holdersOf(wanted);
  if (holders.length === 0) throw iamError("InvalidInputException", "At least one of [Groups,Roles,Users] must be non-empty.");
  return holders;
}
