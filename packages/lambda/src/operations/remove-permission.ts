import type { RemovePermissionCommandInput } from "@aws-sdk/client-lambda";
import { operation, uuid } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { checkRevision, functionOf } from "../functions.js";
import type { LambdaState } from "../state.js";

/** Takes a statement off a function's resource policy. @throws ResourceNotFoundException (404) for an unknown function or statement */
export const removePermission = operation<LambdaState, RemovePermissionCommandInput, void>({
  name: "RemovePermission",
  httpStatusCode: 204,
  authorize: onFunction("lambda:RemovePermission"),
  run(ctx, { FunctionName, StatementId, Qualifier, RevisionId }) {
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, FunctionName, Qualifier));
    checkRevision(fn, RevisionId);
    const index = fn.policy.findIndex(({ Sid }) => Sid === StatementId);
    if (index === -1) throw lambdaError("ResourceNotFoundException", `Statement ${StatementId} is not found in resource policy.`);
    fn.policy.splice(index, 1);
    fn.revisionId = uuid(ctx.random);
  },
});
