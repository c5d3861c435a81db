import type { ListAliasesCommandInput, ListAliasesResponse } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { aliasConfiguration, aliasOf } from "../aliases.js";
import { onFunction } from "../authorize.js";
import { functionReference } from "../function-name.js";
import { functionOf } from "../functions.js";
import { pageOf } from "../page.js";
import type { LambdaState } from "../state.js";

const MAX_PAGE = 50;

/** Lists a function's aliases, or those that point to one version, in the order of their names, at most 50 at a time. @throws ResourceNotFoundException (404) */
export const listAliases = operation<LambdaState, ListAliasesCommandInput, ListAliasesResponse>({
  name: "ListAliases",
  authorize: onFunction("lambda:ListAliases"),
  run(ctx, { FunctionName, FunctionVersion, Marker, MaxItems }) {
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, FunctionName));
    const found = [...fn.aliases.values()].filter(({ functionVersion }) => FunctionVersion === undefined || functionVersion === FunctionVersion);
    const { items, nextMarker } = pageOf(found.map(({ name }) => name).sort(), Marker, Math.min(MaxItems ?? MAX_PAGE, MAX_PAGE));
    return {
      Aliases: items.map((name) => aliasConfiguration(fn, aliasOf(fn, name))),
      ...(nextMarker === undefined ? {} : { NextMarker: nextMarker }),
    };
  },
});
