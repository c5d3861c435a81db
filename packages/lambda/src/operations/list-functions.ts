import type { ListFunctionsCommandInput, ListFunctionsResponse } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onAnything } from "../authorize.js";
import { configurationOf } from "../functions.js";
import { pageOf } from "../page.js";
import type { LambdaState } from "../state.js";

const MAX_PAGE = 50;

/** Lists the functions in the order of their names, at most 50 at a time. */
export const listFunctions = operation<LambdaState, ListFunctionsCommandInput, ListFunctionsResponse>({
  name: "ListFunctions",
  authorize: onAnything("lambda:ListFunctions"),
  run(ctx, { Marker, MaxItems }) {
    const names = [...ctx.state.functions.keys()].sort();
    const { items, nextMarker } = pageOf(names, Marker, Math.min(MaxItems ?? MAX_PAGE, MAX_PAGE));
    return {
      Functions: items.map((name) => configurationWithoutState(ctx.state, name)),
      ...(nextMarker === undefined ? {} : { NextMarker: nextMarker }),
    };
  },
});

function configurationWithoutState(state: LambdaState, name: string): ReturnType<typeof configurationOf> {
  // The list leaves the states out (API reference, ListFunctions).
  const { State: _state, LastUpdateStatus: _status, ...configuration } = configurationOf(state.functions.get(name)!); // the name is one of the keys
  return configuration;
}
