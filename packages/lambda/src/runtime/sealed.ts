import { simError } from "@sandstack/core";

/** Says that code tried to leave the sandbox. `what` is what it called: `net.connect`. */
export function sealedError(what: string): Error {
  return simError(
    "SimSealed",
    `${what}: the sandbox is sealed, and a function's code cannot reach the network or start processes. ` +
      "AWS services are reached through the runtime-provided @aws-sdk packages (leave them out of the bundle); replace other calls in a handler that runs in process.",
  );
}

/** A copy of a module of Node's in which the named functions refuse. */
export function sealed(moduleName: string, real: object, refused: readonly string[]): object {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(real)) as Record<string, unknown>; // of whatever members
  for (const name of refused) {
    if (!(name in real)) continue;
    const refuse = (): never => {
      throw sealedError(`${moduleName}.${name}`);
    };
    Object.defineProperty(copy, name, { value: refuse, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** The functions of Node's modules that reach out of the process. */
export const REACHING_OUT: Readonly<Record<string, readonly string[]>> = {
  http: ["request", "get", "createServer"],
  https: ["request", "get", "createServer"],
  http2: ["connect", "createServer", "createSecureServer"],
  net: ["connect", "createConnection", "createServer"],
  tls: ["connect", "createServer"],
  dgram: ["createSocket"],
  dns: ["lookup", "resolve", "resolve4", "resolve6", "resolveAny", "resolveCname", "resolveMx", "resolveNs", "resolveSrv", "resolveTxt", "reverse"],
  "dns/promises": ["lookup", "resolve", "resolve4", "resolve6", "resolveAny", "resolveCname", "resolveMx", "resolveNs", "resolveSrv", "resolveTxt", "reverse"],
  child_process: ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"],
  cluster: ["fork"],
  worker_threads: ["Worker"],
};
