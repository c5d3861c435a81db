import { createRequire } from "node:module";
import { posix } from "node:path";
import { callbackify } from "node:util";
import { nextInteger, nextUint32, uuid, type RandomState } from "@sandstack/core";
import { bridgedHttp } from "./bridged-http.js";
import type { RuntimeHost } from "./runtime-host.js";
import { TASK_ROOT } from "./process.js";
import type { Files } from "./resolve.js";
import { copyWithMembers, REACHING_OUT, sealed } from "./sealed.js";
import { timerFunctions, timerPromises, type SandboxTimers } from "./timers.js";

const hostRequire = createRequire(import.meta.url);

export interface BuiltinSources {
  readonly host: () => RuntimeHost;
  readonly timers: SandboxTimers;
  readonly files: Files;
  readonly process: object;
  readonly console: object;
  readonly performance: object;
  readonly createRequire: (filename: string | URL) => unknown;
  /** Calls a callback and sees to what it throws. */
  readonly enter: (callback: () => void) => void;
}

/** Node's own modules as an environment's code gets them: real, with the sandbox's time and chance, and sealed. Each is made once. */
export function createBuiltins(sources: BuiltinSources): (name: string) => unknown {
  const made = new Map<string, unknown>();
  const overrides = overridesOf(sources);
  return (name) => {
    if (!made.has(name)) {
      const refused = REACHING_OUT[name];
      const own = overrides[name]?.() ?? hostRequire(`node:${name}`);
      made.set(name, refused === undefined ? own : sealed(name, own as object, refused)); // modules that reach out are objects
    }
    return made.get(name);
  };
}

function overridesOf({ host, timers, files, process, console, performance, createRequire, enter }: BuiltinSources): Readonly<Record<string, () => unknown>> {
  const random = (): RandomState => host().random;
  return {
    process: () => process,
    console: () => console,
    timers: () => ({ ...timerFunctions(timers), promises: timerPromises(timers) }),
    "timers/promises": () => timerPromises(timers),
    perf_hooks: () => copyWith("perf_hooks", { performance }),
    module: () => Object.assign(function Module() {}, hostRequire("node:module"), { createRequire }),
    crypto: () => copyWith("crypto", { ...seededCrypto(random, enter), webcrypto: seededWebCrypto(random) }),
    http: () => copyWith("http", bridgedHttp(host, "http:")),
    https: () => copyWith("https", bridgedHttp(host, "https:")),
    fs: () => archiveFs(files, enter),
    "fs/promises": () => (archiveFs(files, enter) as { promises: unknown }).promises, // made with it
  };
}

function copyWith(name: string, members: Readonly<Record<string, unknown>>): object {
  return copyWithMembers(hostRequire(`node:${name}`) as object, members); // Node's modules are objects
}

/** The parts of `node:crypto` that draw at random, from the world's seed. */
function seededCrypto(random: () => RandomState, enter: BuiltinSources["enter"]): Record<string, unknown> {
  const randomBytes = (size: number, callback?: (error: null, bytes: Buffer) => void): Buffer | undefined => {
    const bytes = fill(Buffer.alloc(size), random());
    if (callback === undefined) return bytes;
    queueMicrotask(() => enter(() => callback(null, bytes)));
    return undefined;
  };
  return {
    randomUUID: () => uuid(random()),
    randomBytes,
    pseudoRandomBytes: randomBytes,
    randomFillSync: (target: Uint8Array) => fill(target, random()),
    randomInt: (first: number, second?: number | ((error: null, value: number) => void)) => {
      const [least, below] = typeof second === "number" ? [first, second] : [0, first];
      return least + nextInteger(random(), below - least);
    },
  };
}

/** The `crypto` global, whose chance is the world's. */
export function seededWebCrypto(random: () => RandomState): object {
  const getRandomValues = <T extends ArrayBufferView>(target: T): T => {
    fill(new Uint8Array(target.buffer, target.byteOffset, target.byteLength), random());
    return target;
  };
  const { subtle } = (hostRequire("node:crypto") as typeof import("node:crypto")).webcrypto; // the module's own type
  return { subtle, getRandomValues, randomUUID: () => uuid(random()) };
}

function fill<T extends Uint8Array>(bytes: T, random: RandomState): T {
  for (let at = 0; at < bytes.length; at++) bytes[at] = nextUint32(random) & 255;
  return bytes;
}

/** `node:fs` in which the archive's files lie at /var/task; everything else is the host's. */
function archiveFs(files: Files, enter: BuiltinSources["enter"]): object {
  const real = hostRequire("node:fs") as typeof import("node:fs"); // the module's own type
  const bytesOf = (path: unknown): Uint8Array | undefined => files[posix.relative(TASK_ROOT, posix.resolve(TASK_ROOT, String(path).replace(/^file:\/\//, "")))];
  const read = (path: unknown, options: unknown): string | Buffer | undefined => {
    const bytes = bytesOf(path);
    const encoding = typeof options === "string" ? options : (options as { encoding?: string } | undefined)?.encoding; // as fs takes it
    return bytes === undefined ? undefined : encoding ? Buffer.from(bytes).toString(encoding as BufferEncoding) : Buffer.from(bytes);
  };
  const readFile = async (path: never, options: never): Promise<unknown> => read(path, options) ?? real.promises.readFile(path, options);
  return copyWith("fs", {
    readFileSync: (path: never, options: never) => read(path, options) ?? real.readFileSync(path, options),
    existsSync: (path: never) => bytesOf(path) !== undefined || real.existsSync(path),
    readFile: (path: never, ...rest: never[]) => {
      const done = rest.at(-1) as unknown as (...results: unknown[]) => void; // fs takes the callback last
      callbackify(readFile)(path, (rest.length > 1 ? rest[0] : undefined) as never, (...results) => enter(() => done(...results))); // the options are passed on as they came
    },
    promises: { ...real.promises, readFile },
  });
}
