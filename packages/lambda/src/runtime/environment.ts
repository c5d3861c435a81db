import { types } from "node:util";
import { createBuiltins, seededWebCrypto } from "./builtins.js";
import { callHandler, type AnyHandler, type InvocationFacts } from "./call-handler.js";
import { createConsole } from "./console.js";
import { failureOf, runtimeError, uncaughtException } from "./failure.js";
import { installGlobals } from "./globals.js";
import { loadHandler } from "./load-handler.js";
import { Modules } from "./modules.js";
import { never } from "./never.js";
import { OpenRequests } from "./open-requests.js";
import { createProcess } from "./process.js";
import { createRealm, type Realm } from "./realm.js";
import type { Files } from "./resolve.js";
import type { FunctionFailure, RuntimeHost } from "./runtime-host.js";
import { createSdkPackages } from "./sdk-packages.js";
import { SourcePlaces } from "./source-places.js";
import { SynchronousBound } from "./synchronous-bound.js";
import { SandboxTimers } from "./timers.js";

export interface EnvironmentOptions {
  readonly name: string;
  readonly files: Files;
  /** `index.handler` */
  readonly handler: string;
  /** All of the environment's variables, the runtime's own included. */
  readonly variables: Readonly<Record<string, string>>;
  /** As `ModuleSources.missingHint`. */
  readonly missingHint: string;
  /** How long a module of the code may run without a pause when it is loaded, in real milliseconds. */
  readonly loadingBoundMs: number;
  /** The same for the handler and what it leaves to be called later. */
  readonly runningBoundMs: number;
  /** How many requests the code may make one after the other at one instant. */
  readonly roundTripsBound: number;
}

/** How an invocation of an environment ended: with the text of its result, or not. */
export type Ending = { readonly kind: "returned"; readonly payload: string } | { readonly kind: "failed"; readonly failure: FunctionFailure };

/**
 * One execution environment: a realm with the function's modules, loaded once and kept between invocations, one of which
 * it handles at a time.
 */
export class ExecutionEnvironment {
  readonly #options: EnvironmentOptions;
  readonly #realm: Realm;
  readonly #modules: Modules;
  readonly #timers: SandboxTimers;
  readonly #bound = new SynchronousBound();
  readonly #requests: OpenRequests;
  readonly #places: SourcePlaces;
  #host: RuntimeHost;
  #requestId = "";
  #handler: AnyHandler | undefined;
  #isRunning = false;

  constructor(options: EnvironmentOptions, host: RuntimeHost) {
    this.#options = options;
    this.#requests = new OpenRequests(options.roundTripsBound);
    this.#host = this.#withOwnRequests(host);
    const current = (): RuntimeHost => this.#host;
    this.#realm = createRealm(`function ${options.name}`, current);
    this.#timers = new SandboxTimers(current, (callback) => this.#enter(callback));
    const env = { ...options.variables };
    const process = createProcess({ env, host: current, requestId: () => this.#requestId, enter: (callback) => this.#enter(callback) });
    const console = createConsole(current);
    const { performance } = installGlobals(this.#realm.context, {
      host: current,
      timers: this.#timers,
      process,
      console,
      crypto: seededWebCrypto(() => current().random),
      enter: (callback) => this.#enter(callback),
    });
    const { files } = options;
    this.#places = new SourcePlaces(files, { followsMaps: /(^|\s)--enable-source-maps\b/.test(env["NODE_OPTIONS"] ?? "") });
    this.#modules = new Modules({
      files,
      context: this.#realm.context,
      parseJson: (text) => this.#realm.JSON.parse(text),
      missingHint: options.missingHint,
      wasTransformed: (path, map) => this.#places.wasTransformed(path, map),
      run: (body) => this.#bound.run(body, options.loadingBoundMs),
      builtin: createBuiltins({
        host: current,
        timers: this.#timers,
        files,
        process,
        console,
        performance,
        createRequire: (filename) => this.#modules.createRequire(filename),
        enter: (callback) => this.#enter(callback),
      }),
      provided: createSdkPackages(() => ({
        region: env["AWS_REGION"],
        credentials: { accessKeyId: env["AWS_ACCESS_KEY_ID"] ?? "", secretAccessKey: env["AWS_SECRET_ACCESS_KEY"] ?? "", sessionToken: env["AWS_SESSION_TOKEN"] },
        requestHandler: current().requestHandler,
      })),
    });
  }

  /** True while the code that runs waits for timers of the sandbox, or was stopped and waits for its time-out. */
  get isAsleep(): boolean {
    return this.#isRunning && (this.stoppedBecause !== undefined || this.#timers.hasPending);
  }

  /** Why the code was stopped, as the rest of a sentence, if it was: it went on without an end while the clock stood still. */
  get stoppedBecause(): string | undefined {
    if (this.#bound.hasOverrun) return "its code ran on without a pause, as an endless loop does";
    return this.#requests.isExhausted ? `its code made ${this.#options.roundTripsBound} requests one after the other, which on AWS take longer than the function has` : undefined;
  }

  /** Handles one invocation; the first one loads the code. One whose code was stopped does not end by itself, as on AWS: its time-out ends it. */
  async handle(host: RuntimeHost, payload: string, facts: InvocationFacts): Promise<Ending> {
    this.#host = this.#withOwnRequests(host);
    this.#requestId = facts.awsRequestId;
    this.#isRunning = true;
    this.#timers.thaw();
    const ending = await this.#run(payload, facts);
    this.#timers.freeze();
    if (this.stoppedBecause !== undefined) return never();
    this.#isRunning = false;
    return ending;
  }

  #withOwnRequests(host: RuntimeHost): RuntimeHost {
    return Object.create(host, { requestHandler: { value: this.#requests.begin(host) } }) as RuntimeHost; // as host, but for one member
  }

  async #run(payload: string, facts: InvocationFacts): Promise<Ending> {
    const bounded = <T>(run: () => T): T => this.#bound.run(run, this.#options.runningBoundMs);
    try {
      this.#handler ??= await loadHandler(this.#modules, this.#options.files, this.#options.handler);
      const result = await callHandler(this.#handler, this.#realm.JSON.parse(payload), facts, bounded);
      return { kind: "returned", payload: bounded(() => resultText(result)) };
    } catch (error) {
      return { kind: "failed", failure: failureOf(error) };
    }
  }

  /** Calls what the code left to be called later; what it throws there is caught by nobody and ends the invocation. */
  #enter(callback: () => void): void {
    try {
      this.#bound.run(callback, this.#options.runningBoundMs);
    } catch (error) {
      if (this.#bound.hasOverrun) this.#timers.freeze();
      else this.#host.crash(uncaughtException(error));
    }
  }

  /** True once the code was loaded: until then nothing is warm. */
  get isWarm(): boolean {
    return this.#handler !== undefined;
  }

  /** The text of a stack with the places of the sources. */
  withSourcePlaces(text: string): string {
    return this.#places.translate(text);
  }

  fireTimer(timerId: number): void {
    this.#timers.fire(timerId);
  }

  /** Ends the environment: what its code still waits for does not come, and what it still asks for is not done. */
  dispose(): void {
    this.#requests.close();
    this.#timers.clearAll();
    this.#isRunning = false;
  }
}

/** @throws Runtime.MarshalError for what has no JSON text */
export function resultText(result: unknown): string {
  try {
    return JSON.stringify(result) ?? "null";
  } catch (error) {
    throw runtimeError("Runtime.MarshalError", `Unable to stringify response body: ${types.isNativeError(error) ? error.message : String(error)}`);
  }
}
