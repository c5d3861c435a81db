import type { AliasConfiguration, CreateAliasCommandInput } from "@aws-sdk/client-lambda";
import { operation, uuid } from "@sandstack/core";
import { aliasConfiguration, checkVersionNumber, checkAliasName, checkNotRouted } from "../aliases.js";
import { onFunction } from "../authorize.js";
import { lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { functionOf, qualified } from "../functions.js";
import type { AliasState, LambdaState } from "../state.js";

/**
 * Names a version of a function. The sandbox has no weights on a second version (`RoutingConfig`).
 *
 * @throws ResourceNotFoundException (404) for a function or version that is not there
 * @throws ResourceConflictException (409) for a name that is taken
 * @throws ValidationException (400) for a name that is a number
 */
export const createAlias = operation<LambdaState, CreateAliasCommandInput, AliasConfiguration>({
  name: "CreateAlias",
  httpStatusCode: 201,
  authorize: onFunction("lambda:CreateAlias"),
  run(ctx, { FunctionName, Name, FunctionVersion, Description = "", RoutingConfig }) {
    const name = checkAliasName(Name);
    checkNotRouted(name, RoutingConfig);
    const functionVersion = checkVersionNumber(FunctionVersion);
    // AWS names the version it looked for, also when there is no such function.
    const fn = functionOf(ctx.state, { ...functionReference(ctx.callScope, FunctionName), qualifier: functionVersion });
    if (fn.aliases.has(name)) throw lambdaError("ResourceConflictException", `Alias already exists: ${qualified(fn.arn, name)}`);
    const alias: AliasState = { name, functionVersion, description: Description, revisionId: uuid(ctx.random) };
    fn.aliases.set(name, alias);
    ctx.record({ kind: "lambda.alias.created", functionArn: fn.arn, alias: name, version: functionVersion });
    return aliasConfiguration(fn, alias);
  },
});
