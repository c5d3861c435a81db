import type { DeleteChangeSetCommandInput, DeleteChangeSetCommandOutput, ExecuteChangeSetCommandInput, ExecuteChangeSetCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { deployingCaller } from "../deployment.js";
import { failureTable } from "../engine/carry-out.js";
import { setStackStatus } from "../engine/events.js";
import { cloudFormationError, validationError } from "../errors.js";
import { onStack, stackOf } from "../stacks.js";
import type { CloudFormationState } from "../state.js";
import { beginOperation } from "../tasks.js";
import { changeSetOf } from "./change-sets.js";
import { checkUpdatable } from "./update-stack.js";

/** Carries a change set out, in the background. @throws InvalidChangeSetStatusException (400), ChangeSetNotFoundException (404), ValidationError (400) */
export const executeChangeSet = operation<CloudFormationState, ExecuteChangeSetCommandInput, Omit<ExecuteChangeSetCommandOutput, "$metadata">>({
  name: "ExecuteChangeSet",
  authorize: onStack("cloudformation:ExecuteChangeSet"),
  run(ctx, { ChangeSetName, StackName, DisableRollback, RetainExceptOnCreate = false }) {
    const changeSet = changeSetOf(ctx.state, ChangeSetName, StackName);
    const { prepared, settings, onStackFailure } = changeSet;
    if (changeSet.executionStatus !== "AVAILABLE") {
      const status = changeSet.status === "FAILED" ? "FAILED" : changeSet.executionStatus;
      throw cloudFormationError("InvalidChangeSetStatusException", `ChangeSet [${changeSet.id}] cannot be executed in its current status of [${status}]`);
    }
    if (DisableRollback !== undefined && onStackFailure !== undefined) throw validationError("You cannot specify both DisableRollback and OnStackFailure");
    const stack = stackOf(ctx.state, changeSet.stackId);
    if (changeSet.type === "UPDATE") checkUpdatable(stack);
    const caller = deployingCaller(ctx, settings.roleArn);

    for (const other of ctx.state.changeSets.values()) if (other.stackId === stack.id && other.executionStatus === "AVAILABLE") other.executionStatus = "OBSOLETE";
    changeSet.executionStatus = "EXECUTE_COMPLETE";
    stack.changeSetId = changeSet.id;
    stack.updatedAtMs = ctx.nowMs;
    stack.onFailure = onStackFailure ?? (DisableRollback === true ? "DO_NOTHING" : stack.onFailure);
    failureTable(ctx).delete(stack.id);
    const kind = changeSet.type === "CREATE" ? "create" : "update";
    if (kind === "create") stack.settings = settings;
    beginOperation(ctx, stack, { kind, prepared, settings, caller, retainExceptOnCreate: RetainExceptOnCreate, disableRollback: DisableRollback ?? onStackFailure === "DO_NOTHING" });
    setStackStatus(ctx, stack, kind === "create" ? "CREATE_IN_PROGRESS" : "UPDATE_IN_PROGRESS", "User Initiated");
    return {};
  },
});

/** Forgets a change set; one that is not there is forgotten already. A stack that was made for it stays. */
export const deleteChangeSet = operation<CloudFormationState, DeleteChangeSetCommandInput, Omit<DeleteChangeSetCommandOutput, "$metadata">>({
  name: "DeleteChangeSet",
  authorize: onStack("cloudformation:DeleteChangeSet"),
  run({ state }, { ChangeSetName = "", StackName }) {
    if (ChangeSetName.startsWith("arn:")) state.changeSets.delete(ChangeSetName);
    else {
      if (StackName === undefined) throw validationError("StackName must be specified if ChangeSetName is not specified as an ARN.");
      const stack = stackOf(state, StackName);
      for (const [id, { name, stackId }] of state.changeSets) if (stackId === stack.id && name === ChangeSetName) state.changeSets.delete(id);
    }
    return {};
  },
});
