import type { CreateChangeSetCommandInput, CreateChangeSetCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation, partitionOf, uuid, type OperationContext } from "@sandstack/core";
import { prepareDeployment, type Deployment, type DeploymentInput } from "../deployment.js";
import { setStackStatus } from "../engine/events.js";
import { planOperation } from "../engine/plan.js";
import { checkEnum, cloudFormationError, constraintError, validationError } from "../errors.js";
import { addStack, checkStackName, findStack, newStack, onStack, stackArn } from "../stacks.js";
import type { ChangeSet, CloudFormationState, Stack } from "../state.js";
import { changeSetsOf } from "./change-sets.js";
import { checkUpdatable, refuseOtherTypes } from "./update-stack.js";

const NAME_PATTERN = "[a-zA-Z][-a-zA-Z0-9]*";
const NO_CHANGES = "The submitted information didn't contain changes. Submit different information to create a change set.";

/**
 * Works out what a template would change, for ExecuteChangeSet to carry out. For a stack that is not there it makes one to be reviewed.
 *
 * @throws ValidationError (400) for a template that is wrong; AlreadyExistsException (400) for a name in use. A change set without
 *   changes is no error: its status is FAILED
 */
export const createChangeSet = operation<CloudFormationState, CreateChangeSetCommandInput & DeploymentInput, Omit<CreateChangeSetCommandOutput, "$metadata">>({
  name: "CreateChangeSet",
  authorize: onStack("cloudformation:CreateChangeSet"),
  run(ctx, input) {
    const { StackName, ChangeSetName = "", ChangeSetType = "UPDATE", Description, OnStackFailure } = input;
    checkStackName(StackName);
    if (!new RegExp(`^${NAME_PATTERN}$`).test(ChangeSetName)) throw constraintError("changeSetName", ChangeSetName, `Member must satisfy regular expression pattern: ${NAME_PATTERN}`);
    checkEnum("changeSetType", ChangeSetType, ["CREATE", "UPDATE", "IMPORT"]);
    checkEnum("onStackFailure", OnStackFailure, ["DO_NOTHING", "ROLLBACK", "DELETE"]);
    if (ChangeSetType === "IMPORT") throw validationError("The sandbox cannot import resources: ChangeSetType IMPORT.");
    const existing = findStack(ctx.state, StackName);
    checkTarget(existing, StackName, ChangeSetName, ChangeSetType);
    if (existing !== undefined && changeSetsOf(ctx.state, existing).some(({ name }) => name === ChangeSetName)) {
      throw cloudFormationError("AlreadyExistsException", `ChangeSet ${ChangeSetName} cannot be created due to a mismatch with existing attribute Template`);
    }
    const stackId = existing?.id ?? stackArn(ctx.scope, StackName, ctx.random);
    const isUpdate = ChangeSetType === "UPDATE";
    const deployment = prepareDeployment(ctx, input, { stackName: existing?.name ?? StackName, stackId, previous: isUpdate ? existing?.settings : undefined });
    if (existing !== undefined) refuseOtherTypes(existing, deployment.prepared);
    const { hasChanges, changes } = planned(ctx, existing ?? newStack({ id: stackId, name: StackName, createdAtMs: ctx.nowMs, settings: deployment.settings }), deployment);

    const stack = existing ?? reviewedStack(ctx, stackId, StackName, deployment);
    const id = `arn:${partitionOf(ctx.scope.region)}:cloudformation:${ctx.scope.region}:${ctx.scope.accountId}:changeSet/${ChangeSetName}/${uuid(ctx.random)}`;
    const outcome: Pick<ChangeSet, "status" | "statusReason" | "executionStatus"> =
      hasChanges || !isUpdate ? { status: "CREATE_COMPLETE", executionStatus: "AVAILABLE" } : { status: "FAILED", statusReason: NO_CHANGES, executionStatus: "UNAVAILABLE" };
    const { prepared, settings } = deployment;
    ctx.state.changeSets.set(id, { id, name: ChangeSetName, stackId: stack.id, description: Description, createdAtMs: ctx.nowMs, type: ChangeSetType, onStackFailure: OnStackFailure, settings, prepared, changes, ...outcome });
    return { Id: id, StackId: stack.id };
  },
});

function checkTarget(existing: Stack | undefined, stackName: string, changeSetName: string, type: "CREATE" | "UPDATE"): void {
  if (type === "CREATE" && existing !== undefined && existing.status !== "REVIEW_IN_PROGRESS") {
    throw validationError(`Stack [${stackName}] already exists and cannot be created again with the changeSet [${changeSetName}].`);
  }
  if (type === "CREATE") return;
  if (existing === undefined || existing.status === "REVIEW_IN_PROGRESS") throw validationError(`Stack [${stackName}] does not exist`);
  checkUpdatable(existing);
}

function planned(ctx: OperationContext<CloudFormationState>, stack: Stack, { prepared, settings, caller }: Deployment): ReturnType<typeof planOperation> {
  return planOperation(ctx, stack, { kind: "update", prepared, settings, caller, retainExceptOnCreate: false, disableRollback: false });
}

function reviewedStack(ctx: OperationContext<CloudFormationState>, id: string, name: string, { settings }: Deployment): Stack {
  const stack = addStack(ctx.state, { id, name, createdAtMs: ctx.nowMs, settings });
  setStackStatus(ctx, stack, "REVIEW_IN_PROGRESS", "User Initiated");
  return stack;
}
