import type { DeleteFunctionCommandInput } from "@aws-sdk/client-lambda";
import { operation, type OperationContext } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { dropIdleEnvironments } from "../environments.js";
import { invalidParameter, lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { functionOf, LATEST } from "../functions.js";
import type { FunctionState, LambdaState } from "../state.js";
import { versionsOf } from "../versions.js";

/**
 * Deletes a function with its versions and aliases, or the one published version that is named; one that is not there is passed over.
 * Event source mappings stay and can no longer work, as on AWS. Invocations that have begun end.
 *
 * @throws ResourceNotFoundException (404)
 * @throws InvalidParameterValueException (400) for `$LATEST` and for an alias
 * @throws ResourceConflictException (409) for a version that an alias points to
 */
export const deleteFunction = operation<LambdaState, DeleteFunctionCommandInput, void>({
  name: "DeleteFunction",
  httpStatusCode: 204,
  authorize: onFunction("lambda:DeleteFunction"),
  run(ctx, { FunctionName, Qualifier }) {
    const { qualifier, ...reference } = functionReference(ctx.callScope, FunctionName, Qualifier);
    const fn = functionOf(ctx.state, { ...reference, qualifier: undefined });
    if (qualifier === undefined) deleteWhole(ctx, fn);
    else deleteVersion(ctx, fn, qualifier);
  },
});

function deleteWhole(ctx: OperationContext<LambdaState>, fn: FunctionState): void {
  ctx.state.functions.delete(fn.name);
  for (const version of versionsOf(fn)) dropIdleEnvironments(ctx, version);
  ctx.record({ kind: "lambda.function.deleted", functionArn: fn.arn });
}

function deleteVersion(ctx: OperationContext<LambdaState>, fn: FunctionState, qualifier: string): void {
  if (qualifier === LATEST) throw invalidParameter("$LATEST version cannot be deleted without deleting the function.");
  if (!/^\d+$/.test(qualifier)) throw invalidParameter("Deletion of aliases is not currently supported.");
  const aliases = [...fn.aliases.values()].filter(({ functionVersion }) => functionVersion === qualifier).map(({ name }) => name);
  if (aliases.length > 0) throw lambdaError("ResourceConflictException", `Unable to delete version because the following aliases reference it: [${aliases.join(", ")}]`);
  const version = fn.versions.get(qualifier);
  if (version === undefined) return;
  fn.versions.delete(qualifier);
  fn.policies.delete(qualifier);
  dropIdleEnvironments(ctx, version);
  ctx.record({ kind: "lambda.version.deleted", functionArn: fn.arn, version: qualifier });
}
