import type { FunctionConfiguration, UpdateFunctionCodeCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { readCode } from "../code.js";
import { functionReference } from "../function-name.js";
import { checkRevision, configurationOf, functionChanged, functionOf } from "../functions.js";
import type { LambdaState } from "../state.js";
import { publishedConfiguration, publishVersionOf } from "../versions.js";

/**
 * Replaces a function's code, and publishes a version of it with `Publish: true`, which is answered then; invocations that have begun end with the code they began with.
 *
 * @throws ResourceNotFoundException (404)
 * @throws InvalidParameterValueException (400) for bad code
 * @throws PreconditionFailedException (412) for a `RevisionId` that is not the latest
 */
export const updateFunctionCode = operation<LambdaState, UpdateFunctionCodeCommandInput, FunctionConfiguration>({
  name: "UpdateFunctionCode",
  authorize: onFunction("lambda:UpdateFunctionCode"),
  run(ctx, input) {
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, input.FunctionName));
    checkRevision(fn, input.RevisionId);
    const code = readCode(ctx.assets, input);
    if (input.DryRun === true) return configurationOf({ ...fn, code });
    fn.code = code;
    functionChanged(ctx, fn);
    return input.Publish === true ? publishedConfiguration(publishVersionOf(ctx, fn)) : configurationOf(fn, { transition: "updating" });
  },
});
