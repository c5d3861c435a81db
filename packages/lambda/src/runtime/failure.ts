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

/** Where the sandbox calls the code: what is below it in a stack says nothing of the code. */
const CALLED_FROM = /[\\/]call-handler\.[cm]?[jt]s:\d+/;

/** The lines of an error's stack, down to where the code was called. */
export function traceOf(error: Error): string[] {
  const lines = String(error.stack ?? `${error.name}: ${error.message}`).split("\n");
  const end = lines.findIndex((line) => CALLED_FROM.test(line) && !line.includes("/var/task/"));
  return end === -1 ? lines : lines.slice(0, end);
}
