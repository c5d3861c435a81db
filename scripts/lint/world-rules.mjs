// The tables behind the lint rules: who may touch the host, and who may know whom. Paths are relative to the repository's root.

/** What of the host there is to touch: globals, members of globals, and Node's modules. */
export const HOST = {
  time: {
    globals: ["performance"],
    members: ["Date.now", "process.hrtime", "process.uptime"],
    modules: ["perf_hooks"],
    instead: "the world's time is `ctx.nowMs`",
  },
  timers: {
    globals: ["setTimeout", "setInterval", "setImmediate"],
    members: [],
    modules: ["timers", "timers/promises"],
    instead: "what falls due later is a task: `ctx.schedule`",
  },
  chance: {
    globals: [],
    members: ["Math.random", "crypto.randomUUID", "crypto.getRandomValues"],
    modules: [],
    imports: { crypto: ["randomUUID", "randomBytes", "randomInt", "randomFill", "randomFillSync", "getRandomValues", "webcrypto", "generateKeyPairSync", "generateKeySync"] },
    instead: "ids and chance are drawn from `ctx.random`",
  },
  console: { globals: ["console"], members: [], modules: ["console"], instead: "what a user should see is a record: `ctx.record`" },
  environment: { globals: [], members: ["process.env", "process.argv", "process.cwd", "process.stdout", "process.stderr"], modules: ["process", "os"], instead: "options come in through the public package" },
  files: { globals: [], members: [], modules: ["fs", "fs/promises"], instead: "the world reads and writes no files" },
  network: { globals: ["fetch", "WebSocket", "XMLHttpRequest"], members: [], modules: ["net", "http", "https", "http2", "tls", "dgram", "dns", "dns/promises"], instead: "the world is sealed: no network" },
  processes: { globals: [], members: [], modules: ["child_process", "cluster", "worker_threads"], instead: "the world lives in one thread" },
};

const EVERYTHING = Object.keys(HOST);

/** The shell: the files below `packages/<name>/src` that may touch the host, each with what it needs. A path that ends in `/` stands for all below it. */
export const SHELL = [
  { path: "packages/core/src/host.ts", may: ["time", "timers"] },
  { path: "packages/protocol/src/http-server.ts", may: ["network", "time", "timers"] },
  { path: "packages/cdk/src/", may: ["files"] },
  // A function's console is Node's own, writing to the function's log.
  { path: "packages/lambda/src/runtime/console.ts", may: ["console"] },
  // `deployTemplateFile` reads a template.
  { path: "packages/sandstack/src/sim-cloudformation.ts", may: ["files"] },
  { path: "packages/sandstack/src/serve.ts", may: ["network", "environment"] },
  // An intercepted client's credentials may stand in the environment, where the SDK looks for them.
  { path: "packages/sandstack/src/sim-sdk.ts", may: ["environment"] },
  { path: "packages/cli/src/", may: EVERYTHING },
  { path: "packages/cases/src/", may: EVERYTHING },
];

const SERVICES = ["iam", "sqs", "sns", "s3", "lambda", "cloudformation"];

/** Which workspaces the sources of each may import. */
export const KNOWS = {
  "packages/core": [],
  "packages/protocol": ["core"],
  ...Object.fromEntries(SERVICES.map((service) => [`packages/${service}`, ["core"]])),
  "packages/cdk": ["core", "cloudformation"],
  "packages/sandstack": ["core", "protocol", "cdk", ...SERVICES],
  "packages/jest": ["sandstack"],
  "packages/cli": ["sandstack"],
  "packages/cases": ["sandstack"],
  examples: ["sandstack"],
  bench: ["sandstack"],
};

/** Whose types every service may import, with `import type`. */
export const TYPES_FOR_SERVICES = SERVICES;

/** Workspaces that are run, not imported: they may load what is an optional peer of the published package. */
export const LOADS_PEERS = ["packages/cases", "packages/cli", "examples", "bench"];
