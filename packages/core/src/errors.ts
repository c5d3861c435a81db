import { findPeer } from "./peer.js";

const AWS_ERROR = Symbol.for("sandstack.aws-error");
const SIM_ERROR = Symbol.for("sandstack.error");

/** What an AWS error says, apart from its message. */
export interface AwsErrorShape {
  /** AWS's name for it, as SDK clients see it in `error.name`: `QueueDoesNotExist`. */
  readonly name: string;
  /** Whose mistake it was. Default: the SDK's model of the error, else `client`. */
  readonly fault?: "client" | "server";
  /** Default: the SDK's model of the error, else 400 for the client's mistakes, 500 for the server's. */
  readonly httpStatusCode?: number;
  /** The code older protocols use, where it differs from the name: `AWS.SimpleQueueService.NonExistentQueue`. Default: the SDK's model, else the name. */
  readonly queryCode?: string;
  /** Further members of the error's shape, such as Lambda's `Type`. */
  readonly members?: Record<string, unknown>;
}

/** An error as AWS answers it. Where the SDK is installed its class is the SDK's own: the error's, or for an unmodelled one the client's base exception. */
export interface AwsError extends Error {
  readonly $fault: "client" | "server";
  readonly $metadata: { httpStatusCode: number; requestId?: string; attempts?: number; totalRetryDelay?: number };
  /** The code of the Query protocol, as the SDK shows it. */
  readonly Code: string;
}

/** Makes AWS's error `shape` of the service whose SDK client is `clientPackage` (`@aws-sdk/client-sqs`). */
export function awsError(clientPackage: string, shape: AwsErrorShape, message: string): AwsError {
  const model = sdkErrorModel(clientPackage, shape.name);
  const fault = shape.fault ?? model?.fault ?? "client";
  const httpStatusCode = shape.httpStatusCode ?? model?.httpStatusCode ?? (fault === "client" ? 400 : 500);
  const $metadata = { httpStatusCode, attempts: 1, totalRetryDelay: 0 };
  const ErrorClass = model?.ErrorClass;
  const error = ErrorClass
    ? new ErrorClass({ name: shape.name, message, $fault: fault, $metadata, ...shape.members })
    : Object.assign(new Error(message), { $fault: fault, $metadata, ...shape.members });
  Object.defineProperty(error, AWS_ERROR, { value: true });
  if (error.name !== shape.name) Object.defineProperty(error, "name", { value: shape.name, configurable: true, writable: true });
  // The class of an unmodelled error takes no members of its own.
  Object.assign(error, shape.members, { Code: shape.queryCode ?? model?.queryCode ?? shape.name });
  return error as AwsError; // all members of AwsError were just set
}

export function isAwsError(error: unknown): error is AwsError {
  return typeof error === "object" && error !== null && (error as Record<symbol, unknown>)[AWS_ERROR] === true; // any object can be asked for a brand
}

interface SdkErrorModel {
  readonly ErrorClass: (new (options: Record<string, unknown>) => Error) | undefined;
  readonly fault: "client" | "server" | undefined;
  readonly httpStatusCode: number | undefined;
  readonly queryCode: string | undefined;
}

/** The traits of an error in the schemas that SDK clients export (`QueueDoesNotExist$`). */
interface ErrorTraits {
  error?: "client" | "server";
  httpError?: number;
  awsQueryError?: [code: string, httpStatusCode: number];
}

const modelsByPackage = new Map<string, Map<string, SdkErrorModel | undefined>>();

function sdkErrorModel(clientPackage: string, name: string): SdkErrorModel | undefined {
  let models = modelsByPackage.get(clientPackage);
  if (models === undefined) modelsByPackage.set(clientPackage, (models = new Map()));
  if (!models.has(name)) models.set(name, readSdkErrorModel(clientPackage, name));
  return models.get(name);
}

function readSdkErrorModel(clientPackage: string, name: string): SdkErrorModel | undefined {
  const client = findPeer(clientPackage);
  if (client === undefined) return undefined;
  const schema = client[`${name}$`];
  const traits: ErrorTraits | undefined = Array.isArray(schema) ? schema[3] : undefined;
  const baseName = Object.keys(client).find((key) => key.endsWith("ServiceException") && key !== "ServiceException");
  const ErrorClass = client[name] ?? (baseName === undefined ? undefined : client[baseName]);
  return {
    ErrorClass: typeof ErrorClass === "function" ? (ErrorClass as SdkErrorModel["ErrorClass"]) : undefined, // an exported function of an error's name is its class
    fault: traits?.error,
    httpStatusCode: traits?.httpError,
    queryCode: traits?.awsQueryError?.[0],
  };
}

/** An error of the sandbox's own, never AWS's: it says what was asked, what there is and what to do. */
export function simError(name: `Sim${string}`, message: string): Error {
  const error = new Error(message);
  Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
  Object.defineProperty(error, SIM_ERROR, { value: true });
  return error;
}

/** True for the sandbox's own errors (missing peer, unsupported operation, runaway work). */
export function isSimError(error: unknown): error is Error {
  return typeof error === "object" && error !== null && (error as Record<symbol, unknown>)[SIM_ERROR] === true; // as above
}
