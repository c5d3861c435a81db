import type { InvocationResponse, InvokeCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { queueEvent } from "../async-invocation.js";
import { onFunction } from "../authorize.js";
import { constraintViolated, lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { isThrottled, LATEST, qualified, targetOf } from "../functions.js";
import { beginInvocation } from "../invocation.js";
import { MAX_ASYNC_PAYLOAD_BYTES, MAX_SYNC_PAYLOAD_BYTES } from "../limits.js";
import { resultBytes } from "../result-bytes.js";
import type { FunctionState, LambdaState } from "../state.js";

/** The statuses of the three ways to invoke. */
const STATUS = { RequestResponse: 200, Event: 202, DryRun: 204 } as const;

/**
 * Invokes a function. `RequestResponse` answers when it has ended, moving a manual clock as far as it needs; `Event` accepts the
 * event, which is worked off in the background and tried again one and two minutes after a failure; `DryRun` checks only.
 *
 * @throws ResourceNotFoundException (404)
 * @throws InvalidRequestContentException (400) for a payload that is not JSON
 * @throws RequestTooLargeException (413)
 * @throws TooManyRequestsException (429) when the reserved concurrency is used up
 */
export const invokeFunction = operation<LambdaState, InvokeCommandInput, InvocationResponse | Promise<InvocationResponse>>({
  name: "Invoke",
  httpStatusCodeOf: ({ StatusCode = STATUS.RequestResponse }) => StatusCode,
  authorize: onFunction("lambda:InvokeFunction"),
  run(ctx, { FunctionName, Qualifier, InvocationType = "RequestResponse", LogType, Payload }) {
    const reference = functionReference(ctx.callScope, FunctionName, Qualifier);
    if (!(InvocationType in STATUS)) throw constraintViolated("invocationType", InvocationType, "Member must satisfy enum value set: [Event, RequestResponse, DryRun]");
    // AWS names the version it looked for, also when none was named.
    const target = targetOf(ctx.state, { ...reference, qualifier: reference.qualifier ?? LATEST });
    const payload = payloadText(Payload, InvocationType === "Event" ? MAX_ASYNC_PAYLOAD_BYTES : MAX_SYNC_PAYLOAD_BYTES, InvocationType);
    if (InvocationType === "DryRun") return { StatusCode: STATUS.DryRun };
    const { fn, version } = target;
    const invokedFunctionArn = qualified(fn.arn, reference.qualifier);
    if (InvocationType === "Event") {
      queueEvent(ctx, { functionName: fn.name, qualifier: reference.qualifier, functionArn: fn.arn, invokedFunctionArn, payload, requestId: ctx.requestId });
      return { StatusCode: STATUS.Event };
    }
    checkConcurrency(fn);
    const invocation = beginInvocation(ctx, { ...target, payload, requestId: ctx.requestId, invokedFunctionArn });
    const ended = ctx.runInFlight(invocation.work, invocation.run);
    return ctx.finish(ended).then((outcome) => ({
      StatusCode: STATUS.RequestResponse,
      ExecutedVersion: version.version,
      Payload: resultBytes(outcome.payload),
      ...(outcome.failure === undefined ? {} : { FunctionError: "Unhandled" }),
      ...(LogType === "Tail" ? { LogResult: outcome.logTail } : {}),
    }));
  },
});

function payloadText(payload: InvokeCommandInput["Payload"], maxBytes: number, invocationType: string): string {
  // A command's payload may be text, where the wire carries bytes; an invocation without one is given an empty object.
  const text = (typeof payload === "string" ? payload : Buffer.from((payload ?? []) as Uint8Array).toString("utf8")) || "{}"; // in process no payload is streamed
  if (Buffer.byteLength(text) > maxBytes) {
    throw lambdaError("RequestTooLargeException", `${Buffer.byteLength(text)} byte payload is too large for the ${invocationType} invocation type (limit ${maxBytes} bytes)`);
  }
  try {
    JSON.parse(text);
  } catch (error) {
    throw lambdaError("InvalidRequestContentException", `Could not parse request body into json: Could not parse payload into json: ${(error as Error).message}`);
  }
  return text;
}

/** @throws TooManyRequestsException (429) */
function checkConcurrency(fn: FunctionState): void {
  if (isThrottled(fn)) throw lambdaError("TooManyRequestsException", "Rate Exceeded.", { Reason: "ReservedFunctionConcurrentInvocationLimitExceeded" });
}
