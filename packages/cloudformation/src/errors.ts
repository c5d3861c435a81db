import { awsError, type AwsError } from "@sandstack/core";

const CLIENT = "@aws-sdk/client-cloudformation";

/** AWS's error `name` of CloudFormation; status and class come from the SDK's model. */
export function cloudFormationError(name: string, message: string): AwsError {
  return awsError(CLIENT, { name }, message);
}

/** `ValidationError` (400): CloudFormation's answer to nearly everything that is wrong with a request. The SDK does not model it. */
export function validationError(message: string): AwsError {
  return awsError(CLIENT, { name: "ValidationError", httpStatusCode: 400 }, message);
}

export function templateFormatError(message: string): AwsError {
  return validationError(`Template format error: ${message}`);
}

export function templateError(message: string): AwsError {
  return validationError(`Template error: ${message}`);
}

/** The message of a member that breaks a length, range or pattern of the API's model. */
export function constraintError(member: string, value: string, constraint: string): AwsError {
  return validationError(`1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: ${constraint}`);
}

/** @throws ValidationError for a value that is none of its member's */
export function checkEnum(member: string, value: string | undefined, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value)) throw constraintError(member, value, `Member must satisfy enum value set: [${allowed.join(", ")}]`);
}

export function stackNotFound(stackName: string): AwsError {
  return validationError(`Stack with id ${stackName} does not exist`);
}
