import { accessDeniedMessage, awsError, principalName, type AwsError, type Refusal } from "@sandstack/core";

const IAM_CLIENT = "@aws-sdk/client-iam";
const STS_CLIENT = "@aws-sdk/client-sts";

type IamErrorName =
  | "NoSuchEntityException"
  | "EntityAlreadyExistsException"
  | "DeleteConflictException"
  | "LimitExceededException"
  | "MalformedPolicyDocumentException"
  | "InvalidInputException"
  | "PolicyNotAttachableException"
  | "UnmodifiableEntityException";

// The names IAM's Query protocol uses and their statuses, for when the SDK's client, which says the same, is not installed.
const STATUS: Readonly<Record<IamErrorName, number>> = {
  NoSuchEntityException: 404,
  EntityAlreadyExistsException: 409,
  DeleteConflictException: 409,
  LimitExceededException: 409,
  MalformedPolicyDocumentException: 400,
  InvalidInputException: 400,
  PolicyNotAttachableException: 400,
  UnmodifiableEntityException: 400,
};

export function iamError(name: IamErrorName, message: string): AwsError {
  return awsError(IAM_CLIENT, { name, httpStatusCode: STATUS[name], queryCode: name.replace(/Exception$/, "") }, message);
}

/** A member that is missing or breaks its constraints. */
export function validationError(message: string, service: "iam" | "sts" = "iam"): AwsError {
  return awsError(service === "iam" ? IAM_CLIENT : STS_CLIENT, { name: "ValidationError", httpStatusCode: 400 }, message);
}

export function iamAccessDenied(refusal: Refusal): AwsError {
  return awsError(IAM_CLIENT, { name: "AccessDenied", httpStatusCode: 403 }, accessDeniedMessage(refusal));
}

export function stsError(name: "MalformedPolicyDocumentException" | "PackedPolicyTooLargeException", message: string): AwsError {
  return awsError(STS_CLIENT, { name, httpStatusCode: 400, queryCode: name.replace(/Exception$/, "") }, message);
}

export function stsAccessDenied({ principal, question }: Pick<Refusal, "principal" | "question">): AwsError {
  // STS names no reason.
  return stsAccessError(`User: ${principalName(principal)} is not authorized to perform: ${question.action} on resource: ${question.resource}`);
}

export function stsAccessError(message: string): AwsError {
  return awsError(STS_CLIENT, { name: "AccessDenied", httpStatusCode: 403 }, message);
}

export function missingAuthenticationToken(): AwsError {
  return awsError(STS_CLIENT, { name: "MissingAuthenticationToken", httpStatusCode: 403 }, "Request is missing Authentication Token");
}

/** The access key is of nobody, or not active. */
export function invalidClientToken(): AwsError {
  return awsError(STS_CLIENT, { name: "InvalidClientTokenId", httpStatusCode: 403 }, "The security token included in the request is invalid.");
}

export function signatureDoesNotMatch(): AwsError {
  return awsError(
    STS_CLIENT,
    { name: "SignatureDoesNotMatch", httpStatusCode: 403 },
    "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.",
  );
}

export function expiredToken(): AwsError {
  return awsError(STS_CLIENT, { name: "ExpiredTokenException", httpStatusCode: 403, queryCode: "ExpiredToken" }, "The security token included in the request is expired");
}
