import { awsError, type AwsError } from "@sandstack/core";

const CLIENT_PACKAGE = "@aws-sdk/client-lambda";

/** Statuses of the codes that the SDK does not model. */
const UNMODELLED: Readonly<Record<string, number>> = { ValidationException: 400, AccessDeniedException: 403 };

export type LambdaErrorName =
  | "AccessDeniedException"
  | "InvalidParameterValueException"
  | "InvalidRequestContentException"
  | "PolicyLengthExceededException"
  | "PreconditionFailedException"
  | "RequestTooLargeException"
  | "ResourceConflictException"
  | "ResourceNotFoundException"
  | "TooManyRequestsException"
  | "ValidationException";

/** An error of Lambda's. Its body carries `Type: "User"`. */
export function lambdaError(name: LambdaErrorName, message: string, members: Record<string, unknown> = {}): AwsError {
  const isNotFound = name === "ResourceNotFoundException";
  // AWS spells the message of this one error with a capital; the SDK shows both.
  const spelled = isNotFound ? { Message: message } : {};
  return awsError(CLIENT_PACKAGE, { name, httpStatusCode: UNMODELLED[name], members: { Type: "User", ...spelled, ...members } }, message);
}

export function invalidParameter(message: string): AwsError {
  return lambdaError("InvalidParameterValueException", message);
}

/** A member outside what the API's model allows. `constraint` is AWS's own phrase: `Member must have value less than or equal to 900`. */
export function constraintViolated(member: string, value: unknown, constraint: string): AwsError {
  return lambdaError("ValidationException", `1 validation error detected: Value '${String(value)}' at '${member}' failed to satisfy constraint: ${constraint}`);
}

export function mappingNotFound(): AwsError {
  return lambdaError("ResourceNotFoundException", "The resource you requested does not exist.");
}
