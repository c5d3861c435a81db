import { awsError, type AwsError } from "@sandstack/core";
import type { WireService } from "./services.js";
import type { ShapeKind } from "./shape.js";

/**
 * Errors that AWS's front ends answer before an operation is reached, and those all services share: what JSON protocols call them, then the
 * code of the Query protocol (AWS's "Common errors" pages; the pairs of SQS: its JSON migration guide).
 */
const SHARED_ERRORS: readonly (readonly [jsonName: string, queryCode: string])[] = [
  ["AccessDeniedException", "AccessDenied"],
  ["ExpiredTokenException", "ExpiredToken"],
  ["IncompleteSignatureException", "IncompleteSignature"],
  ["InvalidParameterValueException", "InvalidParameterValue"],
  ["InvalidSignatureException", "SignatureDoesNotMatch"],
  ["MissingAuthenticationTokenException", "MissingAuthenticationToken"],
  ["MissingRequiredParameterException", "MissingParameter"],
  ["SerializationException", "MalformedInput"],
  ["UnknownOperationException", "InvalidAction"],
  ["UnrecognizedClientException", "InvalidClientTokenId"],
  ["ValidationException", "ValidationError"],
];
const jsonNames = new Map(SHARED_ERRORS.map(([jsonName, queryCode]) => [queryCode, jsonName]));
const queryCodes = new Map(SHARED_ERRORS);

/** What a JSON protocol calls an error that the service's model does not know. */
export function jsonErrorName(name: string): string {
  return jsonNames.get(name) ?? name;
}

/** The code that the Query protocol gives an error. */
export function queryErrorCode(error: AwsError): string {
  if (error.Code !== error.name) return error.Code;
  return queryCodes.get(error.name) ?? error.name;
}

function sharedError(service: WireService, name: string, message: string, httpStatusCode = 400): AwsError {
  return awsError(`@aws-sdk/client-${service.id}`, { name, queryCode: queryCodes.get(name), httpStatusCode }, message);
}

/** The request's body cannot be read, or a value has the wrong type. */
export function malformed(service: WireService, message: string): AwsError {
  return sharedError(service, "SerializationException", message);
}

/** A member that the model requires is not there. SQS has its own words; the others answer with their validation's (API references, "Common errors"). */
export function membersMissing(service: WireService, paths: readonly string[]): AwsError {
  const [first = ""] = paths;
  if (service.isQueryCompatible) return sharedError(service, "MissingRequiredParameterException", `The request must contain the parameter ${first}.`);
  const found = paths.map((path) => `Value null at '${lowerFirst(path)}' failed to satisfy constraint: Member must not be null`);
  return sharedError(service, "ValidationException", `${paths.length} validation error${paths.length === 1 ? "" : "s"} detected: ${found.join("; ")}`);
}

/** A value in a header, the path or the query has the wrong type. */
export function unreadableValue(service: WireService, kind: ShapeKind): AwsError {
  return malformed(service, `STRING_VALUE can not be converted to ${kind === "number" ? "an Integer" : `a ${kind}`}`);
}

/** A document in XML cannot be read, or a value in it has the wrong type (S3's "Error responses"). */
export function malformedXml(service: WireService): AwsError {
  return sharedError(service, "MalformedXML", "The XML you provided was not well-formed or did not validate against our published schema");
}

/** A body that its own chunks or length contradict (S3's "Error responses"). */
export function incompleteBody(service: WireService): AwsError {
  return sharedError(service, "IncompleteBody", "The request body terminated unexpectedly");
}

/** AWS has no such action. */
export function unknownAction(service: WireService, action: string): AwsError {
  if (service.protocols[0] === "restXml") return sharedError(service, "MethodNotAllowed", "The specified method is not allowed against this resource.", 405);
  if (service.protocols[0] === "restJson1") return sharedError(service, "UnknownOperationException", `The action ${action} is not valid for this endpoint.`, 404);
  return sharedError(service, "UnknownOperationException", `The action ${action} is not valid for this endpoint.`);
}

/** A request that has to be signed and is not, or not in a form that AWS knows. */
export function unsigned(service: WireService, authorization: string | undefined): AwsError {
  if (authorization === undefined) return sharedError(service, "MissingAuthenticationTokenException", "Request is missing Authentication Token", 403);
  return sharedError(service, "IncompleteSignatureException", "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization header requires 'SignedHeaders' parameter.", 400);
}

export function bodyTooLarge(service: WireService, limitBytes: number): AwsError {
  return sharedError(service, "RequestEntityTooLargeException", `Request must be smaller than ${limitBytes} bytes for the ${service.id} service`, 413);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
