import type { RemovePermissionCommandInput } from "@aws-sdk/client-lambda";
import { operation, uuid } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { checkRevision } from "../functions.js";
import { policyHolderOf } from "../policy.js";
import type { LambdaState } from "../state.js";

/** Takes a statement off the resource policy of a function, a version or an alias. @throws ResourceNotFoundException (404) for an unknown function or statement */
export const removePermission = operation<LambdaState, RemovePermissionCommandInput, void>({
  name: "RemovePermission",
  httpStatusCode: 204,
  authorize: onFunction("lambda:RemovePermission"),
  run(ctx, { FunctionName, StatementId, Qualifier, RevisionId }) {
    const { fn, key, revised } = policyHolderOf(ctx.state, functionReference(ctx.callScope, FunctionName, Qualifier));
    checkRevision(revised, RevisionId);
    const statements = fn.policies.get(key);
    if (statements === undefined) throw lambdaError("ResourceNotFoundException", "No policy is associated with the given resource.");
    const rest = statements.filter(({ Sid }) => Sid !== StatementId);
    if (rest.length === statements.length) throw lambdaError("ResourceNotFoundException", `Statement ${StatementId} is not found in resource policy.`);
    if (rest.length === 0) fn.policies.delete(key);
    else fn.policies.set(key, rest);
    revised.revisionId = uuid(ctx.random);
  },
});
