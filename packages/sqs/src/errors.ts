import { awsError, type AwsError, type AwsErrorShape } from "@sandstack/core";

/** The errors SQS answers here, by the names that SDK clients see. */
export type SqsErrorName =
  | "AccessDenied"
  | "BatchEntryIdsNotDistinct"
  | "BatchRequestTooLong"
  | "EmptyBatchRequest"
  | "InvalidAttributeName"
  | "InvalidAttributeValue"
  | "InvalidBatchEntryId"
  | "InvalidMessageContents"
  | "InvalidParameterValue"
  | "MissingParameter"
  | "OverLimit"
  | "PurgeQueueInProgress"
  | "QueueDeletedRecently"
  | "QueueDoesNotExist"
  | "QueueNameExists"
  | "ReceiptHandleIsInvalid"
  | "ResourceNotFoundException"
  | "TooManyEntriesInBatchRequest";

/**
 * What the SDK's model does not say. The generic errors are unmodelled: clients name them by their query code, which the
 * header `x-amzn-query-error` brings, while the JSON protocol's `__type`, which clients show as a member, is another.
 */
const UNMODELLED: { readonly [Name in SqsErrorName]?: Omit<AwsErrorShape, "name"> } = {
  AccessDenied: { httpStatusCode: 403, members: { __type: "com.amazon.coral.service#AccessDeniedException" } },
  InvalidParameterValue: { members: { __type: "com.amazon.coral.service#InvalidParameterValueException" } },
  MissingParameter: { members: { __type: "com.amazon.coral.service#MissingRequiredParameterException" } },
  // The model says 404; AWS answers 400, as recorded.
  ReceiptHandleIsInvalid: { httpStatusCode: 400 },
};

export function sqsError(name: SqsErrorName, message: string): AwsError {
  return awsError("@aws-sdk/client-sqs", { name, ...UNMODELLED[name] }, message);
}

export function queueDoesNotExist(): AwsError {
  return sqsError("QueueDoesNotExist", "The specified queue does not exist.");
}

export function missingParameter(name: string): AwsError {
  return sqsError("MissingParameter", `The request must contain the parameter ${name}.`);
}

/** `Value 11 for parameter MaxNumberOfMessages is invalid. Reason: …` */
export function invalidParameter(name: string, value: unknown, reason: string): AwsError {
  return sqsError("InvalidParameterValue", `Value ${String(value)} for parameter ${name} is invalid. Reason: ${reason}`);
}

export function unknownAttribute(name: string): AwsError {
  return sqsError("InvalidAttributeName", `Unknown Attribute ${name}.`);
}

export function invalidAttributeValue(name: string): AwsError {
  return sqsError("InvalidAttributeValue", `Invalid value for the parameter ${name}.`);
}

export function invalidReceiptHandle(handle: string): AwsError {
  return sqsError("ReceiptHandleIsInvalid", `The input receipt handle "${handle}" is not a valid receipt handle.`);
}

/** The characters that bodies and attribute values may hold. */
export const INVALID_CHARACTERS =
  "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF";

/** Why an action cannot be granted. AWS's text ends in a space. */
export const NO_SUCH_ACTION = "Please refer to the appropriate WSDL for a list of valid actions. ";
