import { orTakeDown, resourceType, type ResourceContext, type ResourceResult } from "@sandstack/core";
import { MAX_NAME_LENGTH, MAX_POLICY_VERSIONS } from "../limits.js";
import { attachPolicy, detachPolicy, documentText, holdersOf, without } from "./holders.js";

interface ManagedPolicyProperties {
  readonly ManagedPolicyName?: string;
  readonly Path?: string;
  readonly Description?: string;
  readonly PolicyDocument: object | string;
  readonly Roles?: readonly string[];
  readonly Users?: readonly string[];
  readonly Groups?: readonly string[];
}

const IF_THERE = { ignore: ["NoSuchEntityException"] };

/** AWS::IAM::ManagedPolicy. `Ref` gives the policy's ARN. A changed document becomes a new version, which is put in force. */
export const managedPolicy = resourceType<ManagedPolicyProperties>({
  type: "AWS::IAM::ManagedPolicy",
  actsOn: ["ManagedPolicyName", "Path", "Description", "PolicyDocument", "Roles", "Users", "Groups"],
  async create(ctx, wanted) {
    const PolicyName = wanted.ManagedPolicyName ?? ctx.physicalName({ maxLength: MAX_NAME_LENGTH.policy });
    const { Path, Description } = wanted;
    const made = await ctx.call("iam", "CreatePolicy", { PolicyName, Path, Description, PolicyDocument: documentText(wanted.PolicyDocument) });
    const arn = made?.Policy?.Arn ?? "";
    return orTakeDown(
      async () => {
        for (const holder of holdersOf(wanted)) await attachPolicy(ctx, holder, arn);
        return resultOf(ctx, arn);
      },
      () => deleteManagedPolicy(ctx, arn, wanted),
    );
  },
  async update(ctx, wanted, current) {
    const arn = current.physicalId;
    const document = documentText(wanted.PolicyDocument);
    if (document !== documentText(current.properties.PolicyDocument)) await replaceDocument(ctx, arn, document);
    const holders = holdersOf(wanted);
    for (const holder of without(holdersOf(current.properties), holders)) await detachPolicy(ctx, holder, arn);
    for (const holder of holders) await attachPolicy(ctx, holder, arn);
    return resultOf(ctx, arn);
  },
  async delete(ctx, { physicalId, properties }) {
    await deleteManagedPolicy(ctx, physicalId, properties);
  },
});

async function resultOf(ctx: ResourceContext, PolicyArn: string): Promise<ResourceResult> {
  const found = await ctx.call("iam", "GetPolicy", { PolicyArn });
  const { Arn, PolicyId, DefaultVersionId, AttachmentCount, PermissionsBoundaryUsageCount, IsAttachable, CreateDate, UpdateDate } = found?.Policy ?? {};
  const attributes = { PolicyArn: Arn, PolicyId, DefaultVersionId, AttachmentCount, PermissionsBoundaryUsageCount, IsAttachable, CreateDate: CreateDate?.toISOString(), UpdateDate: UpdateDate?.toISOString() };
  return { physicalId: PolicyArn, attributes };
}

/** Makes room for a version, as CloudFormation does, by deleting the oldest that is not in force. */
async function replaceDocument(ctx: ResourceContext, PolicyArn: string, PolicyDocument: string): Promise<void> {
  const versions = (await ctx.call("iam", "ListPolicyVersions", { PolicyArn }))?.Versions ?? [];
  const oldest = versions.filter(({ IsDefaultVersion }) => IsDefaultVersion !== true).at(-1);
  if (versions.length >= MAX_POLICY_VERSIONS && oldest !== undefined) await ctx.call("iam", "DeletePolicyVersion", { PolicyArn, VersionId: oldest.VersionId });
  await ctx.call("iam", "CreatePolicyVersion", { PolicyArn, PolicyDocument, SetAsDefault: true });
}

async function deleteManagedPolicy(ctx: ResourceContext, PolicyArn: string, properties: ManagedPolicyProperties): Promise<void> {
  for (const holder of holdersOf(properties)) await detachPolicy(ctx, holder, PolicyArn);
  const versions = (await ctx.call("iam", "ListPolicyVersions", { PolicyArn }, IF_THERE))?.Versions ?? [];
  for (const { VersionId, IsDefaultVersion } of versions) {
    if (IsDefaultVersion !== true) await ctx.call("iam", "DeletePolicyVersion", { PolicyArn, VersionId }, IF_THERE);
  }
  await ctx.call("iam", "DeletePolicy", { PolicyArn }, IF_THERE);
}
