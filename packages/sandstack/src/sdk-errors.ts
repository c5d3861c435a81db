import { types } from "node:util";
import { awsError, findPeer, isAwsError, type AwsError } from "@sandstack/core";

/** An exception class of an SDK client, for `instanceof` and for tests' matchers. */
export interface SdkErrorClass {
  /** The error as the sandbox throws it. */
  new (message?: string): AwsError;
  readonly prototype: AwsError;
}

/**
 * An exception class of AWS's SDK without the SDK's import: `error instanceof sdkErrorClass("sqs", "QueueDoesNotExist")` holds for
 * what the sandbox throws and for what a real client throws. The client is loaded when the class is first put to use, not before;
 * where it is not installed, the error's name decides.
 *
 * @param service the SDK's name: `sqs` of `@aws-sdk/client-sqs`
 * @param name the exception's name in the SDK: `NoSuchEntityException`
 * @param className how the class is shown. Default: `Sim`, the service, the exception's name
 */
export function sdkErrorClass(service: string, name: string, className = `Sim${service.charAt(0).toUpperCase()}${service.slice(1)}${name}`): SdkErrorClass {
  const clientPackage = `@aws-sdk/client-${service}`;
  class SimSdkError extends Error {
    constructor(message = "") {
      super(message);
      return awsError(clientPackage, { name }, message);
    }

    static override [Symbol.hasInstance](value: unknown): boolean {
      // Errors of another realm, as inside jest, are no instances of this one's `Error`.
      if (!types.isNativeError(value) || value.name !== name) return false;
      const sdkClass = classOf(clientPackage, name);
      return sdkClass === undefined ? isAwsError(value) : value instanceof sdkClass;
    }
  }
  Object.defineProperty(SimSdkError, "name", { value: className });
  return SimSdkError as unknown as SdkErrorClass; // its constructor gives an AwsError
}

/** The SDK's class of an exception; for one the SDK does not model the client's base class; `undefined` when the client is not installed. */
function classOf(clientPackage: string, name: string): (new () => Error) | undefined {
  const client = findPeer(clientPackage);
  if (client === undefined) return undefined;
  const baseName = Object.keys(client).find((key) => key.endsWith("ServiceException") && key !== "ServiceException");
  const found = client[name] ?? (baseName === undefined ? undefined : client[baseName]);
  return typeof found === "function" ? (found as new () => Error) : undefined; // what a client exports under an exception's name is its class
}
