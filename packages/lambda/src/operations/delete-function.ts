import type { DeleteFunctionCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { dropIdleEnvironments } from "../environments.js";
import { invalidParameter } from "../errors.js";
import { functionReference } from "../function-name.js";
import { functionOf, LATEST } from "../functions.js";
import type { LambdaState } from "../state.js";

/**
 * Deletes a function. Its event source mappings stay and can no longer work, as on AWS. Invocations that have begun end.
 *
 * @throws ResourceNotFoundException (404)
 */
export const deleteFunction = operation<LambdaState, DeleteFunctionCommandInput, void>({
  name: "DeleteFunction",
  httpStatusCode: 204,
  authorize: onFunction("lambda:DeleteFunction"),
  run(ctx, { FunctionName, Qualifier }) {
    const reference = functionReference(ctx.callScope, FunctionName, Qualifier);
    const fn = functionOf(ctx.state, reference);
    if (reference.qualifier === LATEST) throw invalidParameter("$LATEST version cannot be deleted without deleting the function.");
    ctx.state.functions.delete(fn.name);
    dropIdleEnvironments(ctx, fn.arn);
    ctx.record({ kind: "lambda.function.deleted", functionArn: fn.arn });
  },
});
