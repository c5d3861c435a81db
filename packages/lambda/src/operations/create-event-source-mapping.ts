import type { CreateEventSourceMappingCommandInput, EventSourceMappingConfiguration } from "@aws-sdk/client-lambda";
import { operation, parseArn, simError, uuid, type Authorization } from "@sandstack/core";
import { invalidParameter } from "../errors.js";
import { functionReference, mappingArn } from "../function-name.js";
import { changedSettings, checkMembers, checkNotMapped, checkQueue, checkSettings, consumersOf, DEFAULT_SETTINGS, mappedFunction, mappingConfiguration } from "../mapping.js";
import { requestPoll } from "../poll-requests.js";
import { queueUrlOf } from "../queue-url.js";
import { idleRunner, type LambdaState, type MappingState } from "../state.js";

const authorize: Authorization<LambdaState, CreateEventSourceMappingCommandInput> = {
  questions: ({ callScope }, { FunctionName }) => ({
    action: "lambda:CreateEventSourceMapping",
    resource: "*",
    context: { "lambda:FunctionArn": functionReference(callScope, FunctionName).arn },
  }),
};

/**
 * Maps a queue to a function. The answer says `Creating`, as AWS's does; messages that are on the queue already are worked off at once.
 *
 * @throws InvalidParameterValueException (400) when the function or queue does not exist, when the execution role may not receive, delete
 *   and read attributes, when the queue's visibility timeout is below the function's timeout, and for settings that queues do not allow
 * @throws ResourceConflictException (409) when the two are mapped already
 */
export const createEventSourceMapping = operation<LambdaState, CreateEventSourceMappingCommandInput, Promise<EventSourceMappingConfiguration>>({
  name: "CreateEventSourceMapping",
  httpStatusCode: 202,
  authorize,
  async run(ctx, input) {
    checkMembers(input);
    const queueArn = queueArnOf(input);
    const settings = changedSettings(DEFAULT_SETTINGS, input);
    checkSettings(settings, queueArn, input);
    const { fn, version, named } = mappedFunction(ctx, input.FunctionName);
    await checkQueue(ctx, version, queueArn);
    checkNotMapped(ctx.state, named, queueArn);

    const id = uuid(ctx.random);
    const mapping: MappingState = {
      uuid: id,
      arn: mappingArn(ctx.scope, id),
      queueArn,
      queueUrl: queueUrlOf(queueArn),
      ...named,
      ...settings,
      tags: { ...input.Tags },
      modifiedAtMs: ctx.nowMs,
      runner: idleRunner(),
    };
    ctx.state.mappings.set(id, mapping);
    consumersOf(ctx, queueArn).push({ scope: ctx.scope, uuid: id });
    requestPoll(ctx, mapping);
    ctx.record({ kind: "lambda.mapping.created", functionArn: fn.arn, queueArn, uuid: id });
    return mappingConfiguration(mapping, "Creating");
  },
});

function queueArnOf({ EventSourceArn, SelfManagedEventSource }: CreateEventSourceMappingCommandInput): string {
  const service = EventSourceArn === undefined ? undefined : parseArn(EventSourceArn)?.service;
  if (service === "sqs") return EventSourceArn!; // it has a service
  if (SelfManagedEventSource === undefined && service === undefined) throw invalidParameter("Unrecognized event source.");
  throw simError("SimUnsupported", `The sandbox maps functions to SQS queues; ${EventSourceArn ?? "a self-managed source"} is none.`);
}
