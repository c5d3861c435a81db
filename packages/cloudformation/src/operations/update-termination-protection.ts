import type { UpdateTerminationProtectionCommandInput, UpdateTerminationProtectionCommandOutput } from "@aws-sdk/client-cloudformation";
import { operation } from "@sandstack/core";
import { namedStackOf, onStack } from "../stacks.js";
import type { CloudFormationState } from "../state.js";

/** Turns termination protection on or off. @throws ValidationError (400) for a stack that is not there */
export const updateTerminationProtection = operation<CloudFormationState, UpdateTerminationProtectionCommandInput, Omit<UpdateTerminationProtectionCommandOutput, "$metadata">>({
  name: "UpdateTerminationProtection",
  authorize: onStack("cloudformation:UpdateTerminationProtection"),
  run({ state }, { StackName, EnableTerminationProtection = false }) {
    const stack = namedStackOf(state, StackName);
    stack.terminationProtection = EnableTerminationProtection;
    return { StackId: stack.id };
  },
});
