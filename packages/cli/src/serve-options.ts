import { parseArgs } from "node:util";

export const SERVE_USAGE = `Serves a sealed AWS over HTTP: any AWS SDK, the aws CLI and boto3 work with its endpoint alone.

Usage: sandstack serve [options]

  --port NUMBER        default 4566, or any that is free where that is taken; 0: any that is free
  --host ADDRESS       default 127.0.0.1: nobody but this machine
  --account ID         the account of requests that name none, default 000000000000
  --region NAME        the region of requests that name none, default us-east-1
  --auth off|strict    off: any access key is accepted; strict: signatures are checked as AWS does. Default off
  --iam enforce|off    off: nothing is denied. Default enforce
  --clock live|manual  manual: time stands until POST /_sandstack/clock moves it. Default live

Ctrl-C ends it. The exit code is 2 when the options are wrong.
`;

export interface ServeCommandOptions {
  readonly port: number | undefined;
  readonly host: string;
  readonly account: string;
  readonly region: string;
  readonly auth: "off" | "strict";
  readonly iam: "enforce" | "off";
  readonly clock: "live" | "manual";
}

const MAX_PORT = 65_535;

/** @throws Error saying what is wrong with the options */
export function readServeOptions(argv: readonly string[]): ServeCommandOptions | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: "string" },
      host: { type: "string", default: "127.0.0.1" },
      account: { type: "string", default: "000000000000" },
      region: { type: "string", default: "us-east-1" },
      auth: { type: "string", default: "off" },
      iam: { type: "string", default: "enforce" },
      clock: { type: "string", default: "live" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (!/^\d{12}$/.test(values.account)) throw new Error(`--account takes twelve digits, not "${values.account}".`);
  if (!/^[a-z]{2}(-[a-z]+)+-\d+$/.test(values.region)) throw new Error(`--region takes a region's name such as eu-west-1, not "${values.region}".`);
  if (values.host === "") throw new Error("--host takes an address or a name.");
  return {
    port: values.port === undefined ? undefined : readPort(values.port),
    host: values.host,
    account: values.account,
    region: values.region,
    auth: oneOf("--auth", values.auth, ["off", "strict"]),
    iam: oneOf("--iam", values.iam, ["enforce", "off"]),
    clock: oneOf("--clock", values.clock, ["live", "manual"]),
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > MAX_PORT) throw new Error(`--port takes a number from 0 to ${MAX_PORT}, not "${text}".`);
  return port;
}

function oneOf<Value extends string>(option: string, given: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === given);
  if (found === undefined) throw new Error(`${option} takes ${values.join(" or ")}, not "${given}".`);
  return found;
}
