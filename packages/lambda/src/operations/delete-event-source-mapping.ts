import type { DeleteEventSourceMappingCommandInput, EventSourceMappingConfiguration } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onMapping } from "../authorize.js";
import { consumersOf, mappingConfiguration, mappingOf } from "../mapping.js";
import { flushGathered } from "../mapping-runner.js";
import type { LambdaState } from "../state.js";

/** Deletes a mapping; batches in flight end, and what it has gathered is one more. @throws ResourceNotFoundException (404) */
export const deleteEventSourceMapping = operation<LambdaState, DeleteEventSourceMappingCommandInput, EventSourceMappingConfiguration>({
  name: "DeleteEventSourceMapping",
  httpStatusCode: 202,
  authorize: onMapping("lambda:DeleteEventSourceMapping"),
  run(ctx, { UUID }) {
    const mapping = mappingOf(ctx.state, UUID);
    flushGathered(ctx, mapping);
    ctx.state.mappings.delete(mapping.uuid);
    const consumers = consumersOf(ctx, mapping.queueArn);
    consumers.splice(consumers.findIndex(({ uuid }) => uuid === mapping.uuid), 1);
    mapping.isEnabled = false;
    ctx.record({ kind: "lambda.mapping.deleted", functionArn: mapping.functionArn, queueArn: mapping.queueArn, uuid: mapping.uuid });
    return mappingConfiguration(mapping, "Deleting");
  },
});
