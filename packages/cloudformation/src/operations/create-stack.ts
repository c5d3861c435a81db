import type { CreateStackCommandInput, CreateStackCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { prepareDeployment, type DeploymentInput } from "../deployment.js";
import { setStackStatus } from "../engine/events.js";
import { checkEnum, cloudFormationError, validationError } from "../errors.js";
import { addStack, checkStackName, findStack, onStack, stackArn } from "../stacks.js";
import type { CloudFormationState } from "../state.js";
import { beginOperation } from "../tasks.js";
import { refuseMissingExports } from "./update-stack.js";

/**
 * Makes a stack. The request is checked as a whole; its resources are made in the background.
 *
 * @throws AlreadyExistsException (400) for a name in use; ValidationError (400) and InsufficientCapabilitiesException (400)
 */
export const createStack = operation<CloudFormationState, CreateStackCommandInput & DeploymentInput, Omit<CreateStackCommandOutput, "$metadata">>({
  name: "CreateStack",
  authorize: onStack("cloudformation:CreateStack"),
  run(ctx, input) {
    const { StackName, OnFailure, DisableRollback = false, EnableTerminationProtection = false, TimeoutInMinutes, RetainExceptOnCreate = false } = input;
    checkStackName(StackName);
    checkEnum("onFailure", OnFailure, ["DO_NOTHING", "ROLLBACK", "DELETE"]);
    if (OnFailure !== undefined && input.DisableRollback !== undefined) throw validationError("You cannot specify both OnFailure and DisableRollback");
    const existing = findStack(ctx.state, StackName);
    if (existing !== undefined && existing.status !== "REVIEW_IN_PROGRESS") throw cloudFormationError("AlreadyExistsException", `Stack [${StackName}] already exists`);
    const stackId = existing?.id ?? stackArn(ctx.scope, StackName, ctx.random);
    const { prepared, settings, caller } = prepareDeployment(ctx, input, { stackName: StackName, stackId });
    refuseMissingExports(ctx, prepared);

    const stack = existing ?? addStack(ctx.state, { id: stackId, name: StackName, createdAtMs: ctx.nowMs, settings });
    stack.settings = settings;
    stack.onFailure = OnFailure ?? (DisableRollback ? "DO_NOTHING" : "ROLLBACK");
    stack.terminationProtection = EnableTerminationProtection;
    stack.timeoutMinutes = TimeoutInMinutes;
    for (const changeSet of ctx.state.changeSets.values()) if (changeSet.stackId === stackId) changeSet.executionStatus = "OBSOLETE";
    beginOperation(ctx, stack, { kind: "create", prepared, settings, caller, retainExceptOnCreate: RetainExceptOnCreate, disableRollback: DisableRollback });
    setStackStatus(ctx, stack, "CREATE_IN_PROGRESS", "User Initiated");
    return { StackId: stackId };
  },
});
