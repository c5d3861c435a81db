import { SimAws } from "sandstack";
import { serveSimAws, type SimAwsServer } from "sandstack/serve";
import type { CommandIo } from "./command-io.js";
import { readServeOptions, SERVE_USAGE, type ServeCommandOptions } from "./serve-options.js";

/**
 * Starts a server and tells how to reach it.
 *
 * @param untilEnded resolves when the server is to end
 * @returns the exit code: 0 ended, 1 could not listen, 2 wrong options
 */
export async function serveCommand(argv: readonly string[], io: CommandIo, untilEnded: () => Promise<void>): Promise<number> {
  let options: ServeCommandOptions | "help";
  try {
    options = readServeOptions(argv);
  } catch (error) {
    io.err(`${(error as Error).message}\n\n${SERVE_USAGE}`);
    return 2;
  }
  if (options === "help") {
    io.out(SERVE_USAGE);
    return 0;
  }
  const { port, host, account, region, auth, iam, clock } = options;
  const simAws = new SimAws({ defaultAccountId: account, defaultRegionName: region, iam, clock });
  let server: SimAwsServer;
  try {
    server = await serveSimAws({ simAws, port, host, auth });
  } catch (error) {
    io.err(`${cannotListen(error, options)}\n`);
    return 1;
  }
  io.out(greeting(server, options));
  await untilEnded();
  await server.close();
  return 0;
}

function cannotListen(error: unknown, { host, port }: ServeCommandOptions): string {
  const { code, message } = error as { code?: string; message: string }; // the host's errors carry a code
  if (code === "EADDRINUSE") return `The port ${String(port)} of ${host} is taken. Choose another with --port, or 0 for any that is free.`;
  return `Could not listen on ${host}: ${message}`;
}

function greeting(server: SimAwsServer, { account, region, auth, clock }: ServeCommandOptions): string {
  // Without checks any key will do; these are what users of other simulators have in their configuration.
  const { accessKeyId, secretAccessKey } = auth === "off" ? { accessKeyId: "test", secretAccessKey: "test" } : server.simAws.sdkConfig().credentials;
  const variables = {
    AWS_ENDPOINT_URL: server.url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${value}`);
  return `Sandstack answers on ${server.url}: account ${account}, region ${region}, clock ${clock}, auth ${auth}. Ctrl-C ends it.\n\n${lines.join("\n")}\n`;
}
