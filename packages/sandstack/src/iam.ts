import { sdkErrorClass } from "./sdk-errors.js";

export { evaluatePolicies, policyFault, type AuthorizeInput, type EvaluatePoliciesInput, type MatchingStatement, type MatchingStatements, type PolicyDecision, type PolicyInput, type PolicyKind, type PolicyPrincipal } from "@sandstack/iam";
export type { SimIam } from "./sim-scope.js";

// By AWS's names of them, and by the SDK's.
export const SimIamNoSuchEntity = sdkErrorClass("iam", "NoSuchEntityException", "SimIamNoSuchEntity");
export const SimIamEntityAlreadyExists = sdkErrorClass("iam", "EntityAlreadyExistsException", "SimIamEntityAlreadyExists");
export const SimIamDeleteConflict = sdkErrorClass("iam", "DeleteConflictException", "SimIamDeleteConflict");
export const SimIamLimitExceeded = sdkErrorClass("iam", "LimitExceededException", "SimIamLimitExceeded");
export const SimIamMalformedPolicyDocument = sdkErrorClass("iam", "MalformedPolicyDocumentException", "SimIamMalformedPolicyDocument");
export const SimIamInvalidInput = sdkErrorClass("iam", "InvalidInputException", "SimIamInvalidInput");
export const SimIamPolicyNotAttachable = sdkErrorClass("iam", "PolicyNotAttachableException", "SimIamPolicyNotAttachable");
export const SimIamAccessDenied = sdkErrorClass("iam", "AccessDenied");
export const SimIamValidationError = sdkErrorClass("iam", "ValidationError");
export {
  SimIamDeleteConflict as SimIamDeleteConflictException,
  SimIamEntityAlreadyExists as SimIamEntityAlreadyExistsException,
  SimIamInvalidInput as SimIamInvalidInputException,
  SimIamLimitExceeded as SimIamLimitExceededException,
  SimIamMalformedPolicyDocument as SimIamMalformedPolicyDocumentException,
  SimIamNoSuchEntity as SimIamNoSuchEntityException,
  SimIamPolicyNotAttachable as SimIamPolicyNotAttachableException,
};

export const SimStsAccessDenied = sdkErrorClass("sts", "AccessDenied");
export const SimStsExpiredToken = sdkErrorClass("sts", "ExpiredTokenException", "SimStsExpiredToken");
export const SimStsMalformedPolicyDocument = sdkErrorClass("sts", "MalformedPolicyDocumentException", "SimStsMalformedPolicyDocument");
export const SimStsInvalidClientTokenId = sdkErrorClass("sts", "InvalidClientTokenId");
export const SimStsSignatureDoesNotMatch = sdkErrorClass("sts", "SignatureDoesNotMatch");
