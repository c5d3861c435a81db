import { findPeer } from "@sandstack/core";
import { moduleNotFound } from "./modules.js";

/** What the SDK clients in an environment are given unless the code says otherwise. */
export interface ClientDefaults {
  readonly region: string | undefined;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string | undefined };
  /** Always the sandbox's: there is nothing else to reach. */
  readonly requestHandler: unknown;
}

/**
 * What clients would look up in the shared configuration files and the variables of the host, neither of which is the function's: the
 * defaults there are in Lambda. Reading files, they would also take more turns at their first call than later.
 */
const LAMBDA_DEFAULTS = {
  maxAttempts: 3,
  retryMode: "standard",
  defaultsMode: "legacy",
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  authSchemePreference: async () => [],
  userAgentAppId: async () => undefined,
  ignoreConfiguredEndpointUrls: true,
  disableClockSkewCorrection: true,
  // SQS clients would go by the host of a queue's URL, and warn where it is another than their region's. All hosts lead to the sandbox.
  useQueueUrlAsEndpoint: false,
};

/** The packages that Lambda's Node.js runtimes bring along. */
const PROVIDED = /^@(aws-sdk|smithy)\//;
const CLIENT_PACKAGE = /^@aws-sdk\/client-[^/]+$/;

/**
 * The runtime-provided SDK: the host's packages, with client classes that reach the sandbox as whoever the environment's variables say.
 *
 * @param defaults read anew by each client that is made
 */
export function createSdkPackages(defaults: () => ClientDefaults): (specifier: string) => unknown {
  const provided = new Map<string, unknown>();
  return (specifier) => {
    if (!PROVIDED.test(specifier)) return undefined;
    let found = provided.get(specifier);
    if (found === undefined) provided.set(specifier, (found = load(specifier, defaults)));
    return found;
  };
}

function load(specifier: string, defaults: () => ClientDefaults): unknown {
  const found = findPeer(specifier);
  if (found === undefined) {
    const packageName = specifier.split("/").slice(0, 2).join("/");
    throw moduleNotFound(specifier, [], `\nLambda's Node.js runtime provides ${packageName}; the sandbox takes it from your project: npm install --save-dev ${packageName}`);
  }
  return CLIENT_PACKAGE.test(specifier) ? withRoutedClients(found, defaults) : found;
}

type ClientClass = new (configuration?: object) => object;

function withRoutedClients(sdk: Readonly<Record<string, unknown>>, defaults: () => ClientDefaults): object {
  const routed: Record<string, unknown> = {};
  for (const [name, exported] of Object.entries(sdk)) routed[name] = isClientClass(name, exported) ? routedClient(exported, name, defaults) : exported;
  return routed;
}

/** `SQSClient` and the aggregated `SQS`: classes that send commands. */
function isClientClass(name: string, exported: unknown): exported is ClientClass {
  if (typeof exported !== "function" || name === "__Client") return false;
  const prototype = exported.prototype as { send?: unknown } | undefined; // arrow functions have none
  return typeof prototype?.send === "function";
}

function routedClient(Client: ClientClass, name: string, defaults: () => ClientDefaults): ClientClass {
  const Routed = class extends Client {
    constructor(configuration: object = {}) {
      const { requestHandler, ...others } = defaults();
      super({ ...LAMBDA_DEFAULTS, ...others, ...configuration, requestHandler });
    }
  };
  return Object.defineProperty(Routed, "name", { value: name });
}
