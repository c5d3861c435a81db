import type { AliasConfiguration, UpdateAliasCommandInput } from "@aws-sdk/client-lambda";
import { operation, uuid } from "@sandstack/core";
import { aliasConfiguration, aliasOf, checkVersionNumber, checkNotRouted } from "../aliases.js";
import { onFunction } from "../authorize.js";
import { functionReference } from "../function-name.js";
import { checkRevision, functionOf } from "../functions.js";
import type { LambdaState } from "../state.js";

/**
 * Moves an alias to another version, or describes it anew. Whoever invokes it runs the other version from then on, event source mappings included.
 *
 * @throws ResourceNotFoundException (404) for a function, alias or version that is not there
 * @throws PreconditionFailedException (412) for a `RevisionId` that is not the alias' latest
 */
export const updateAlias = operation<LambdaState, UpdateAliasCommandInput, AliasConfiguration>({
  name: "UpdateAlias",
  authorize: onFunction("lambda:UpdateAlias"),
  run(ctx, { FunctionName, Name, FunctionVersion, Description, RoutingConfig, RevisionId }) {
    const reference = functionReference(ctx.callScope, FunctionName);
    const fn = functionOf(ctx.state, reference);
    const alias = aliasOf(fn, Name);
    checkNotRouted(alias.name, RoutingConfig);
    checkRevision(alias, RevisionId);
    const functionVersion = FunctionVersion === undefined ? alias.functionVersion : checkVersionNumber(FunctionVersion);
    functionOf(ctx.state, { ...reference, qualifier: functionVersion });

    alias.functionVersion = functionVersion;
    alias.description = Description ?? alias.description;
    alias.revisionId = uuid(ctx.random);
    ctx.record({ kind: "lambda.alias.updated", functionArn: fn.arn, alias: alias.name, version: functionVersion });
    return aliasConfiguration(fn, alias);
  },
});
