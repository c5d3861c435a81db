import type { ListFunctionsCommandInput, ListFunctionsResponse } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onAnything } from "../authorize.js";
import { listedConfigurationOf } from "../functions.js";
import { pageOf } from "../page.js";
import type { LambdaState } from "../state.js";
import { versionsOf } from "../versions.js";

const MAX_PAGE = 50;

/** Lists the functions in the order of their names, at most 50 at a time; with `FunctionVersion: "ALL"` each with its published versions. */
export const listFunctions = operation<LambdaState, ListFunctionsCommandInput, ListFunctionsResponse>({
  name: "ListFunctions",
  authorize: onAnything("lambda:ListFunctions"),
  run(ctx, { FunctionVersion, Marker, MaxItems }) {
    const names = [...ctx.state.functions.keys()].sort();
    const { items, nextMarker } = pageOf(names, Marker, Math.min(MaxItems ?? MAX_PAGE, MAX_PAGE));
    return {
      Functions: items.flatMap((name) => {
        const fn = ctx.state.functions.get(name)!; // the name is one of the keys
        return FunctionVersion === "ALL" ? versionsOf(fn).map((version) => listedConfigurationOf(version, version.version)) : listedConfigurationOf(fn);
      }),
      ...(nextMarker === undefined ? {} : { NextMarker: nextMarker }),
    };
  },
});
