import type { DeleteStackCommandInput } from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { deployingCaller } from "../deployment.js";
import { beginDeletion, failureTable, forgetStack, refuseDeletionInUse } from "../engine/carry-out.js";
import { validationError } from "../errors.js";
import { checkStackName, findStack, onStack } from "../stacks.js";
import type { CloudFormationState } from "../state.js";
import { beginOperation } from "../tasks.js";

/**
 * Deletes a stack with its resources, in the background. A stack that is not there is deleted already.
 *
 * @throws ValidationError (400) while termination protection is on, and while another stack reads one of its exports
 */
export const deleteStack = operation<CloudFormationState, DeleteStackCommandInput, void>({
  name: "DeleteStack",
  authorize: onStack("cloudformation:DeleteStack"),
  run(ctx, { StackName, RetainResources = [], RoleARN }) {
    checkStackName(StackName);
    const stack = findStack(ctx.state, StackName);
    if (stack === undefined || stack.status === "DELETE_COMPLETE" || stack.status === "DELETE_IN_PROGRESS") return;
    if (stack.terminationProtection) throw validationError(`Stack [${stack.name}] cannot be deleted while TerminationProtection is enabled`);
    if (RetainResources.length > 0 && stack.status !== "DELETE_FAILED") {
      throw validationError(`Invalid operation on stack [${stack.id}]. When you delete a stack, specify which resources to retain only when the stack is in the DELETE_FAILED state.`);
    }
    refuseDeletionInUse(ctx.state, stack);
    const caller = deployingCaller(ctx, RoleARN ?? stack.settings.roleArn);

    failureTable(ctx).delete(stack.id);
    if (stack.status === "REVIEW_IN_PROGRESS") {
      forgetStack(ctx, stack);
      return;
    }
    const isBusy = stack.operation !== undefined;
    beginOperation(ctx, stack, { kind: "delete", caller, retainResources: [...RetainResources] });
    if (!isBusy) beginDeletion(ctx, stack);
  },
});
