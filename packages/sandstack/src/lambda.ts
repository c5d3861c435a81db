import { sdkErrorClass } from "./sdk-errors.js";

export {
  makeLambdaCodeZip,
  makeLambdaZipFileInput,
  type SimLambdaHandler,
  type SimLambdaSqsEvent,
  type SimLambdaSqsEventAttributes,
  type SimLambdaSqsEventRecord,
  type SimLambdaSqsMessageAttribute,
} from "@sandstack/lambda";

export const SimLambdaAccessDeniedException = sdkErrorClass("lambda", "AccessDeniedException");
export const SimLambdaInvalidParameterValueException = sdkErrorClass("lambda", "InvalidParameterValueException");
export const SimLambdaInvalidRequestContentException = sdkErrorClass("lambda", "InvalidRequestContentException");
export const SimLambdaPreconditionFailedException = sdkErrorClass("lambda", "PreconditionFailedException");
export const SimLambdaRequestTooLargeException = sdkErrorClass("lambda", "RequestTooLargeException");
export const SimLambdaResourceConflictException = sdkErrorClass("lambda", "ResourceConflictException");
export const SimLambdaResourceNotFoundException = sdkErrorClass("lambda", "ResourceNotFoundException");
export const SimLambdaTooManyRequestsException = sdkErrorClass("lambda", "TooManyRequestsException");
export const SimLambdaValidationException = sdkErrorClass("lambda", "ValidationException");
