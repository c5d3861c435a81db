import type { AliasConfiguration, AliasRoutingConfiguration } from "@aws-sdk/client-lambda";
import { simError } from "@sandstack/core";
import { constraintViolated, lambdaError } from "./errors.js";
import { qualified } from "./functions.js";
import type { AliasState, FunctionState } from "./state.js";
import { checkGiven } from "./validation.js";

const NAME_PATTERN = "(?!^[0-9]+$)([a-zA-Z0-9-_]+)";
const NAME = /^(?!\d+$)[a-zA-Z0-9-_]+$/;
const MAX_NAME_CHARACTERS = 128;
const VERSION_PATTERN = String.raw`(\$LATEST|[0-9]+)`;

/** An alias as the API shows it. */
export function aliasConfiguration({ arn }: FunctionState, { name, functionVersion, description, revisionId }: AliasState): AliasConfiguration {
  return { AliasArn: qualified(arn, name), Name: name, FunctionVersion: functionVersion, Description: description, RevisionId: revisionId };
}

/** @throws ResourceNotFoundException (404) */
export function aliasOf(fn: FunctionState, name: string | undefined): AliasState {
  checkGiven("name", name);
  const alias = fn.aliases.get(name ?? "");
  if (alias === undefined) throw aliasNotFound(qualified(fn.arn, name));
  return alias;
}

export function aliasNotFound(arn: string): Error {
  return lambdaError("ResourceNotFoundException", `Cannot find alias arn: ${arn}`);
}

/** @throws ValidationException (400) */
export function checkAliasName(name: string | undefined): string {
  checkGiven("name", name);
  const given = name ?? "";
  if (!NAME.test(given)) throw constraintViolated("name", given, `Member must satisfy regular expression pattern: ${NAME_PATTERN}`);
  if (given.length > MAX_NAME_CHARACTERS) throw constraintViolated("name", given, `Member must have length less than or equal to ${MAX_NAME_CHARACTERS}`);
  return given;
}

/**
 * The version that an alias is to point to.
 *
 * @throws ValidationException (400) for what is no version's number
 */
export function checkVersionNumber(version: string | undefined): string {
  checkGiven("functionVersion", version);
  const given = version ?? "";
  if (!/^(\$LATEST|\d+)$/.test(given)) throw constraintViolated("functionVersion", given, `Member must satisfy regular expression pattern: ${VERSION_PATTERN}`);
  return given;
}

/** An alias of the sandbox points to one version. @throws SimUnsupported for weights on a second */
export function checkNotRouted(name: string, routing: AliasRoutingConfiguration | undefined): void {
  if (Object.keys(routing?.AdditionalVersionWeights ?? {}).length === 0) return;
  throw simError("SimUnsupported", `The sandbox runs one version for an alias; alias ${name} has RoutingConfig.AdditionalVersionWeights. Leave them out, and test each version by an alias of its own.`);
}
