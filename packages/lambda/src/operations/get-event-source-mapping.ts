import type { EventSourceMappingConfiguration, GetEventSourceMappingCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onMapping } from "../authorize.js";
import { mappingConfiguration, mappingOf } from "../mapping.js";
import type { LambdaState } from "../state.js";

/** Gives a mapping. @throws ResourceNotFoundException (404) */
export const getEventSourceMapping = operation<LambdaState, GetEventSourceMappingCommandInput, EventSourceMappingConfiguration>({
  name: "GetEventSourceMapping",
  authorize: onMapping("lambda:GetEventSourceMapping"),
  run: (ctx, { UUID }) => mappingConfiguration(mappingOf(ctx.state, UUID)),
});
