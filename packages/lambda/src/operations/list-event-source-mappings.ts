import type { ListEventSourceMappingsCommandInput, ListEventSourceMappingsResponse } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onAnything } from "../authorize.js";
import { functionReference, type FunctionReference } from "../function-name.js";
import { mappingConfiguration, mappingOf } from "../mapping.js";
import { pageOf } from "../page.js";
import type { LambdaState, MappingState } from "../state.js";

const MAX_PAGE = 100;

/** Lists the mappings of a function, of a queue, of both or all of them. A function or queue that is not there has none. */
export const listEventSourceMappings = operation<LambdaState, ListEventSourceMappingsCommandInput, ListEventSourceMappingsResponse>({
  name: "ListEventSourceMappings",
  authorize: onAnything("lambda:ListEventSourceMappings"),
  run(ctx, { EventSourceArn, FunctionName, Marker, MaxItems }) {
    const wanted = FunctionName === undefined ? undefined : functionReference(ctx.callScope, FunctionName);
    const found = [...ctx.state.mappings.values()].filter(
      (mapping) => (EventSourceArn === undefined || mapping.queueArn === EventSourceArn) && (wanted === undefined || isOf(mapping, wanted)),
    );
    const { items, nextMarker } = pageOf(found.map((mapping) => mapping.uuid), Marker, Math.min(MaxItems ?? MAX_PAGE, MAX_PAGE));
    return {
      EventSourceMappings: items.map((uuid) => mappingConfiguration(mappingOf(ctx.state, uuid))),
      ...(nextMarker === undefined ? {} : { NextMarker: nextMarker }),
    };
  },
});

/** A version or alias has mappings of its own; the function's name alone gives those of all. That AWS does so is unverified. */
function isOf(mapping: MappingState, { name, qualifier }: FunctionReference): boolean {
  return mapping.functionName === name && (qualifier === undefined || mapping.qualifier === qualifier);
}
