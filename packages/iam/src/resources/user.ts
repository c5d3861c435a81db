import { orTakeDown, resourceType, type ResourceContext } from "@sandstack/core";
import { MAX_NAME_LENGTH } from "../limits.js";
import { changePolicies, tagsOf, type HolderProperties, type TagProperty } from "./holders.js";

interface UserProperties extends HolderProperties {
  readonly UserName?: string;
  readonly Path?: string;
  readonly Groups?: readonly string[];
  readonly PermissionsBoundary?: string;
  readonly Tags?: readonly TagProperty[];
}

const IF_THERE = { ignore: ["NoSuchEntityException"] };

/** AWS::IAM::User. `Ref` gives the user's name. */
export const user = resourceType<UserProperties>({
  type: "AWS::IAM::User",
  actsOn: ["UserName", "Path", "Groups", "PermissionsBoundary", "Policies", "ManagedPolicyArns", "Tags"],
  ignoredBecause: { LoginProfile: "The sandbox has no console to sign in to." },
  async create(ctx, wanted) {
    const UserName = wanted.UserName ?? ctx.physicalName({ maxLength: MAX_NAME_LENGTH.user });
    const { Path, PermissionsBoundary } = wanted;
    const made = await ctx.call("iam", "CreateUser", { UserName, Path, PermissionsBoundary, Tags: tagsOf(ctx, wanted.Tags) });
    await orTakeDown(
      async () => {
        await changeGroups(ctx, UserName, wanted.Groups);
        await changePolicies(ctx, { kind: "user", name: UserName }, wanted);
      },
      () => deleteUser(ctx, UserName, wanted),
    );
    return { physicalId: UserName, attributes: { Arn: made?.User?.Arn } };
  },
  async update(ctx, wanted, current) {
    const UserName = current.physicalId;
    await ctx.call("iam", "UpdateUser", { UserName, NewPath: wanted.Path ?? "/" });
    await changeBoundary(ctx, UserName, wanted, current.properties);
    await changeGroups(ctx, UserName, wanted.Groups, current.properties.Groups);
    await changePolicies(ctx, { kind: "user", name: UserName }, wanted, current.properties);
    await changeTags(ctx, UserName, wanted);
    const found = await ctx.call("iam", "GetUser", { UserName });
    return { physicalId: UserName, attributes: { Arn: found?.User?.Arn } };
  },
  async delete(ctx, { physicalId, properties }) {
    await deleteUser(ctx, physicalId, properties);
  },
});

async function changeGroups(ctx: ResourceContext, UserName: string, wanted: readonly string[] = [], current: readonly string[] = []): Promise<void> {
  for (const GroupName of current) if (!wanted.includes(GroupName)) await ctx.call("iam", "RemoveUserFromGroup", { GroupName, UserName }, IF_THERE);
  for (const GroupName of wanted) await ctx.call("iam", "AddUserToGroup", { GroupName, UserName });
}

async function changeBoundary(ctx: ResourceContext, UserName: string, wanted: UserProperties, current: UserProperties): Promise<void> {
  const { PermissionsBoundary } = wanted;
  if (PermissionsBoundary !== undefined) await ctx.call("iam", "PutUserPermissionsBoundary", { UserName, PermissionsBoundary });
  else if (current.PermissionsBoundary !== undefined) await ctx.call("iam", "DeleteUserPermissionsBoundary", { UserName }, IF_THERE);
}

async function changeTags(ctx: ResourceContext, UserName: string, wanted: UserProperties): Promise<void> {
  const Tags = tagsOf(ctx, wanted.Tags);
  const present = await ctx.call("iam", "ListUserTags", { UserName });
  const TagKeys = (present?.Tags ?? []).map(({ Key }) => Key ?? "").filter((key) => !Tags.some(({ Key }) => Key === key));
  if (TagKeys.length > 0) await ctx.call("iam", "UntagUser", { UserName, TagKeys });
  if (Tags.length > 0) await ctx.call("iam", "TagUser", { UserName, Tags });
}

async function deleteUser(ctx: ResourceContext, UserName: string, properties: UserProperties): Promise<void> {
  await changeGroups(ctx, UserName, [], properties.Groups);
  await changePolicies(ctx, { kind: "user", name: UserName }, {}, properties);
  await ctx.call("iam", "DeleteUser", { UserName }, IF_THERE);
}
