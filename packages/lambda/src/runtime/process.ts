import { EventEmitter } from "node:events";
import { Writable } from "node:stream";
import { runtimeError } from "./failure.js";
import type { RuntimeHost } from "./runtime-host.js";

export const TASK_ROOT = "/var/task";

export interface ProcessOptions {
  /** The environment's own variables; the code may change them. */
  readonly env: Record<string, string>;
  readonly host: () => RuntimeHost;
  /** The request that is being served, for the texts of errors; empty while the code is loaded. */
  readonly requestId: () => string;
  /** Calls a callback and sees to what it throws. */
  readonly enter: (callback: () => void) => void;
}

/** A `process` for one environment: its own variables, the sandbox's time, and an `exit` that ends the environment alone. */
export function createProcess({ env, host, requestId, enter }: ProcessOptions): object {
  const startedAtMs = host().nowMs;
  const elapsedMs = (): number => host().nowMs - startedAtMs;
  const stdout = outputStream(host);
  const stderr = outputStream(host);
  const own = {
    env: environmentVariables(env),
    argv: ["/var/lang/bin/node", "/var/runtime/index.mjs"],
    execArgv: [],
    execPath: "/var/lang/bin/node",
    title: "node",
    pid: 8,
    ppid: 1,
    platform: "linux",
    arch: "x64",
    version: process.version,
    versions: { ...process.versions },
    release: { ...process.release },
    exitCode: undefined,
    stdout,
    stderr,
    cwd: () => TASK_ROOT,
    uptime: () => elapsedMs() / 1000,
    hrtime: Object.assign((since?: readonly [number, number]) => hrtime(elapsedMs(), since), { bigint: () => BigInt(Math.round(elapsedMs() * 1e6)) }),
    nextTick: (callback: (...args: unknown[]) => void, ...args: unknown[]) => process.nextTick(() => enter(() => callback(...args))),
    memoryUsage: Object.assign(() => process.memoryUsage(), { rss: () => process.memoryUsage.rss() }),
    cpuUsage: () => ({ user: 0, system: 0 }),
    emitWarning: (warning: unknown) => host().write("WARN", String(warning)),
    getuid: () => 993,
    getgid: () => 990,
    umask: () => 0o022,
    exit: (code?: number) => exit(host(), requestId(), code),
    abort: () => exit(host(), requestId(), 134),
    kill: () => true,
  };
  return Object.assign(new EventEmitter(), own);
}

/** Variables as a process has them: each value is a text. */
function environmentVariables(env: Record<string, string>): Record<string, string> {
  return new Proxy(env, {
    set: (target, name, value) => Reflect.set(target, name, String(value)),
    defineProperty: (target, name, descriptor) => Reflect.defineProperty(target, name, "value" in descriptor ? { ...descriptor, value: String(descriptor.value) } : descriptor),
  });
}

/** Ends the invocation; the throw is to stop the code that asked for it. */
function exit(host: RuntimeHost, requestId: string, code = 0): never {
  const reason = code === 0 ? "Runtime exited without providing a reason" : `Runtime exited with error: exit status ${code}`;
  const failure = { errorType: "Runtime.ExitError", errorMessage: `RequestId: ${requestId} Error: ${reason}` };
  host.crash(failure);
  throw runtimeError(failure.errorType, failure.errorMessage);
}

function outputStream(host: () => RuntimeHost): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, written) {
      host().write(undefined, String(chunk).replace(/\n$/, ""));
      written();
    },
  });
}

function hrtime(elapsedMs: number, since: readonly [number, number] | undefined): [number, number] {
  const nanoseconds = Math.round(elapsedMs * 1e6) - (since === undefined ? 0 : since[0] * 1e9 + since[1]);
  return [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9];
}
