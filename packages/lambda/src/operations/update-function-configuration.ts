import type { FunctionConfiguration, UpdateFunctionConfigurationCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { functionReference } from "../function-name.js";
import { checkRevision, configurationOf, functionChanged, functionOf, keptMembers } from "../functions.js";
import { checkDeadLetterRole, checkExecutionRole } from "../role.js";
import type { LambdaState } from "../state.js";
import { checkConfiguration } from "../validation.js";

/**
 * Changes the members that are given. Environment variables are replaced as a whole. Warm environments are not used any more.
 *
 * @throws ResourceNotFoundException (404)
 * @throws PreconditionFailedException (412) for a `RevisionId` that is not the latest
 * @throws what CreateFunction throws for a bad value
 */
export const updateFunctionConfiguration = operation<LambdaState, UpdateFunctionConfigurationCommandInput, FunctionConfiguration>({
  name: "UpdateFunctionConfiguration",
  authorize: onFunction("lambda:UpdateFunctionConfiguration"),
  run(ctx, input) {
    checkConfiguration(input);
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, input.FunctionName));
    checkRevision(fn, input.RevisionId);
    const roleArn = input.Role ?? fn.roleArn;
    if (input.Role !== undefined) checkExecutionRole(ctx, input.Role);
    if (input.DeadLetterConfig?.TargetArn) checkDeadLetterRole(ctx, { roleArn, name: fn.name }, input.DeadLetterConfig.TargetArn);

    fn.roleArn = roleArn;
    fn.runtime = input.Runtime ?? fn.runtime;
    fn.handler = input.Handler ?? fn.handler;
    fn.description = input.Description ?? fn.description;
    fn.timeoutSeconds = input.Timeout ?? fn.timeoutSeconds;
    fn.memorySizeMegabytes = input.MemorySize ?? fn.memorySizeMegabytes;
    if (input.Environment !== undefined) fn.environment = { ...input.Environment.Variables };
    if (input.DeadLetterConfig !== undefined) fn.deadLetterTargetArn = input.DeadLetterConfig.TargetArn || undefined;
    fn.kept = withoutEmpty({ ...fn.kept, ...keptMembers(input) });
    functionChanged(ctx, fn);
    return configurationOf(fn, { transition: "updating" });
  },
});

/** An update takes some members away by giving nothing in them: no layers, no subnets, no key. */
function withoutEmpty(kept: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === "";
  return Object.values(value).every((member) => Array.isArray(member) && member.length === 0);
}
