import type { AddPermissionCommandInput, AddPermissionResponse } from "@aws-sdk/client-lambda";
import { operation, uuid } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { constraintViolated, invalidParameter, lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { checkRevision, LATEST, qualified } from "../functions.js";
import { policyHolderOf, statementOf } from "../policy.js";
import type { LambdaState } from "../state.js";
import { checkGiven } from "../validation.js";

const ACTION_PATTERN = String.raw`(lambda:[*]|lambda:[a-zA-Z]+|[*])`;
const STATEMENT_ID_PATTERN = "([a-zA-Z0-9-_]+)";

/**
 * Adds a statement to the resource policy of a function, or of the version or alias that is named: who beside the account's own
 * identities may invoke it.
 *
 * @throws ResourceConflictException (409) for a statement id that is taken
 * @throws ResourceNotFoundException (404)
 */
export const addPermission = operation<LambdaState, AddPermissionCommandInput, AddPermissionResponse>({
  name: "AddPermission",
  httpStatusCode: 201,
  authorize: onFunction("lambda:AddPermission"),
  run(ctx, input) {
    const { StatementId = "", Action = "" } = input;
    checkGiven("statementId", input.StatementId);
    checkGiven("action", input.Action);
    checkGiven("principal", input.Principal);
    if (!/^[a-zA-Z0-9-_]{1,100}$/.test(StatementId)) throw constraintViolated("statementId", StatementId, `Member must satisfy regular expression pattern: ${STATEMENT_ID_PATTERN}`);
    if (!/^(lambda:[*]|lambda:[a-zA-Z]+|[*])$/.test(Action)) throw constraintViolated("action", Action, `Member must satisfy regular expression pattern: ${ACTION_PATTERN}`);
    const reference = functionReference(ctx.callScope, input.FunctionName, input.Qualifier);
    const { fn, key, revised } = policyHolderOf(ctx.state, reference);
    if (reference.qualifier === LATEST) throw invalidParameter("We currently do not support adding policies for $LATEST.");
    checkRevision(revised, input.RevisionId);
    const statements = fn.policies.get(key) ?? [];
    if (statements.some(({ Sid }) => Sid === StatementId)) {
      throw lambdaError("ResourceConflictException", `The statement id (${StatementId}) provided already exists. Please provide a new statement id, or remove the existing statement.`);
    }
    const statement = statementOf(input, qualified(fn.arn, reference.qualifier));
    fn.policies.set(key, [...statements, statement]);
    revised.revisionId = uuid(ctx.random);
    return { Statement: JSON.stringify(statement) };
  },
});
