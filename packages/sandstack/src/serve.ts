import { checkChoice, checkOptions, invalidOption, memberNames } from "@sandstack/core";
import { startHttpServer, type HttpServer } from "@sandstack/protocol/http-server";
import { SimAws, worldOf } from "./sim-aws.js";

export interface ServeOptions {
  /** The world that answers. Default: a new one whose clock runs with the host's. */
  readonly simAws?: SimAws;
  /** Default: 4566, or any that is free where that is taken. 0: any that is free. */
  readonly port?: number;
  /** The address to listen on. Default `"127.0.0.1"`: nobody but this machine. */
  readonly host?: string;
  /**
   * `"off"` (default): any access key is accepted, one of twelve digits names an account, and the keys that the sandbox gave out are
   * whose they are. `"strict"`: signatures are checked as AWS does, and other keys are refused.
   */
  readonly auth?: "off" | "strict";
}

/** A server that answers the AWS protocols. */
export interface SimAwsServer extends HttpServer {
  readonly simAws: SimAws;
  [Symbol.asyncDispose](): Promise<void>;
}

const OPTIONS = memberNames<ServeOptions>({ simAws: true, port: true, host: true, auth: true });
const DEFAULT_PORT = 4566;
const MAX_PORT = 65_535;

/**
 * Serves a world over HTTP: any AWS SDK, the aws CLI and boto3 work with `endpoint_url` alone.
 *
 * @throws the host's `EADDRINUSE` when the port that was asked for is taken
 * @throws SimInvalidOption
 */
export async function serveSimAws(options: ServeOptions = {}): Promise<SimAwsServer> {
  checkServeOptions(options);
  const { simAws = new SimAws({ clock: "live" }), port, host = "127.0.0.1", auth = "off" } = options;
  const world = worldOf(simAws);
  const scope = { accountId: simAws.defaultAccountId, region: simAws.defaultRegionName };
  const start = (onPort: number): Promise<HttpServer> => startHttpServer(world, { scope, host, port: onPort, auth });
  const server = await start(port ?? DEFAULT_PORT).catch((error: unknown) => {
    if (port === undefined && (error as { code?: unknown }).code === "EADDRINUSE") return start(0); // the host's errors carry a code
    throw error;
  });
  return { ...server, simAws, [Symbol.asyncDispose]: () => server.close() };
}

function checkServeOptions(options: ServeOptions): void {
  checkOptions("serveSimAws()", options, OPTIONS);
  const { port, host, auth } = options;
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= MAX_PORT)) throw invalidOption("port", `a whole number from 0 to ${MAX_PORT}`, port);
  if (host !== undefined && (typeof host !== "string" || host === "")) throw invalidOption("host", "an address or a name", host);
  checkChoice("auth", auth, ["off", "strict"]);
}
