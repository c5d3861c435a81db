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
    const before = await ctx.call("lambda", "GetFunctionConfiguration", { FunctionName });
    const published = await ctx.call("lambda", "PublishVersion", { FunctionName, CodeSha256, Description });
    const after = await ctx.call("lambda", "GetFunctionConfiguration", { FunctionName });
    const Version = published?.Version ?? "";
    // Only a new version changes the function's revision. One that was there is not this resource's: it may go with its own.
    if (before?.RevisionId === after?.RevisionId) throw lambdaError("ResourceConflictException", `A version for this Lambda function exists ( ${Version} ). Modify the function to create a new version.`);
    const arn = published?.FunctionArn ?? "";
    return { physicalId: arn, attributes: { Version, FunctionArn: arn } };
  },
  async delete(ctx, { physicalId, attributes }) {
    const FunctionName = physicalId.slice(0, physicalId.lastIndexOf(":"));
    await ctx.call("lambda", "DeleteFunction", { FunctionName, Qualifier: String(attributes["Version"]) }, { ignore: ["ResourceNotFoundException"] });
  },
});
