import { forAllOrNone, resourceType } from "@sandstack/core";

interface UserToGroupAdditionProperties {
  readonly GroupName: string;
  readonly Users: readonly string[];
}

const IF_THERE = { ignore: ["NoSuchEntityException"] };

/** AWS::IAM::UserToGroupAddition: users put into one group. One that leaves the list leaves the group. */
export const userToGroupAddition = resourceType<UserToGroupAdditionProperties>({
  type: "AWS::IAM::UserToGroupAddition",
  actsOn: ["GroupName", "Users"],
  async create(ctx, { GroupName, Users }) {
    await forAllOrNone(
      Users,
      (UserName) => ctx.call("iam", "AddUserToGroup", { GroupName, UserName }),
      (UserName) => ctx.call("iam", "RemoveUserFromGroup", { GroupName, UserName }, IF_THERE),
    );
    const physicalId = ctx.physicalName();
    return { physicalId, attributes: { Id: physicalId } };
  },
  async update(ctx, { GroupName, Users }, current) {
    const before = current.properties;
    const left = GroupName === before.GroupName ? before.Users.filter((user) => !Users.includes(user)) : before.Users;
    for (const UserName of left) await ctx.call("iam", "RemoveUserFromGroup", { GroupName: before.GroupName, UserName }, IF_THERE);
    for (const UserName of Users) await ctx.call("iam", "AddUserToGroup", { GroupName, UserName });
    return { physicalId: current.physicalId, attributes: current.attributes };
  },
  async delete(ctx, { properties: { GroupName, Users } }) {
    for (const UserName of Users) await ctx.call("iam", "RemoveUserFromGroup", { GroupName, UserName }, IF_THERE);
  },
});
