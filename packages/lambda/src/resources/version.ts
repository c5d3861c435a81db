import { resourceType } from "@sandstack/core";
import { lambdaError } from "../errors.js";

interface VersionProperties {
  readonly FunctionName: string;
  readonly CodeSha256?: string;
  readonly Description?: string;
}

/**
 * AWS::Lambda::Version: publishes the function as it is when the resource is made. `Ref` gives the ARN with the number, `Fn::GetAtt` `Version`
 * the number. Any change makes another.
 */
export const versionResource = resourceType<VersionProperties>({
  type: "AWS::Lambda::Version",
  actsOn: ["FunctionName", "CodeSha256", "Description"],
  ignoredBecause: {
    FunctionScalingConfig: "There are no capacity providers.",
    ProvisionedConcurrencyConfig: "Environments are made when they are needed, which takes no time.",
    RuntimePolicy: "Functions run on this process's Node.js.",
  },
  async create(ctx, { FunctionName, CodeSha256, Description }) {
    const published = await ctx.call("lambda", "PublishVersion", { FunctionName, CodeSha256, Description });
    const Version = published?.Version ?? "";
    // PublishVersion answers a new version as pending. Another one is not this resource's: it may be deleted with its own.
    if (published?.State !== "Pending") throw lambdaError("ResourceConflictException", `A version for this Lambda function exists ( ${Version} ). Modify the function to create a new version.`);
    const arn = published?.FunctionArn ?? "";
    return { physicalId: arn, attributes: { Version, FunctionArn: arn } };
  },
  async delete(ctx, { physicalId, attributes }) {
    const FunctionName = physicalId.slice(0, physicalId.lastIndexOf(":"));
    await ctx.call("lambda", "DeleteFunction", { FunctionName, Qualifier: String(attributes["Version"]) }, { ignore: ["ResourceNotFoundException"] });
  },
});
