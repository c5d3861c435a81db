import type { FunctionUrlAuthType } from "@aws-sdk/client-lambda";
import { resourceType } from "@sandstack/core";

interface PermissionProperties {
  readonly FunctionName: string;
  readonly Action: string;
  readonly Principal: string;
  readonly SourceArn?: string;
  readonly SourceAccount?: string;
  readonly EventSourceToken?: string;
  readonly PrincipalOrgID?: string;
  readonly FunctionUrlAuthType?: FunctionUrlAuthType;
}

/** AWS::Lambda::Permission: one statement of a function's resource policy. `Ref` gives its id; any change makes another. */
export const permissionResource = resourceType<PermissionProperties>({
  type: "AWS::Lambda::Permission",
  actsOn: ["FunctionName", "Action", "Principal", "SourceArn", "SourceAccount", "EventSourceToken", "PrincipalOrgID", "FunctionUrlAuthType"],
  async create(ctx, { FunctionName, Action, Principal, SourceArn, SourceAccount, EventSourceToken, PrincipalOrgID, FunctionUrlAuthType }) {
    const StatementId = ctx.physicalName();
    await ctx.call("lambda", "AddPermission", { StatementId, FunctionName, Action, Principal, SourceArn, SourceAccount, EventSourceToken, PrincipalOrgID, FunctionUrlAuthType });
    return { physicalId: StatementId, attributes: { Id: StatementId } };
  },
  async delete(ctx, current) {
    await ctx.call("lambda", "RemovePermission", { FunctionName: current.properties.FunctionName, StatementId: current.physicalId }, { ignore: ["ResourceNotFoundException"] });
  },
});
