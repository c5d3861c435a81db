import type { ListVersionsByFunctionCommandInput, ListVersionsByFunctionResponse } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { functionReference } from "../function-name.js";
import { functionOf, listedConfigurationOf } from "../functions.js";
import { pageOf } from "../page.js";
import type { LambdaState } from "../state.js";
import { versionsOf } from "../versions.js";

const MAX_PAGE = 50;

/** Lists a function's versions, `$LATEST` first, at most 50 at a time. @throws ResourceNotFoundException (404) */
export const listVersionsByFunction = operation<LambdaState, ListVersionsByFunctionCommandInput, ListVersionsByFunctionResponse>({
  name: "ListVersionsByFunction",
  authorize: onFunction("lambda:ListVersionsByFunction"),
  run(ctx, { FunctionName, Marker, MaxItems }) {
    const versions = versionsOf(functionOf(ctx.state, functionReference(ctx.callScope, FunctionName)));
    const { items, nextMarker } = pageOf(versions.map(({ version }) => version), Marker, Math.min(MaxItems ?? MAX_PAGE, MAX_PAGE));
    return {
      Versions: versions.filter(({ version }) => items.includes(version)).map((version) => listedConfigurationOf(version, version.version)),
      ...(nextMarker === undefined ? {} : { NextMarker: nextMarker }),
    };
  },
});
