import { checkOptions, findPeer, invoke, isPlainObject, memberNames, shown, simError, type CallOptions, type InputOf, type OperationName, type OutputOf, type Scope, type ServiceId, type World } from "@sandstack/core";

/** The SDK's command object, or anything with its `input`. */
export interface CommandLike<Input> {
  readonly input: Input;
}

/** A service called directly: one method for each operation, named as the SDK's aggregated client names it. */
export type ServiceFacade<Id extends ServiceId> = {
  readonly [Name in OperationName<Id> as Uncapitalize<Name>]: (command: CommandLike<InputOf<Id, Name>>, options?: CallOptions) => Promise<OutputOf<Id, Name>>;
};

const CALL_OPTIONS = memberNames<CallOptions>({ caller: true, sourceArn: true, sourceAccount: true });

/** The error of an operation that is given its input by itself, or nothing. */
export function noCommand(serviceId: string, operationName: string, given: unknown): Error {
  const example = isPlainObject(given) ? `new ${operationName}Command(${shown(given)})` : `new ${operationName}Command({ … })`;
  return simError("SimNoCommand", `${serviceId}:${operationName} takes the SDK's command, ${example}, or an object with its input, { input: { … } }; it was given ${shown(given)}.`);
}

/** Makes the direct calls of one service in one scope. */
export function serviceFacade<Id extends ServiceId>(world: World, scope: Scope, serviceId: Id): ServiceFacade<Id> {
  const service = world.services.get(serviceId);
  const methods: Record<string, unknown> = Object.create(refusals(serviceId, [...(service?.operations.keys() ?? [])]));
  for (const operationName of service?.operations.keys() ?? []) {
    methods[lowerFirst(operationName)] = async (command: CommandLike<unknown>, options?: CallOptions) => {
      if (typeof command?.input !== "object" || command.input === null) throw noCommand(serviceId, operationName, command);
      if (options !== undefined) checkOptions(`A call of ${serviceId}:${operationName}`, options, CALL_OPTIONS);
      return invoke(world, scope, serviceId, operationName, command.input, options);
    };
  }
  return methods as ServiceFacade<Id>; // one method for each operation was just made
}

/** Answers the methods of operations that AWS has and the sandbox lacks with an error that names what there is. */
function refusals(serviceId: string, operationNames: readonly string[]): object {
  return new Proxy(Object.prototype, {
    get(target, property, receiver) {
      if (typeof property !== "string" || !isOperationOfAws(serviceId, property)) return Reflect.get(target, property, receiver);
      return async () => {
        throw simError("SimUnsupported", `The sandbox has not got ${serviceId}:${upperFirst(property)}. The operations of ${serviceId} it has: ${[...operationNames].sort().join(", ")}.`);
      };
    },
  });
}

function isOperationOfAws(serviceId: string, method: string): boolean {
  // Only a lower-case word can be an operation's method; whoever asks for `then` or `toJSON` loads no client.
  if (!/^[a-z]+[A-Z]\w+$/.test(method) || method === "toJSON" || method === "asymmetricMatch") return false;
  return findPeer(`@aws-sdk/client-${serviceId}`)?.[`${upperFirst(method)}Command`] !== undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
