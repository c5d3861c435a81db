import type { CallOptions } from "sandstack";
import type { Instance } from "../instance.js";
import { clientOf, Unavailable } from "../unavailable.js";
import type { AwsCall } from "./send.js";

type Method = (command: object, options?: CallOptions) => Promise<object>;
type Getters = Readonly<Record<string, (() => Readonly<Record<string, Method | undefined>>) | undefined>>;

/** Where the getter of a service is not named as its SDK client is. */
const getterNames: Readonly<Record<string, string>> = { cloudformation: "cloudFormation" };

export async function sendDirectly({ simAws }: Pick<Instance, "simAws">, { service, operation, input, caller, accountId, region }: AwsCall): Promise<object> {
  const scope = simAws.account(accountId).region(region) as unknown as Getters; // the file names the service
  const getterName = getterNames[service] ?? service;
  if (scope[getterName] === undefined) throw new Unavailable(service);
  const facade = scope[getterName]();
  const Command = clientOf(service)[`${operation}Command`] as (new (input: object) => object) | undefined; // a command's export is its class
  const method = facade[operation.charAt(0).toLowerCase() + operation.slice(1)];
  if (Command === undefined || method === undefined) throw new TypeError(`@aws-sdk/client-${service} has no command ${operation}.`);
  return method.call(facade, new Command(input), { caller });
}
