import { simError } from "@sandstack/core";

/** Says that code tried to leave the sandbox. `what` is what it called: `net.connect`. */
export function sealedError(what: string): Error {
  return simError("SimSealed", `${what}: the sandbox is sealed. A function's code reaches AWS's services in it, and no other network and no processes; replace such calls in a handler that runs in process.`);
}

/** A copy of a module of Node's in which the named functions refuse. */
export function sealed(moduleName: string, real: object, refused: readonly string[]): object {
  // A `function`, not an arrow: some are called with `new`.
  const refusal = (name: string) =>
    function refuse(): never {
      throw sealedError(`${moduleName}.${name}`);
    };
  return copyWithMembers(real, Object.fromEntries(refused.filter((name) => name in real).map((name) => [name, refusal(name)])));
}

/** A copy of an object with some members in the place of its own. */
export function copyWithMembers(real: object, members: Readonly<Record<string, unknown>>): object {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(real);
  for (const [name, value] of Object.entries(members)) descriptors[name] = { value, enumerable: true, configurable: true, writable: true };
  return Object.defineProperties({}, descriptors);
}

/** The functions of Node's modules that reach out of the process. */
export const REACHING_OUT: Readonly<Record<string, readonly string[]>> = {
  http: ["createServer"],
  https: ["createServer"],
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
