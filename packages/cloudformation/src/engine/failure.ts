import { types } from "node:util";
import { isAwsError, uuid, type AwsError, type RandomState } from "@sandstack/core";
import type { StackResource } from "../state.js";
import { serviceThatFailed } from "./resource-context.js";
import { madeFromSkipped } from "./stand-ins.js";

/** Why a resource failed: the error itself, and AWS's text for the event. */
export interface ResourceFailure {
  readonly logicalId: string;
  readonly error: Error;
  readonly reason: string;
}

export interface FailedResource {
  readonly stackName: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of the properties that are made from stand-ins, the skipped resources that these are for. */
  readonly skipped?: ReadonlyMap<string, readonly StackResource[]>;
}

/** Takes up what a resource's function threw. The error stays the same object; its message is completed with where it happened. */
export function resourceFailure(thrown: unknown, resource: FailedResource, random: RandomState): ResourceFailure {
  const error = types.isNativeError(thrown) ? thrown : new Error(String(thrown));
  const reason = reasonOf(error, random);
  completeMessage(error, resource);
  return { logicalId: resource.logicalId, error, reason };
}

/** The handler's error codes (CloudFormation CLI, Handler error codes) of the errors that services answer. */
const HANDLER_ERROR_CODES: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/AlreadyExists|NameExists|ResourceConflict|EntityAlreadyExists|ResourceInUse/, "AlreadyExists"],
  [/NotFound|DoesNotExist|NoSuchEntity|NonExistent/, "NotFound"],
  [/AccessDenied|Unauthorized/, "AccessDenied"],
  [/Throttl|TooManyRequests/, "Throttling"],
  [/LimitExceeded/, "ServiceLimitExceeded"],
  [/Invalid|Validation|Malformed|Unsupported/, "InvalidRequest"],
];

/** The event's reason: AWS passes on what the resource's handler says, or a service said to the handler, inside its own sentence. */
function reasonOf(error: Error, random: RandomState): string {
  const service = serviceThatFailed(error);
  // A ValidationError of no service is CloudFormation's own word: it is about the template.
  if (!isAwsError(error) || (service === undefined && error.name === "ValidationError")) return error.message;
  const said = service === undefined ? error.message : saidBy(service, error, random);
  return `Resource handler returned message: "${said}" (RequestToken: ${uuid(random)}, HandlerErrorCode: ${handlerErrorCodeOf(error)})`;
}

function saidBy(service: string, error: AwsError, random: RandomState): string {
  const { httpStatusCode, requestId } = error.$metadata;
  return `${error.message} (Service: ${service.charAt(0).toUpperCase()}${service.slice(1)}, Status Code: ${httpStatusCode}, Request ID: ${requestId ?? uuid(random)})`;
}

function handlerErrorCodeOf(error: Error): string {
  return HANDLER_ERROR_CODES.find(([pattern]) => pattern.test(error.name))?.[1] ?? "GeneralServiceException";
}

/** What can come of a value that is only a stand-in. */
const WRONG_VALUE_CODES = ["NotFound", "InvalidRequest", "GeneralServiceException"];

function completeMessage(error: Error, { stackName, logicalId, type, properties, skipped }: FailedResource): void {
  // The property that the service speaks of, where it names one that the template sets.
  const words = error.message.split(/\W+/);
  const property = Object.keys(properties).find((name) => words.includes(name));
  const path = property === undefined ? "" : `, property ${property}`;
  const isWrongValue = property !== undefined || WRONG_VALUE_CODES.includes(handlerErrorCodeOf(error));
  const suspects = isWrongValue ? [...(skipped ?? [])].filter(([name]) => property === undefined || name === property) : [];
  const sources = suspects.map(([name, resources]) => ` ${madeFromSkipped(`Its ${name}`, resources)}`);
  error.message = `${error.message} (resource ${logicalId} of type ${type}${path}, stack ${stackName})${sources.length === 0 ? "" : `.${sources.join("")}`}`;
}
