import type { UpdateStackCommandInput, UpdateStackCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation, type OperationContext } from "@sandstack/core";
import { prepareDeployment, type DeploymentInput } from "../deployment.js";
import { failureTable } from "../engine/carry-out.js";
import { setStackStatus } from "../engine/events.js";
import { planOperation } from "../engine/plan.js";
import type { PreparedTemplate } from "../engine/prepare.js";
import { importedValue } from "../engine/run.js";
import { validationError } from "../errors.js";
import { checkStackName, findStack, onStack } from "../stacks.js";
import type { CloudFormationState, Stack, StackStatus } from "../state.js";
import { beginOperation } from "../tasks.js";

/** The statuses from which a stack can be updated. */
const UPDATABLE: readonly StackStatus[] = ["CREATE_COMPLETE", "CREATE_FAILED", "UPDATE_COMPLETE", "UPDATE_FAILED", "UPDATE_ROLLBACK_COMPLETE"];

/**
 * Changes a stack to what a template says now.
 *
 * @throws ValidationError (400): no such stack, a status that forbids it, a template that is wrong, or nothing to do
 */
export const updateStack = operation<CloudFormationState, UpdateStackCommandInput & DeploymentInput, Omit<UpdateStackCommandOutput, "$metadata">>({
  name: "UpdateStack",
  authorize: onStack("cloudformation:UpdateStack"),
  run(ctx, input) {
    const { StackName, DisableRollback = false, RetainExceptOnCreate = false } = input;
    checkStackName(StackName);
    const stack = findStack(ctx.state, StackName);
    if (stack === undefined) throw validationError(`Stack [${StackName}] does not exist`);
    checkUpdatable(stack);
    const { prepared, settings, caller } = prepareDeployment(ctx, input, { stackName: stack.name, stackId: stack.id, previous: stack.settings });
    refuseMissingExports(ctx, prepared);
    refuseOtherTypes(stack, prepared);
    const wanted = { kind: "update", prepared, settings, caller, retainExceptOnCreate: RetainExceptOnCreate, disableRollback: DisableRollback } as const;
    if (!planOperation(ctx, stack, wanted).hasChanges && !isUnfinished(stack)) throw validationError("No updates are to be performed.");

    stack.updatedAtMs = ctx.nowMs;
    stack.changeSetId = undefined;
    failureTable(ctx).delete(stack.id);
    for (const changeSet of ctx.state.changeSets.values()) if (changeSet.stackId === stack.id) changeSet.executionStatus = "OBSOLETE";
    beginOperation(ctx, stack, wanted);
    setStackStatus(ctx, stack, "UPDATE_IN_PROGRESS", "User Initiated");
    return { StackId: stack.id };
  },
});

/** @throws ValidationError naming the status that forbids an update */
export function checkUpdatable(stack: Stack): void {
  if (!UPDATABLE.includes(stack.status)) throw validationError(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`);
}

/** A stack whose failed operation was not rolled back may be tried again with the same template. */
function isUnfinished({ status }: Stack): boolean {
  return status === "CREATE_FAILED" || status === "UPDATE_FAILED";
}

/** @throws ValidationError for the first export that no stack has */
export function refuseMissingExports(ctx: OperationContext<CloudFormationState>, { imports }: PreparedTemplate): void {
  for (const name of imports) importedValue(ctx, name);
}

/** @throws ValidationError when a logical id is to be of another type */
export function refuseOtherTypes(stack: Stack, { template, dependencies }: PreparedTemplate): void {
  const changed = [...dependencies.keys()].filter((logicalId) => {
    const current = stack.resources.get(logicalId);
    return current?.physicalId !== undefined && current.type !== template.resources[logicalId]?.type;
  });
  if (changed.length > 0) throw validationError(`Update of resource type is not permitted. The new template modifies resource type of the following resources: [${changed.join(", ")}]`);
}
