import { types } from "node:util";
import type { FunctionFailure } from "./runtime-host.js";
import { stackLines } from "./stack.js";

const FAILURE = Symbol.for("sandstack.lambda.failure");

/** An error that carries the payload Lambda answers for it. */
export interface RuntimeError extends Error {
  readonly [FAILURE]: FunctionFailure;
}

/**
 * Makes an error of the runtime's own (`Runtime.HandlerNotFound`), as opposed to one that the code threw.
 *
 * @param trace what follows the error's type and message in its trace
 */
export function runtimeError(errorType: string, errorMessage: string, trace: readonly string[] = []): RuntimeError {
  return Object.assign(new Error(errorMessage), { [FAILURE]: { errorType, errorMessage, trace: [...`${errorType}: ${errorMessage}`.split("\n"), ...trace] } });
}

/** The payload for whatever the code threw: an error by its name, message and stack; another value by its type and text. */
export function failureOf(thrown: unknown): FunctionFailure {
  if (types.isNativeError(thrown)) {
    const { [FAILURE]: failure } = thrown as Partial<RuntimeError>; // absent on the code's own errors
    return failure ?? { errorType: thrown.name, errorMessage: thrown.message, trace: stackLines(thrown) };
  }
  return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
}

/** The payload for an error that was thrown where nobody could catch it: in a timer. */
export function uncaughtException(thrown: unknown): FunctionFailure {
  return ofNobody("Runtime.UncaughtException", failureOf(thrown));
}

/** The payload for a rejection that nobody awaits. */
export function unhandledRejection(reason: unknown): FunctionFailure {
  const failure = failureOf(reason);
  const { errorType, errorMessage, trace } = ofNobody("Runtime.UnhandledPromiseRejection", failure);
  return { errorType, errorMessage, reason: failure, promise: {}, trace };
}

function ofNobody(type: string, { errorType, errorMessage, trace = [] }: FunctionFailure): FunctionFailure {
  const text = `${errorType}: ${errorMessage}`;
  return { errorType: type, errorMessage: text, trace: [`${type}: ${text}`, ...trace.slice(1)] };
}
