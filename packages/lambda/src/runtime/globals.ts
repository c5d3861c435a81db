import type { Context } from "node:vm";
import { simError } from "@sandstack/core";
import { bridgedFetch } from "./bridged-http.js";
import type { RuntimeHost } from "./runtime-host.js";
import { sandboxAbortSignal, timerFunctions, type SandboxTimers } from "./timers.js";

/** What Node has on its global object beside the language's own, and the environment may have as it is. */
const HOST_GLOBALS = [
  // Node's modules make these of the host's realm, so the code's must be the same classes.
  "Uint8Array",
  "ArrayBuffer",
  "Blob",
  "Buffer",
  "ByteLengthQueuingStrategy",
  "CompressionStream",
  "CountQueuingStrategy",
  "AbortController",
  "DOMException",
  "DecompressionStream",
  "Event",
  "EventTarget",
  "File",
  "FormData",
  "Headers",
  "MessageChannel",
  "MessagePort",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextDecoderStream",
  "TextEncoder",
  "TextEncoderStream",
  "TransformStream",
  "URL",
  "URLSearchParams",
  "WritableStream",
  "atob",
  "btoa",
  "structuredClone",
] as const;

export interface GlobalSources {
  readonly host: () => RuntimeHost;
  readonly timers: SandboxTimers;
  readonly process: object;
  readonly console: object;
  readonly crypto: object;
  /** Calls a callback and sees to what it throws. */
  readonly enter: (callback: () => void) => void;
}

/** Puts on a context what code expects to find on Node's global object. */
export function installGlobals(context: Context, { host, timers, process, console, crypto, enter }: GlobalSources): { performance: object } {
  const performance = sandboxPerformance(host);
  for (const name of HOST_GLOBALS) {
    const value = (globalThis as Record<string, unknown>)[name]; // read by name; older versions of Node lack some
    if (value !== undefined) define(context, name, value);
  }
  for (const [name, value] of Object.entries(timerFunctions(timers))) define(context, name, value);
  define(context, "AbortSignal", sandboxAbortSignal(timers));
  define(context, "queueMicrotask", (callback: () => void) => queueMicrotask(() => enter(callback)));
  define(context, "fetch", bridgedFetch(host));
  define(context, "performance", performance);
  define(context, "process", process);
  define(context, "console", console);
  define(context, "crypto", crypto);
  define(context, "awslambda", { streamifyResponse });
  define(context, "global", context);
  return { performance };
}

function define(context: Context, name: string, value: unknown): void {
  Object.defineProperty(context, name, { value, configurable: true, writable: true, enumerable: false });
}

function streamifyResponse(): never {
  throw simError("SimUnsupported", "awslambda.streamifyResponse: the sandbox has not got response streaming. Return the whole response from the handler.");
}

/** `performance` on the sandbox's clock, which stands still while code runs. */
function sandboxPerformance(host: () => RuntimeHost): object {
  const timeOrigin = host().nowMs;
  const now = (): number => host().nowMs - timeOrigin;
  return {
    timeOrigin,
    now,
    mark: (name: string) => ({ name, entryType: "mark", startTime: now(), duration: 0 }),
    measure: (name: string) => ({ name, entryType: "measure", startTime: now(), duration: 0 }),
    clearMarks: () => {},
    clearMeasures: () => {},
    getEntries: () => [],
    getEntriesByName: () => [],
    getEntriesByType: () => [],
    toJSON: () => ({ timeOrigin }),
  };
}
