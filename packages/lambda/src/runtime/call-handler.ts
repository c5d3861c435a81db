import { types } from "node:util";

/** What a handler is told of its invocation (developer guide, nodejs-context). */
export interface InvocationContext {
  callbackWaitsForEmptyEventLoop: boolean;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  /** In megabytes, as text. */
  readonly memoryLimitInMB: string;
  readonly awsRequestId: string;
  readonly logGroupName: string;
  readonly logStreamName: string;
  getRemainingTimeInMillis(): number;
  done(error?: unknown, result?: unknown): void;
  fail(error: unknown): void;
  succeed(result?: unknown): void;
}

export type InvocationFacts = Omit<InvocationContext, "callbackWaitsForEmptyEventLoop" | "done" | "fail" | "succeed">;

export type AnyHandler = (event: unknown, context: InvocationContext, callback: (error?: unknown, result?: unknown) => void) => unknown;

/**
 * Calls a handler of any style: async, one that answers through its callback or its context, or one that simply returns a value,
 * which is taken as the result (as Node.js 24's runtime does).
 *
 * @param enter how the code is entered; isolated code is bounded there
 */
export function callHandler(handler: AnyHandler, event: unknown, facts: InvocationFacts, enter: <T>(run: () => T) => T): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback = (error?: unknown, result?: unknown): void => (error === undefined || error === null ? resolve(result) : reject(error));
    const context: InvocationContext = { callbackWaitsForEmptyEventLoop: true, ...facts, done: callback, fail: (error) => reject(error ?? "handled"), succeed: resolve };
    const answer = enter(() => handler(event, context, callback));
    if (isThenable(answer)) answer.then(resolve, reject);
    else if (answer !== undefined || handler.length < 3) resolve(answer);
  });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return types.isPromise(value) || (typeof value === "object" && value !== null && typeof (value as PromiseLike<unknown>).then === "function"); // asked whether it has that member
}
