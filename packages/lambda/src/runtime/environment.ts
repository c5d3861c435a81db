import { types } from "node:util";
import { createBuiltins, seededWebCrypto } from "./builtins.js";
import { callHandler, type AnyHandler, type InvocationFacts } from "./call-handler.js";
import { createConsole } from "./console.js";
import { failureOf, runtimeError, uncaughtException } from "./failure.js";
import { installGlobals } from "./globals.js";
import { loadHandler } from "./load-handler.js";
import { Modules } from "./modules.js";
import { createProcess } from "./process.js";
import { createRealm, type Realm } from "./realm.js";
import type { Files } from "./resolve.js";
import type { FunctionFailure, RuntimeHost } from "./runtime-host.js";
import { createSdkPackages } from "./sdk-packages.js";
import { SandboxTimers } from "./timers.js";

export interface EnvironmentOptions {
  readonly name: string;
  readonly files: Files;
  /** `index.handler` */
  readonly handler: string;
  /** All of the environment's variables, the runtime's own included. */
  readonly variables: Readonly<Record<string, string>>;
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
  #host: RuntimeHost;
  #requestId = "";
  #handler: AnyHandler | undefined;
  #isRunning = false;

  constructor(options: EnvironmentOptions, host: RuntimeHost) {
    this.#options = options;
    this.#host = host;
    const current = (): RuntimeHost => this.#host;
    this.#realm = createRealm(`function ${options.name}`, current);
    this.#timers = new SandboxTimers(current, (error) => this.#host.crash(uncaughtException(error)));
    const env = { ...options.variables };
    const process = createProcess({ env, host: current, requestId: () => this.#requestId });
    const console = createConsole(current);
    const { performance } = installGlobals(this.#realm.context, { host: current, timers: this.#timers, process, console, crypto: seededWebCrypto(() => current().random) });
    const { files } = options;
    this.#modules = new Modules({
      files,
      context: this.#realm.context,
      parseJson: (text) => this.#realm.JSON.parse(text),
      builtin: createBuiltins({ host: current, timers: this.#timers, files, process, console, performance, createRequire: (filename) => this.#modules.createRequire(filename) }),
      provided: createSdkPackages(() => ({
        region: env["AWS_REGION"],
        credentials: { accessKeyId: env["AWS_ACCESS_KEY_ID"] ?? "", secretAccessKey: env["AWS_SECRET_ACCESS_KEY"] ?? "", sessionToken: env["AWS_SESSION_TOKEN"] },
        requestHandler: current().requestHandler,
      })),
    });
  }

  /** True while the code that runs waits for timers of the sandbox. */
  get isAsleep(): boolean {
    return this.#isRunning && this.#timers.hasPending;
  }

  /** Handles one invocation; the first one loads the code. */
  async handle(host: RuntimeHost, payload: string, facts: InvocationFacts): Promise<Ending> {
    this.#host = host;
    this.#requestId = facts.awsRequestId;
    this.#isRunning = true;
    this.#timers.thaw();
    try {
      this.#handler ??= await loadHandler(this.#modules, this.#options.files, this.#options.handler);
      const result = await callHandler(this.#handler, this.#realm.JSON.parse(payload), facts);
      return { kind: "returned", payload: resultText(result) };
    } catch (error) {
      return { kind: "failed", failure: failureOf(error) };
    } finally {
      this.#isRunning = false;
      this.#timers.freeze();
    }
  }

  /** True once the code was loaded: until then nothing is warm. */
  get isWarm(): boolean {
    return this.#handler !== undefined;
  }

  fireTimer(timerId: number): void {
    this.#timers.fire(timerId);
  }

  /** Ends the environment: what its code still waits for does not come. */
  dispose(): void {
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
