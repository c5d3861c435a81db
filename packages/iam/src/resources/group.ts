import { orTakeDown, resourceType, type ResourceContext } from "@sandstack/core";
import { MAX_NAME_LENGTH } from "../limits.js";
import { changePolicies, type HolderProperties } from "./holders.js";

interface GroupProperties extends HolderProperties {
  readonly GroupName?: string;
  readonly Path?: string;
}

const IF_THERE = { ignore: ["NoSuchEntityException"] };

/** AWS::IAM::Group. `Ref` gives the group's name. */
export const group = resourceType<GroupProperties>({
  type: "AWS::IAM::Group",
  actsOn: ["GroupName", "Path", "Policies", "ManagedPolicyArns"],
  async create(ctx, wanted) {
    const GroupName = wanted.GroupName ?? ctx.physicalName({ maxLength: MAX_NAME_LENGTH.group });
    const made = await ctx.call("iam", "CreateGroup", { GroupName, Path: wanted.Path });
    await orTakeDown(
      () => changePolicies(ctx, { kind: "group", name: GroupName }, wanted),
      () => deleteGroup(ctx, GroupName, wanted),
    );
    return { physicalId: GroupName, attributes: { Arn: made?.Group?.Arn } };
  },
  async update(ctx, wanted, current) {
    const GroupName = current.physicalId;
    await ctx.call("iam", "UpdateGroup", { GroupName, NewPath: wanted.Path ?? "/" });
    await changePolicies(ctx, { kind: "group", name: GroupName }, wanted, current.properties);
    const found = await ctx.call("iam", "GetGroup", { GroupName });
    return { physicalId: GroupName, attributes: { Arn: found?.Group?.Arn } };
  },
  async delete(ctx, { physicalId, properties }) {
    await deleteGroup(ctx, physicalId, properties);
  },
});

async function deleteGroup(ctx: ResourceContext, GroupName: string, properties: GroupProperties): Promise<void> {
  await changePolicies(ctx, { kind: "group", name: GroupName }, {}, properties);
  await ctx.call("iam", "DeleteGroup", { GroupName }, IF_THERE);
}
