import { sdkErrorClass } from "./sdk-errors.js";

export type { DeliveryOptions, SimSqsMessage, SqsErrorName } from "@sandstack/sqs";
export type { SimSqs } from "./sim-scope.js";

// By the names that SDK clients show. The unmodelled ones, which the SDK has no class for, are told by their name.
export const SimSqsAccessDenied = sdkErrorClass("sqs", "AccessDenied");
export const SimSqsBatchEntryIdsNotDistinct = sdkErrorClass("sqs", "BatchEntryIdsNotDistinct");
export const SimSqsBatchRequestTooLong = sdkErrorClass("sqs", "BatchRequestTooLong");
export const SimSqsEmptyBatchRequest = sdkErrorClass("sqs", "EmptyBatchRequest");
export const SimSqsInvalidAddress = sdkErrorClass("sqs", "InvalidAddress");
export const SimSqsInvalidAttributeName = sdkErrorClass("sqs", "InvalidAttributeName");
export const SimSqsInvalidAttributeValue = sdkErrorClass("sqs", "InvalidAttributeValue");
export const SimSqsInvalidBatchEntryId = sdkErrorClass("sqs", "InvalidBatchEntryId");
export const SimSqsInvalidIdFormat = sdkErrorClass("sqs", "InvalidIdFormat");
export const SimSqsInvalidMessageContents = sdkErrorClass("sqs", "InvalidMessageContents");
export const SimSqsInvalidParameterValue = sdkErrorClass("sqs", "InvalidParameterValue");
export const SimSqsInvalidSecurity = sdkErrorClass("sqs", "InvalidSecurity");
export const SimSqsKmsAccessDenied = sdkErrorClass("sqs", "KmsAccessDenied");
export const SimSqsKmsDisabled = sdkErrorClass("sqs", "KmsDisabled");
export const SimSqsKmsInvalidKeyUsage = sdkErrorClass("sqs", "KmsInvalidKeyUsage");
export const SimSqsKmsInvalidState = sdkErrorClass("sqs", "KmsInvalidState");
export const SimSqsKmsNotFound = sdkErrorClass("sqs", "KmsNotFound");
export const SimSqsKmsOptInRequired = sdkErrorClass("sqs", "KmsOptInRequired");
export const SimSqsKmsThrottled = sdkErrorClass("sqs", "KmsThrottled");
export const SimSqsMessageNotInflight = sdkErrorClass("sqs", "MessageNotInflight");
export const SimSqsMissingParameter = sdkErrorClass("sqs", "MissingParameter");
export const SimSqsOverLimit = sdkErrorClass("sqs", "OverLimit");
export const SimSqsPurgeQueueInProgress = sdkErrorClass("sqs", "PurgeQueueInProgress");
export const SimSqsQueueDeletedRecently = sdkErrorClass("sqs", "QueueDeletedRecently");
export const SimSqsQueueDoesNotExist = sdkErrorClass("sqs", "QueueDoesNotExist");
export const SimSqsQueueNameExists = sdkErrorClass("sqs", "QueueNameExists");
export const SimSqsReceiptHandleIsInvalid = sdkErrorClass("sqs", "ReceiptHandleIsInvalid");
export const SimSqsRequestThrottled = sdkErrorClass("sqs", "RequestThrottled");
export const SimSqsResourceNotFound = sdkErrorClass("sqs", "ResourceNotFoundException", "SimSqsResourceNotFound");
export const SimSqsTooManyEntriesInBatchRequest = sdkErrorClass("sqs", "TooManyEntriesInBatchRequest");
export const SimSqsUnsupportedOperation = sdkErrorClass("sqs", "UnsupportedOperation");
export {
  SimSqsAccessDenied as SimSqsAccessDeniedException,
  SimSqsInvalidParameterValue as SimSqsInvalidParameterValueException,
  SimSqsMissingParameter as SimSqsMissingRequiredParameterException,
  SimSqsResourceNotFound as SimSqsResourceNotFoundException,
};
