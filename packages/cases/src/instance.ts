import { SimAws, type Caller } from "sandstack";
import { serveSimAws, type SimAwsServer } from "sandstack/serve";
import type { CaseSettings } from "./case.js";
import type { RecordedFunction } from "./functions.js";

export const ACCOUNT_ID = "123456789012";
export const REGION = "us-east-1";

/** A client of the SDK, whichever service it is of. */
export interface SdkClient {
  send(command: object): Promise<object>;
  destroy(): void;
}

/** One simulator of a case, with what the case has made in it. */
export interface Instance {
  readonly simAws: SimAws;
  readonly functions: Map<string, RecordedFunction>;
  /** Users and roles made by `principal` steps, as callers. */
  readonly principals: Map<string, Caller>;
  /** SDK clients in use, by what they were made for: making one takes longer than a call. */
  readonly clients: Map<string, SdkClient>;
  /** The HTTP endpoint, once a step has asked for it. */
  server: Promise<SimAwsServer> | undefined;
}

export function makeInstance(settings: CaseSettings): Instance {
  const simAws = new SimAws({
    defaultAccountId: ACCOUNT_ID,
    defaultRegionName: REGION,
    iam: settings.iam ?? "off",
    ...(settings.startAt === undefined ? {} : { startTime: new Date(settings.startAt) }),
  });
  return { simAws, functions: new Map(), principals: new Map(), clients: new Map(), server: undefined };
}

/** The URL of the HTTP endpoint of a simulator, which is started on first use. */
export async function endpointOf(instance: Instance): Promise<string> {
  instance.server ??= serveSimAws({ simAws: instance.simAws, port: 0 });
  return (await instance.server).url;
}

/** Empties a simulator. */
export function resetInstance(instance: Instance): void {
  const { simAws, functions, principals } = instance;
  simAws.reset();
  destroyClients(instance);
  functions.clear();
  principals.clear();
}

/** Ends what a simulator keeps open. */
export async function closeInstance(instance: Instance): Promise<void> {
  destroyClients(instance);
  await (await instance.server)?.close();
}

function destroyClients({ clients }: Instance): void {
  for (const client of clients.values()) client.destroy();
  clients.clear();
}
