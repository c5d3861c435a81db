import type { UpdateFunctionConfigurationCommandInput } from "@aws-sdk/client-lambda";
import { parseArn } from "@sandstack/core";
import { constraintViolated, invalidParameter } from "./errors.js";
import { constraintViolatedByNull } from "./function-name.js";
import { MAX_ENVIRONMENT_BYTES, MAX_MEMORY_MEGABYTES, MAX_TIMEOUT_SECONDS, MIN_MEMORY_MEGABYTES, MIN_TIMEOUT_SECONDS } from "./limits.js";

const ROLE_PATTERN = String.raw`arn:(aws[a-zA-Z-]*)?:iam::\d{12}:role/?[a-zA-Z_0-9+=,.@\-_/]+`;
const ROLE = new RegExp(`^${ROLE_PATTERN}$`);
const HANDLER_PATTERN = String.raw`[^\s]+`;
const MAX_HANDLER_CHARACTERS = 128;
const VARIABLE_PATTERN = "[a-zA-Z]([a-zA-Z0-9_])+";
const VARIABLE = new RegExp(`^${VARIABLE_PATTERN}$`);

/** AWS's runtime families. Which versions there are changes with time: any version of a family is accepted, newer ones included. */
const RUNTIME = /^(nodejs\d*(\.x|\.\d+)?|nodejs4\.3-edge|python\d\.\d+|java\d+(\.al2|\.al2023)?|ruby\d\.\d+|dotnet\d+|dotnetcore\d\.\d|go1\.x|provided(\.al2|\.al2023)?)$/;

/** Variables that the runtime sets (developer guide, configuration-envvars). */
const RESERVED_VARIABLES = new Set([
  "_HANDLER",
  "_X_AMZN_TRACE_ID",
  "AWS_ACCESS_KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_DEFAULT_REGION",
  "AWS_EXECUTION_ENV",
  "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  "AWS_LAMBDA_FUNCTION_NAME",
  "AWS_LAMBDA_FUNCTION_VERSION",
  "AWS_LAMBDA_INITIALIZATION_TYPE",
  "AWS_LAMBDA_LOG_GROUP_NAME",
  "AWS_LAMBDA_LOG_STREAM_NAME",
  "AWS_LAMBDA_RUNTIME_API",
  "AWS_REGION",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "LAMBDA_RUNTIME_DIR",
  "LAMBDA_TASK_ROOT",
]);

type Configuration = Pick<UpdateFunctionConfigurationCommandInput, "Timeout" | "MemorySize" | "Role" | "Handler" | "Runtime" | "Environment" | "DeadLetterConfig">;

/** Checks what may be given both at creation and later. @throws ValidationException or InvalidParameterValueException (400) */
export function checkConfiguration({ Timeout, MemorySize, Role, Handler, Runtime, Environment, DeadLetterConfig }: Configuration): void {
  checkRange("timeout", Timeout, MIN_TIMEOUT_SECONDS, MAX_TIMEOUT_SECONDS);
  checkRange("memorySize", MemorySize, MIN_MEMORY_MEGABYTES, MAX_MEMORY_MEGABYTES);
  if (Role !== undefined && !ROLE.test(Role)) throw constraintViolated("role", Role, `Member must satisfy regular expression pattern: ${ROLE_PATTERN}`);
  if (Handler !== undefined) checkHandler(Handler);
  if (Runtime !== undefined && !RUNTIME.test(Runtime)) {
    throw invalidParameter(`Value ${Runtime} at 'runtime' failed to satisfy constraint: Member must satisfy enum value set: [nodejs24.x, nodejs22.x, nodejs20.x, python3.13, java21, dotnet8, ruby3.4, provided.al2023] or be a valid ARN`);
  }
  checkEnvironment(Environment?.Variables);
  const target = DeadLetterConfig?.TargetArn;
  // An empty text takes the dead-letter queue away.
  if (target !== undefined && target !== "") checkDeadLetterTarget(target);
}

/** @throws ValidationException (400) naming the bound that `value` is beyond */
export function checkRange(member: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined) return;
  if (value < least) throw constraintViolated(member, value, `Member must have value greater than or equal to ${least}`);
  if (value > most) throw constraintViolated(member, value, `Member must have value less than or equal to ${most}`);
}

export function checkGiven(member: string, value: unknown): void {
  if (value === undefined || value === null) throw constraintViolatedByNull(member);
}

function checkHandler(handler: string): void {
  if (!/^\S+$/.test(handler)) throw constraintViolated("handler", handler, `Member must satisfy regular expression pattern: ${HANDLER_PATTERN}`);
  if (handler.length > MAX_HANDLER_CHARACTERS) throw constraintViolated("handler", handler, `Member must have length less than or equal to ${MAX_HANDLER_CHARACTERS}`);
}

function checkEnvironment(variables: Readonly<Record<string, string>> | undefined): void {
  if (variables === undefined) return;
  const names = Object.keys(variables);
  if (!names.every((name) => VARIABLE.test(name))) {
    throw constraintViolated("environment.variables", JSON.stringify(variables), `Map keys must satisfy constraint: [Member must satisfy regular expression pattern: ${VARIABLE_PATTERN}]`);
  }
  const reserved = names.filter((name) => RESERVED_VARIABLES.has(name));
  if (reserved.length > 0) {
    throw invalidParameter(
      "Lambda was unable to configure your environment variables because the environment variables you have provided contains reserved keys that are currently not supported for modification. " +
        `Reserved keys used in this request: ${reserved.join(", ")}`,
    );
  }
  const measured = JSON.stringify(variables);
  if (Buffer.byteLength(measured) > MAX_ENVIRONMENT_BYTES) {
    throw invalidParameter(`Lambda was unable to configure your environment variables because the environment variables you have provided exceeded the 4KB limit. String measured: ${measured}`);
  }
}

function checkDeadLetterTarget(targetArn: string): void {
  const service = parseArn(targetArn)?.service;
  if (service !== "sqs" && service !== "sns") {
    throw constraintViolated("deadLetterConfig.targetArn", targetArn, String.raw`Member must satisfy regular expression pattern: (arn:(aws[a-zA-Z-]*)?:[a-z0-9-.]+:.*)|()`);
  }
  if (targetArn.endsWith(".fifo")) throw invalidParameter("FIFO queues and topics are not supported as dead-letter targets of functions.");
}
