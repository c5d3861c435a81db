import type { Caller, SimAws } from "sandstack";
import { clientOf } from "../unavailable.js";
import type { AwsCall } from "./send.js";

interface Client {
  send(command: object): Promise<object>;
}
type ClientClass = new (config: object) => Client;
type CommandClass = new (input: object) => object;

/** `SQSClient` among a client package's exports, not the bare `__Client` of all. */
const CLIENT_EXPORT = /^[A-Z]\w+Client$/;

/** Clients warn of queue URLs with another host than their own, which cases have on purpose. */
const silentLogger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}

/** Sends a command through a real SDK client that is answered in process. */
export async function sendThroughSdk(simAws: SimAws, { service, operation, input, caller, accountId, region }: AwsCall): Promise<object> {
  const exports = clientOf(service);
  const clientName = Object.keys(exports).find((name) => CLIENT_EXPORT.test(name));
  const Client = exports[clientName ?? ""] as ClientClass; // every client package has a client
  const Command = exports[`${operation}Command`] as CommandClass | undefined; // a command's export is its class
  if (Command === undefined) throw new TypeError(`@aws-sdk/client-${service} has no command ${operation}.`);
  const config = simAws.account(accountId).region(region).sdkConfig({ caller: caller ?? rootOf(accountId) });
  return new Client({ ...config, logger: silentLogger }).send(new Command(input));
}

function rootOf(accountId: string): Caller {
  return { kind: "arn", arn: `arn:aws:iam::${accountId}:root` };
}
