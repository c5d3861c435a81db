import type { DeleteAliasCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { functionReference } from "../function-name.js";
import { functionOf } from "../functions.js";
import type { LambdaState } from "../state.js";
import { checkGiven } from "../validation.js";

/**
 * Deletes an alias with its resource policy, and leaves its version. Event source mappings on it stay and can no longer work.
 * An alias that is not there is passed over: the API reference has no error for it.
 *
 * @throws ResourceNotFoundException (404) for a function that is not there
 */
export const deleteAlias = operation<LambdaState, DeleteAliasCommandInput, void>({
  name: "DeleteAlias",
  httpStatusCode: 204,
  authorize: onFunction("lambda:DeleteAlias"),
  run(ctx, { FunctionName, Name = "" }) {
    checkGiven("name", Name || undefined);
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, FunctionName));
    if (!fn.aliases.delete(Name)) return;
    fn.policies.delete(Name);
    ctx.record({ kind: "lambda.alias.deleted", functionArn: fn.arn, alias: Name });
  },
});
