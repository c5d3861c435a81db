import type { InFlightWork, ServiceContext } from "@sandstack/core";
import { dropEnvironment, keepEnvironment, runtimeHost, takeEnvironment, type PooledEnvironment } from "./environments.js";
import { findTarget, runnableVersion, type FunctionTarget } from "./functions.js";
import { handlerOf } from "./handlers.js";
import { InvocationLog } from "./invocation-log.js";
import { IN_PROCESS_PATIENCE_MS, ISOLATED_PATIENCE_MS, MAX_RESPONSE_BYTES } from "./limits.js";
import { roleCaller } from "./role.js";
import { callHandler, type InvocationFacts } from "./runtime/call-handler.js";
import { resultText, type Ending } from "./runtime/environment.js";
import { failureOf, unhandledRejection } from "./runtime/failure.js";
import type { FunctionFailure } from "./runtime/runtime-host.js";
import { never } from "./runtime/never.js";
import { withoutSandboxFrames } from "./runtime/stack.js";
import { ownUnhandledRejections } from "./runtime/unhandled-rejections.js";
import type { FunctionState, FunctionVersion, LambdaState } from "./state.js";

declare module "@sandstack/core" {
  interface Announcements {
    /** An invocation of a function with reserved concurrency has ended. */
    "lambda.concurrency.freed": { functionName: string };
  }
}

/** An invocation's time is over. */
export const TIMEOUT_TASK = "lambda.invocation.timed-out";

export interface InvocationRequest extends FunctionTarget {
  /** The event as JSON text. */
  readonly payload: string;
  readonly requestId: string;
  /** As it was named: with the qualifier, if one was given. */
  readonly invokedFunctionArn: string;
  /** For asynchronous events: 1 for the first. */
  readonly attempt?: number;
  /** For batches of an event source mapping. */
  readonly batch?: { readonly messageIds: readonly string[]; readonly queueArn: string };
}

/** How an invocation ended. */
export interface Outcome {
  /** The result, or the error's payload, as JSON text. */
  readonly payload: string;
  readonly failure: FunctionFailure | undefined;
  /** `LogResult` */
  readonly logTail: string;
}

/** An invocation that has begun: the work to register in flight, and how to run it. */
export interface Invocation {
  readonly work: InFlightWork;
  readonly run: () => Promise<Outcome>;
}

type Context = ServiceContext<LambdaState>;

/** Ends invocations from outside their code, by request id: by time or because the code's process ended. */
function endings(ctx: Context): Map<string, (ending: Ending) => void> {
  return ctx.table("endings");
}

/** Records that an invocation begins, and answers how to run it. */
export function beginInvocation(ctx: Context, request: InvocationRequest): Invocation {
  const { fn, requestId, attempt, batch } = request;
  const cause = ctx.record({ kind: "lambda.invocation.started", functionArn: fn.arn, ...(request.version === fn ? {} : { version: request.version.version }), requestId, ...(attempt === undefined ? {} : { attempt }), ...batch });
  const execution = new Execution(ctx, request, cause);
  const { isIsolated } = execution;
  const work: InFlightWork = {
    name: `function ${fn.name}`,
    generation: ctx.generation,
    cause,
    isAsleep: () => execution.isAsleep,
    patienceMs: isIsolated ? ISOLATED_PATIENCE_MS : IN_PROCESS_PATIENCE_MS,
    sdkCaller: roleCaller(request.version),
  };
  // What an in-process handler leaves to nobody is the test's own to see.
  if (isIsolated) ownUnhandledRejections(work, (reason) => execution.rejectionLeft(reason));
  fn.runningCount += 1;
  return { work, run: () => execution.run().finally(() => invocationEnded(ctx, fn)) };
}

function invocationEnded(ctx: Context, fn: FunctionState): void {
  fn.runningCount -= 1;
  // Only a function with a bound of its own keeps mappings waiting.
  if (fn.reservedConcurrency !== undefined) ctx.announce("lambda.concurrency.freed", { functionName: fn.name });
}

/** Ends an invocation whose time is over. */
export function timeOutInvocation(ctx: Context, { requestId, timeoutSeconds }: { requestId: string; timeoutSeconds: number }): void {
  const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`;
  endings(ctx).get(requestId)?.({ kind: "failed", failure: { errorType: "Sandbox.Timedout", errorMessage } });
}

/** One run of a function's code. */
class Execution {
  readonly #ctx: Context;
  readonly #request: InvocationRequest;
  readonly #cause: number;
  readonly #startedAtMs: number;
  readonly #log: InvocationLog;
  /** The version's code as it was at the start: changing the function does not change what runs. */
  readonly #fn: FunctionVersion;
  #pooled: PooledEnvironment | undefined;
  #hasEnded = false;
  /** True when the code's process did not survive: time-out, exit, an uncaught error. */
  #wasCutShort = false;

  constructor(ctx: Context, request: InvocationRequest, cause: number) {
    this.#ctx = ctx;
    this.#request = request;
    this.#cause = cause;
    this.#startedAtMs = ctx.nowMs;
    this.#fn = { ...runnableVersion(request) };
    this.#log = new InvocationLog(request.requestId, this.#fn.version);
  }

  /** True for code that runs in an environment of its own, not in the test's process. */
  get isIsolated(): boolean {
    return this.#fn.code.kind === "archive";
  }

  get isAsleep(): boolean {
    return this.#pooled?.environment.isAsleep ?? false;
  }

  /** True when the world was emptied since: nobody waits for the invocation, and nothing of it belongs into the new world. */
  get #isOfWorldBefore(): boolean {
    return this.#ctx.stateOf(this.#ctx.scope) !== this.#ctx.state;
  }

  async run(): Promise<Outcome> {
    const { requestId } = this.#request;
    const { timeoutSeconds } = this.#fn;
    const timeoutTask = this.#ctx.schedule({ name: TIMEOUT_TASK, dueAtMs: this.#startedAtMs + timeoutSeconds * 1000, args: { requestId, timeoutSeconds }, about: [this.#fn.arn] });
    const cutShort = new Promise<Ending>((resolve) => endings(this.#ctx).set(requestId, resolve));
    const cut = cutShort.then((ending) => {
      this.#wasCutShort = true;
      return ending;
    });
    const ending = this.#shown(bounded(await Promise.race([this.#runCode(), cut])));
    this.#hasEnded = true;
    if (this.#isOfWorldBefore) return never();
    endings(this.#ctx).delete(requestId);
    this.#ctx.unschedule(timeoutTask);
    this.#release();
    return this.#conclude(ending);
  }

  /** Takes a rejection that the code left to nobody: its process ends by it. */
  rejectionLeft(reason: unknown): void {
    const failure = unhandledRejection(reason);
    const end = endings(this.#ctx).get(this.#request.requestId);
    if (end === undefined) this.#recordLine("ERROR", `${failure.errorType}: ${failure.errorMessage}, after the invocation had ended`);
    else end({ kind: "failed", failure });
  }

  #runCode(): Promise<Ending> {
    const { code, runtime } = this.#fn;
    if (code.kind === "handler") return this.#runInProcess(code.token);
    return runtime.startsWith("nodejs") ? this.#runIsolated() : Promise.resolve({ kind: "failed", failure: unsupportedRuntime(this.#fn) });
  }

  async #runInProcess(token: string): Promise<Ending> {
    const handler = handlerOf(token);
    if (handler === undefined) {
      return { kind: "failed", failure: { errorType: "SimUnknownHandler", errorMessage: `The in-process handler of function ${this.#fn.name} (${token}) is not known to this process. Make its code with makeLambdaZipFileInput() in the process that runs it.` } };
    }
    try {
      return { kind: "returned", payload: resultText(await callHandler(handler, JSON.parse(this.#request.payload), this.#facts("in-process"), (run) => run())) };
    } catch (error) {
      return { kind: "failed", failure: failureOf(error) };
    }
  }

  async #runIsolated(): Promise<Ending> {
    const host = runtimeHost(this.#ctx, this.#fn, {
      write: (level, text) => this.#write(level, text),
      crash: (failure) => endings(this.#ctx).get(this.#request.requestId)?.({ kind: "failed", failure }),
    });
    try {
      const pooled = await takeEnvironment(this.#ctx, this.#fn, host, this.#startedAtMs + this.#fn.timeoutSeconds * 1000);
      this.#pooled = pooled;
      if (this.#isOfWorldBefore) return await never();
      return await pooled.environment.handle(host(pooled.id), this.#request.payload, this.#facts(pooled.logStreamName));
    } catch (error) {
      // The execution role could not be assumed: Lambda's own failure, before any code ran.
      return { kind: "failed", failure: failureOf(error) };
    }
  }

  #facts(logStreamName: string): InvocationFacts {
    const { name, memorySizeMegabytes, timeoutSeconds } = this.#fn;
    return {
      functionName: name,
      functionVersion: this.#fn.version,
      invokedFunctionArn: this.#request.invokedFunctionArn,
      memoryLimitInMB: String(memorySizeMegabytes),
      awsRequestId: this.#request.requestId,
      logGroupName: `/aws/lambda/${name}`,
      logStreamName,
      getRemainingTimeInMillis: () => Math.max(0, this.#startedAtMs + timeoutSeconds * 1000 - this.#ctx.nowMs),
    };
  }

  #write(level: string | undefined, text: string): void {
    // Code that was cut short may still be running; it writes to nobody.
    if (this.#hasEnded || this.#isOfWorldBefore) return;
    const shown = this.#withSourcePlaces(withoutSandboxFrames(text));
    this.#log.write(this.#ctx.nowMs, level, shown);
    this.#recordLine(level ?? "INFO", shown);
  }

  /** An ending whose stacks have the places of the sources. */
  #shown(ending: Ending): Ending {
    if (ending.kind === "returned") return ending;
    const translated = (failure: FunctionFailure): FunctionFailure => ({
      ...failure,
      ...(failure.reason === undefined ? {} : { reason: translated(failure.reason) }),
      ...(failure.trace === undefined ? {} : { trace: failure.trace.map((line) => this.#withSourcePlaces(line)) }),
    });
    return { kind: "failed", failure: translated(ending.failure) };
  }

  #withSourcePlaces(text: string): string {
    return this.#pooled?.environment.withSourcePlaces(text) ?? text;
  }

  #recordLine(level: string, text: string): void {
    this.#ctx.record({ kind: "lambda.console.written", functionArn: this.#fn.arn, requestId: this.#request.requestId, level, text, cause: this.#cause });
  }

  #release(): void {
    const pooled = this.#pooled;
    if (pooled === undefined) return;
    const target = findTarget(this.#ctx.state, this.#fn.name, this.#fn.version);
    const isCurrent = target !== undefined && runnableVersion(target).changeId === pooled.changeId;
    if (this.#wasCutShort || !isCurrent || !pooled.environment.isWarm) dropEnvironment(this.#ctx, pooled);
    else keepEnvironment(this.#ctx, pooled);
  }

  #conclude(ending: Ending): Outcome {
    const { requestId, batch } = this.#request;
    const durationMs = this.#ctx.nowMs - this.#startedAtMs;
    const failure = ending.kind === "failed" ? ending.failure : undefined;
    const about = { functionArn: this.#fn.arn, requestId, durationMs, ...(batch === undefined ? {} : { messageIds: batch.messageIds }), cause: this.#cause };
    if (failure === undefined) this.#ctx.record({ kind: "lambda.invocation.succeeded", ...about });
    else {
      if (failure.errorType === "Sandbox.Timedout") this.#log.timedOut(this.#ctx.nowMs, this.#fn.timeoutSeconds);
      else this.#log.write(this.#ctx.nowMs, "ERROR", `Invoke Error \t${JSON.stringify({ errorType: failure.errorType, errorMessage: failure.errorMessage, stack: failure.trace })}`);
      const { errorType, errorMessage, trace } = failure;
      const note = this.#pooled?.environment.stoppedBecause;
      this.#ctx.record({ kind: "lambda.invocation.failed", ...about, errorType, errorMessage, ...(trace === undefined ? {} : { trace }), ...(note === undefined ? {} : { note }) });
    }
    this.#log.end(durationMs, this.#fn.memorySizeMegabytes);
    return { payload: ending.kind === "returned" ? ending.payload : JSON.stringify(ending.failure), failure, logTail: this.#log.tail() };
  }
}

/** A response that is too large is a failure. */
function bounded(ending: Ending): Ending {
  if (ending.kind === "failed" || Buffer.byteLength(ending.payload) <= MAX_RESPONSE_BYTES) return ending;
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`;
  return { kind: "failed", failure: { errorType: "Function.ResponseSizeTooLarge", errorMessage } };
}

function unsupportedRuntime({ name, runtime }: FunctionVersion): FunctionFailure {
  return {
    errorType: "SimUnsupportedRuntime",
    errorMessage: `The sandbox runs Node.js functions; ${name} is for ${runtime}. Replace its code with an in-process handler: makeLambdaZipFileInput(handler), or bindings where it is deployed by a template.`,
  };
}
