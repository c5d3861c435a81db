import type { EventSourceMappingConfiguration, UpdateEventSourceMappingCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onMapping } from "../authorize.js";
import { changedSettings, checkMembers, checkNotMapped, checkQueue, checkSettings, mappedFunction, mappingConfiguration, mappingOf, type MappingTransition } from "../mapping.js";
import { flushGathered } from "../mapping-runner.js";
import { requestPoll } from "../poll-requests.js";
import type { LambdaState, MappingState } from "../state.js";

/**
 * Changes a mapping's settings or its function, never its queue. `FilterCriteria: { Filters: [] }` takes the filters away, `ScalingConfig: {}` the maximum
 * concurrency. Batches in flight end as they began; a disabled mapping ends what it has gathered and polls no more.
 *
 * @throws ResourceNotFoundException (404), and what CreateEventSourceMapping throws
 */
export const updateEventSourceMapping = operation<LambdaState, UpdateEventSourceMappingCommandInput, Promise<EventSourceMappingConfiguration>>({
  name: "UpdateEventSourceMapping",
  httpStatusCode: 202,
  authorize: onMapping("lambda:UpdateEventSourceMapping"),
  async run(ctx, input) {
    checkMembers(input);
    const mapping = mappingOf(ctx.state, input.UUID);
    const settings = changedSettings(mapping, input);
    checkSettings(settings, mapping.queueArn, input);
    const { fn, version, named } = mappedFunction(ctx, input.FunctionName ?? mapping.functionArn);
    await checkQueue(ctx, version, mapping.queueArn);
    checkNotMapped(ctx.state, named, mapping.queueArn, mapping.uuid);

    const transition = transitionOf(mapping, settings.isEnabled);
    Object.assign(mapping, settings, named, { modifiedAtMs: ctx.nowMs });
    if (mapping.isEnabled) requestPoll(ctx, mapping);
    else flushGathered(ctx, mapping);
    ctx.record({ kind: "lambda.mapping.updated", functionArn: fn.arn, queueArn: mapping.queueArn, uuid: mapping.uuid });
    return mappingConfiguration(mapping, transition);
  },
});

function transitionOf(mapping: MappingState, willBeEnabled: boolean): MappingTransition {
  if (mapping.isEnabled === willBeEnabled) return "Updating";
  return willBeEnabled ? "Enabling" : "Disabling";
}
