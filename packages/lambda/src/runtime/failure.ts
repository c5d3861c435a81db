import { types } from "node:util";
import type { FunctionFailure } from "./runtime-host.js";

const FAILURE = Symbol.for("sandstack.lambda.failure");

/** An error that carries the payload Lambda answers for it. */
export interface RuntimeError extends Error {
  readonly [FAILURE]: FunctionFailure;
}

/** Makes an error of the runtime's own (`Runtime.HandlerNotFound`), as opposed to one that the code threw. */
export function runtimeError(errorType: string, errorMessage: string, trace: readonly string[] = []): RuntimeError {
  const lines = trace.length > 0 ? trace : [`${errorType}: ${errorMessage}`];
  return Object.assign(new Error(errorMessage), { [FAILURE]: { errorType, errorMessage, trace: lines } });
}

/** The payload for whatever the code threw: an error by its name, message and stack; another value by its type and text. */
export function failureOf(thrown: unknown): FunctionFailure {
  if (types.isNativeError(thrown)) {
    const { [FAILURE]: failure } = thrown as Partial<RuntimeError>; // absent on the code's own errors
    return failure ?? { errorType: thrown.name, errorMessage: thrown.message, trace: traceOf(thrown) };
  }
  return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
}

export function traceOf(error: Error): string[] {
  return String(error.stack ?? `${error.name}: ${error.message}`).split("\n");
}
