import { formatArn, partitionOf, type Scope } from "@sandstack/core";
import { constraintViolated, lambdaError } from "./errors.js";

/** What a `FunctionName` names. */
export interface FunctionReference {
  readonly name: string;
  /** `$LATEST`, a version or an alias, if one was named. */
  readonly qualifier: string | undefined;
  /** Whose function it is. */
  readonly scope: Scope;
  /** The function's ARN without qualifier. */
  readonly arn: string;
}

/** AWS's pattern for the names of functions, with or without the parts of an ARN before them (API reference). */
const PATTERN = String.raw`(arn:(aws[a-zA-Z-]*)?:lambda:)?([a-z]{2}(-gov)?-[a-z]+-\d{1}:)?(\d{12}:)?(function:)?([a-zA-Z0-9-_]+)(:(\$LATEST|[a-zA-Z0-9-_]+))?`;
const FUNCTION_NAME = new RegExp(`^${PATTERN}$`);
const MAX_NAME_CHARACTERS = 64;
const MAX_REFERENCE_CHARACTERS = 170;

/**
 * Reads a name, a partial ARN (`123456789012:function:orders`) or a full ARN, each with or without a qualifier.
 *
 * @param separateQualifier the request's `Qualifier`, which goes before none
 * @throws ValidationException (400) for a text that is none of these
 * @throws ResourceNotFoundException (404) for a function of another region
 */
export function functionReference(callScope: Scope, text: string | undefined, separateQualifier?: string): FunctionReference {
  if (text === undefined) throw constraintViolatedByNull("functionName");
  const found = FUNCTION_NAME.exec(text);
  if (found === null) throw constraintViolated("functionName", text, `Member must satisfy regular expression pattern: ${PATTERN}`);
  if (text.length > MAX_REFERENCE_CHARACTERS) throw constraintViolated("functionName", text, `Member must have length less than or equal to ${MAX_REFERENCE_CHARACTERS}`);
  const [, , , region, , account, , name = "", , qualifier] = found;
  const scope = { accountId: account?.slice(0, -1) ?? callScope.accountId, region: region?.slice(0, -1) ?? callScope.region };
  if (scope.region !== callScope.region) {
    throw lambdaError("ResourceNotFoundException", `Functions from '${scope.region}' are not reachable in this region ('${callScope.region}')`);
  }
  return { name, qualifier: separateQualifier ?? qualifier, scope, arn: functionArn(scope, name) };
}

/** The name for a new function, which may come as an ARN of its own account. @throws ValidationException (400) */
export function newFunctionName(callScope: Scope, text: string | undefined): string {
  const { name } = functionReference(callScope, text);
  if (name.length > MAX_NAME_CHARACTERS) throw constraintViolated("functionName", name, `Member must have length less than or equal to ${MAX_NAME_CHARACTERS}`);
  return name;
}

export function functionArn({ region, accountId }: Scope, name: string): string {
  return formatArn({ partition: partitionOf(region), service: "lambda", region, accountId, resource: `function:${name}` });
}

export function mappingArn({ region, accountId }: Scope, uuid: string): string {
  return formatArn({ partition: partitionOf(region), service: "lambda", region, accountId, resource: `event-source-mapping:${uuid}` });
}

export function constraintViolatedByNull(member: string): Error {
  return lambdaError("ValidationException", `1 validation error detected: Value null at '${member}' failed to satisfy constraint: Member must not be null`);
}
