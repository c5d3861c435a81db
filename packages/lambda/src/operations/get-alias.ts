import type { AliasConfiguration, GetAliasCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { aliasConfiguration, aliasOf } from "../aliases.js";
import { onFunction } from "../authorize.js";
import { functionReference } from "../function-name.js";
import { functionOf } from "../functions.js";
import type { LambdaState } from "../state.js";

/** Gives an alias. @throws ResourceNotFoundException (404) */
export const getAlias = operation<LambdaState, GetAliasCommandInput, AliasConfiguration>({
  name: "GetAlias",
  authorize: onFunction("lambda:GetAlias"),
  run(ctx, { FunctionName, Name }) {
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, FunctionName));
    return aliasConfiguration(fn, aliasOf(fn, Name));
  },
});
