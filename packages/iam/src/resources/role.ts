import { orTakeDown, resourceType, type CurrentResource, type ResourceContext, type ResourceResult } from "@sandstack/core";
import { MAX_NAME_LENGTH } from "../limits.js";
import { changePolicies, documentText, tagsOf, type HolderProperties, type TagProperty } from "./holders.js";

interface RoleProperties extends HolderProperties {
  readonly RoleName?: string;
  readonly Path?: string;
  readonly AssumeRolePolicyDocument: object | string;
  readonly Description?: string;
  readonly MaxSessionDuration?: number | string;
  readonly PermissionsBoundary?: string;
  readonly Tags?: readonly TagProperty[];
}

const IF_THERE = { ignore: ["NoSuchEntityException"] };

/** AWS::IAM::Role. `Ref` gives the role's name. */
export const role = resourceType<RoleProperties>({
  type: "AWS::IAM::Role",
  actsOn: ["RoleName", "Path", "AssumeRolePolicyDocument", "Description", "MaxSessionDuration", "PermissionsBoundary", "Policies", "ManagedPolicyArns", "Tags"],
  async create(ctx, wanted) {
    const RoleName = wanted.RoleName ?? ctx.physicalName({ maxLength: MAX_NAME_LENGTH.role });
    const { Path, Description, PermissionsBoundary } = wanted;
    const AssumeRolePolicyDocument = documentText(wanted.AssumeRolePolicyDocument);
    await ctx.call("iam", "CreateRole", { RoleName, Path, Description, PermissionsBoundary, AssumeRolePolicyDocument, ...sessionDuration(wanted), Tags: tagsOf(ctx, wanted.Tags) });
    return orTakeDown(
      async () => {
        await changePolicies(ctx, { kind: "role", name: RoleName }, wanted);
        return resultOf(ctx, RoleName);
      },
      () => deleteRole(ctx, RoleName, wanted),
    );
  },
  async update(ctx, wanted, current) {
    const RoleName = current.physicalId;
    await ctx.call("iam", "UpdateRole", { RoleName, Description: wanted.Description, ...sessionDuration(wanted) });
    await ctx.call("iam", "UpdateAssumeRolePolicy", { RoleName, PolicyDocument: documentText(wanted.AssumeRolePolicyDocument) });
    await changeBoundary(ctx, RoleName, wanted, current.properties);
    await changePolicies(ctx, { kind: "role", name: RoleName }, wanted, current.properties);
    await changeTags(ctx, RoleName, wanted);
    return { physicalId: RoleName, attributes: current.attributes };
  },
  async delete(ctx, { physicalId, properties }: CurrentResource<RoleProperties>) {
    await deleteRole(ctx, physicalId, properties);
  },
});

async function resultOf(ctx: ResourceContext, RoleName: string): Promise<ResourceResult> {
  const made = await ctx.call("iam", "GetRole", { RoleName });
  return { physicalId: RoleName, attributes: { Arn: made?.Role?.Arn, RoleId: made?.Role?.RoleId } };
}

function sessionDuration({ MaxSessionDuration }: RoleProperties): { MaxSessionDuration?: number } {
  return MaxSessionDuration === undefined ? {} : { MaxSessionDuration: Number(MaxSessionDuration) };
}

async function changeBoundary(ctx: ResourceContext, RoleName: string, wanted: RoleProperties, current: RoleProperties): Promise<void> {
  const { PermissionsBoundary } = wanted;
  if (PermissionsBoundary !== undefined) await ctx.call("iam", "PutRolePermissionsBoundary", { RoleName, PermissionsBoundary });
  else if (current.PermissionsBoundary !== undefined) await ctx.call("iam", "DeleteRolePermissionsBoundary", { RoleName }, IF_THERE);
}

async function changeTags(ctx: ResourceContext, RoleName: string, wanted: RoleProperties): Promise<void> {
  const Tags = tagsOf(ctx, wanted.Tags);
  const present = await ctx.call("iam", "ListRoleTags", { RoleName });
  const TagKeys = (present?.Tags ?? []).map(({ Key }) => Key ?? "").filter((key) => !Tags.some(({ Key }) => Key === key));
  if (TagKeys.length > 0) await ctx.call("iam", "UntagRole", { RoleName, TagKeys });
  if (Tags.length > 0) await ctx.call("iam", "TagRole", { RoleName, Tags });
}

/** What the template gave the role goes with it; what others gave it keeps it from being deleted, as on AWS. */
async function deleteRole(ctx: ResourceContext, RoleName: string, properties: RoleProperties): Promise<void> {
  await changePolicies(ctx, { kind: "role", name: RoleName }, {}, properties);
  await ctx.call("iam", "DeleteRole", { RoleName }, IF_THERE);
}
