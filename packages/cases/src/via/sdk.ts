import { AwsQueryProtocol } from "@aws-sdk/core/protocols";
import type { Caller } from "sandstack";
import { endpointOf, type Instance, type SdkClient } from "../instance.js";
import { clientOf } from "../unavailable.js";
import type { AwsCall } from "./send.js";

type ClientClass = new (config: object) => SdkClient;
type CommandClass = new (input: object) => object;

/** `SQSClient` among a client package's exports, not the bare `__Client` of all. */
const CLIENT_EXPORT = /^[A-Z]\w+Client$/;

/** Sends a command through a real SDK client that is answered in process. */
export async function sendInProcess(instance: Instance, call: AwsCall): Promise<object> {
  return sendThroughClient(instance, call, () => configOf(instance, call));
}

/** Sends a command through a real SDK client to the HTTP endpoint, in the client's own protocol. */
export async function sendOverHttp(instance: Instance, call: AwsCall): Promise<object> {
  const endpoint = await endpointOf(instance);
  return sendThroughClient(instance, call, () => ({ ...signedAs(instance, call), endpoint }));
}

/** As `sendOverHttp`, with SQS called in the Query protocol that older clients speak. */
export async function sendOverQuery(instance: Instance, call: AwsCall): Promise<object> {
  if (call.service !== "sqs") return sendOverHttp(instance, call);
  const endpoint = await endpointOf(instance);
  return sendThroughClient(instance, { ...call, input: withOneAttributeList(call.input) }, () => ({ ...signedAs(instance, call), endpoint, ...sqsQueryProtocol }));
}

/** The Query protocol has one name, `AttributeName`, for the two lists of a receive. */
function withOneAttributeList(input: { AttributeNames?: readonly string[]; MessageSystemAttributeNames?: readonly string[] }): object {
  const { AttributeNames, MessageSystemAttributeNames, ...others } = input;
  if (AttributeNames === undefined || MessageSystemAttributeNames === undefined) return input;
  return { ...others, AttributeNames: [...new Set([...AttributeNames, ...MessageSystemAttributeNames])] };
}

function configOf({ simAws }: Instance, { caller, accountId, region }: AwsCall): { region: string; credentials: object } {
  return simAws.account(accountId).region(region).sdkConfig({ caller: caller ?? rootOf(accountId) });
}

function signedAs(instance: Instance, call: AwsCall): { region: string; credentials: object } {
  const { region, credentials } = configOf(instance, call);
  return { region, credentials };
}

/** @param configure makes the config of the client, should this caller have none yet. A case's calls all go the same way. */
function sendThroughClient({ clients }: Instance, { service, operation, input, caller, accountId, region }: AwsCall, configure: () => object): Promise<object> {
  const exports = clientOf(service);
  const Command = exports[`${operation}Command`] as CommandClass | undefined; // a command's export is its class
  if (Command === undefined) throw new TypeError(`@aws-sdk/client-${service} has no command ${operation}.`);
  const key = JSON.stringify([service, accountId, region, caller]);
  let client = clients.get(key);
  if (client === undefined) {
    const clientName = Object.keys(exports).find((name) => CLIENT_EXPORT.test(name));
    const Client = exports[clientName ?? ""] as ClientClass; // every client package has a client
    clients.set(key, (client = new Client({ ...configure(), logger: silentLogger })));
  }
  return client.send(new Command(input));
}

/** SQS's client speaks JSON unless it is told otherwise. */
const sqsQueryProtocol = {
  protocol: AwsQueryProtocol,
  protocolSettings: { defaultNamespace: "com.amazonaws.sqs", xmlNamespace: "http://queue.amazonaws.com/doc/2012-11-05/", version: "2012-11-05" },
};

/** Clients warn of queue URLs with another host than their own, which cases have on purpose. */
const silentLogger = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {}

function rootOf(accountId: string): Caller {
  return { kind: "arn", arn: `arn:aws:iam::${accountId}:root` };
}
