import { orTakeDown, resourceType, type ResourceContext } from "@sandstack/core";

interface AccessKeyProperties {
  readonly UserName: string;
  readonly Status?: "Active" | "Inactive";
  /** A higher number has the key replaced. */
  readonly Serial?: number | string;
}

/** AWS::IAM::AccessKey. `Ref` gives the key's id; a new `Serial` replaces the key. */
export const accessKey = resourceType<AccessKeyProperties>({
  type: "AWS::IAM::AccessKey",
  actsOn: ["UserName", "Status", "Serial"],
  async create(ctx, { UserName, Status }) {
    const made = await ctx.call("iam", "CreateAccessKey", { UserName });
    const id = made?.AccessKey?.AccessKeyId ?? "";
    if (Status === "Inactive") {
      await orTakeDown(
        () => setStatus(ctx, UserName, id, Status),
        () => deleteKey(ctx, UserName, id),
      );
    }
    return { physicalId: id, attributes: { Id: id, SecretAccessKey: made?.AccessKey?.SecretAccessKey } };
  },
  async update(ctx, { UserName, Status = "Active" }, current) {
    await setStatus(ctx, UserName, current.physicalId, Status);
    return { physicalId: current.physicalId, attributes: current.attributes };
  },
  async delete(ctx, { physicalId, properties: { UserName } }) {
    await deleteKey(ctx, UserName, physicalId);
  },
});

async function setStatus(ctx: ResourceContext, UserName: string, AccessKeyId: string, Status: "Active" | "Inactive"): Promise<void> {
  await ctx.call("iam", "UpdateAccessKey", { UserName, AccessKeyId, Status });
}

async function deleteKey(ctx: ResourceContext, UserName: string, AccessKeyId: string): Promise<void> {
  await ctx.call("iam", "DeleteAccessKey", { UserName, AccessKeyId }, { ignore: ["NoSuchEntityException"] });
}
