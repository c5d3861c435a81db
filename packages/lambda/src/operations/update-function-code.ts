import type { FunctionConfiguration, UpdateFunctionCodeCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { readCode } from "../code.js";
import { functionReference } from "../function-name.js";
import { checkRevision, configurationOf, functionChanged, functionOf } from "../functions.js";
import type { LambdaState } from "../state.js";
import { publishVersionOf } from "../versions.js";

/**
 * Replaces a function's code; invocations that have begun end with the code they began with. `Publish: true` publishes a version of it,
 * which is answered then.
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
    if (input.Publish !== true) return configurationOf(fn, { transition: "updating" });
    const { lastPublished } = fn;
    const version = publishVersionOf(ctx, fn);
    return configurationOf(version, { transition: fn.lastPublished === lastPublished ? "none" : "creating", qualifier: version.version });
  },
});
