import type { AliasConfiguration } from "@aws-sdk/client-lambda";
import { resourceType, type ResourceResult } from "@sandstack/core";

interface AliasProperties {
  readonly FunctionName: string;
  readonly FunctionVersion: string;
  readonly Name: string;
  readonly Description?: string;
}

/** AWS::Lambda::Alias: `Ref` and `Fn::GetAtt` `AliasArn` give its ARN. An update moves it to another version. */
export const aliasResource = resourceType<AliasProperties>({
  type: "AWS::Lambda::Alias",
  actsOn: ["FunctionName", "FunctionVersion", "Name", "Description"],
  ignoredBecause: {
    ProvisionedConcurrencyConfig: "Environments are made when they are needed, which takes no time.",
    RoutingConfig: "All invocations of an alias run its FunctionVersion.",
  },
  async create(ctx, { FunctionName, FunctionVersion, Name, Description }) {
    return resultOf(await ctx.call("lambda", "CreateAlias", { FunctionName, FunctionVersion, Name, Description }));
  },
  async update(ctx, { FunctionName, FunctionVersion, Name, Description = "" }) {
    return resultOf(await ctx.call("lambda", "UpdateAlias", { FunctionName, FunctionVersion, Name, Description }));
  },
  async delete(ctx, { properties: { FunctionName, Name } }) {
    await ctx.call("lambda", "DeleteAlias", { FunctionName, Name }, { ignore: ["ResourceNotFoundException"] });
  },
});

function resultOf(alias: AliasConfiguration | undefined): ResourceResult {
  const AliasArn = alias?.AliasArn ?? "";
  return { physicalId: AliasArn, attributes: { AliasArn } };
}
