import { invoke, isAwsError, uuid, type Caller, type InvokeOptions, type ProtocolName, type World } from "@sandstack/core";
import { codecs } from "./codec.js";
import type { WireRequest, WireResponse } from "./http.js";
import type { Identity } from "./identity.js";
import { missingMembers } from "./required.js";
import type { OperationRoute, ServiceRoute } from "./route.js";
import type { WireService } from "./services.js";
import type { Shape } from "./shape.js";
import { withQueueUrlsAt, withSqsRules } from "./sqs-rules.js";
import { isPolled } from "./waiters.js";
import { bodyTooLarge, membersMissing, unknownAction } from "./wire-errors.js";

/** The largest body of a request: a batch of SQS in base64 and a Lambda archive fit several times. */
export const MAX_BODY_BYTES = 100 * 1024 * 1024;

export interface AnswerOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where the client reached the sandbox (`http://127.0.0.1:4566`), for the queue URLs that it is given. Default: AWS's own. */
  readonly origin?: string | undefined;
  /** Checks who asks, once it is known what for. @throws AWS's error for unknown keys and bad signatures */
  identify(service: WireService): Identity | Promise<Identity>;
}

/**
 * Answers a request whose route is known: decodes it, asks the door, encodes the output or AWS's error.
 *
 * @throws what is not AWS's error: the sandbox's own for what it lacks, and our mistakes
 */
export async function answerRequest(world: World, route: ServiceRoute, request: WireRequest, options: AnswerOptions): Promise<WireResponse> {
  const codec = codecs[route.protocol];
  try {
    const identity = options.identify(route.model.service);
    // Each turn that is waited for costs as much as a codec: none without need.
    const { scope, caller } = "then" in identity ? await identity : identity;
    if (route.kind === "unknown-action") throw unknownAction(route.model.service, route.action);
    const input = decodeRequest(route, request);
    const { service, name } = route.operation;
    if (isPolled(world, service, name)) await world.background.settle();
    const output = (await invoke(world, scope, service.id, name, input, new WireCall(caller, options))) as { $metadata: { requestId: string } }; // the door puts the metadata on every output
    const given = options.origin === undefined ? output : withQueueUrlsAt(options.origin, service.id, output);
    return codec.encode(route, given, output.$metadata.requestId);
  } catch (error) {
    if (!isAwsError(error)) throw error;
    return codec.encodeError(route, error, error.$metadata.requestId ?? uuid(world.state.random));
  }
}

/** A call's options. The signal is asked for only where something waits: an HTTP server makes it on demand. */
class WireCall implements InvokeOptions {
  readonly caller: Caller | undefined;
  readonly #options: AnswerOptions;

  constructor(caller: Caller | undefined, options: AnswerOptions) {
    this.caller = caller;
    this.#options = options;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }
}

/** @throws AWS's error for what cannot be read or lacks a required member */
export function decodeRequest(route: OperationRoute, request: WireRequest): unknown {
  const { operation, protocol } = route;
  const { service } = operation;
  if (request.body.length > MAX_BODY_BYTES) throw bodyTooLarge(service, MAX_BODY_BYTES);
  const decoded = codecs[protocol].decode(route, request);
  const input = service.id === "sqs" ? withSqsRules(route, decoded, request) : decoded;
  const missing = missingMembers(operation.input, input, isEmptyAndAbsentTheSame(service, protocol));
  if (missing.length > 0) throw membersMissing(service, missing);
  return input;
}

/** The Query protocol cannot tell an absent list from an empty one, nor can services that came from it: their operations answer both alike. */
function isEmptyAndAbsentTheSame(service: WireService, protocol: ProtocolName): (shape: Shape) => boolean {
  const isSame = protocol === "awsQuery" || service.isQueryCompatible;
  return ({ kind }) => isSame && (kind === "list" || kind === "map");
}
