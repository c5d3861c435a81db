import type { FunctionConfiguration, LastUpdateStatusReasonCode, Runtime } from "@aws-sdk/client-lambda";
import { uuid, type OperationContext } from "@sandstack/core";
import { lambdaError } from "./errors.js";
import type { FunctionReference } from "./function-name.js";
import { DEFAULT_EPHEMERAL_STORAGE_MEGABYTES } from "./limits.js";
import type { FunctionState, FunctionVersion, LambdaState } from "./state.js";

export const LATEST = "$LATEST";

/** A function, and the one of its versions that is meant. */
export interface FunctionTarget {
  readonly fn: FunctionState;
  readonly version: FunctionVersion;
}

/** @throws ResourceNotFoundException (404) for a function, version or alias that is not there */
export function functionOf(state: LambdaState, reference: FunctionReference): FunctionState {
  return targetOf(state, reference).fn;
}

/** The function that a reference names, and the version that its qualifier means. @throws ResourceNotFoundException (404) */
export function targetOf(state: LambdaState, { name, arn, qualifier }: FunctionReference): FunctionTarget {
  const found = findTarget(state, name, qualifier);
  if (found === undefined) throw functionNotFound(qualified(arn, qualifier));
  return found;
}

/** The same, `undefined` for what is not there. */
export function findTarget(state: LambdaState, name: string, qualifier: string | undefined): FunctionTarget | undefined {
  const fn = state.functions.get(name);
  const version = fn && versionOf(fn, qualifier);
  return fn === undefined || version === undefined ? undefined : { fn, version };
}

/** The version that a qualifier means: a number its own, an alias the one it points to, none the latest. */
function versionOf(fn: FunctionState, qualifier: string = LATEST): FunctionVersion | undefined {
  const version = fn.aliases.get(qualifier)?.functionVersion ?? qualifier;
  return version === LATEST ? fn : fn.versions.get(version);
}

/** A version with the code that runs for it: a binding takes the place of a function's code in all of its versions. */
export function runnableVersion({ fn, version }: FunctionTarget): FunctionVersion {
  const isBound = [fn.code, version.code].some((code) => code.kind === "handler" && code.isBinding);
  return isBound ? { ...version, code: fn.code, changeId: fn.changeId } : version;
}

/** A function's ARN, with the qualifier where one was named. */
export function qualified(arn: string, qualifier: string | undefined): string {
  return qualifier === undefined ? arn : `${arn}:${qualifier}`;
}

/** @throws PreconditionFailedException (412) when a revision is named that is not the latest */
export function checkRevision(current: { readonly revisionId: string }, revisionId: string | undefined): void {
  if (revisionId === undefined || revisionId === current.revisionId) return;
  throw lambdaError("PreconditionFailedException", "The Revision Id provided does not match the latest Revision Id. Call the GetFunction/GetAlias API to retrieve the latest Revision Id");
}

/** Notes that a function was changed: its warm environments are not used any more. */
export function functionChanged(ctx: OperationContext<LambdaState>, fn: FunctionState): void {
  fn.revisionId = uuid(ctx.random);
  fn.changeId = fn.revisionId;
  fn.modifiedAtMs = ctx.nowMs;
  ctx.record({ kind: "lambda.function.updated", functionArn: fn.arn });
}

/** True when a function's reserved concurrency is used up. */
export function isThrottled({ reservedConcurrency, runningCount }: FunctionState): boolean {
  return reservedConcurrency !== undefined && runningCount >= reservedConcurrency;
}

export function functionNotFound(arn: string): Error {
  return lambdaError("ResourceNotFoundException", `Function not found: ${arn}`);
}

/**
 * What is just happening to a function. AWS takes seconds for it; here the change is done at once, so that
 * only the answer to the change itself shows it.
 */
export type Transition = "creating" | "updating" | "none";

/** A version of a function as the API shows it. Its ARN carries `qualifier` where one is given. */
export function configurationOf(fn: FunctionVersion, { transition = "none", qualifier }: { transition?: Transition; qualifier?: string | undefined } = {}): FunctionConfiguration {
  return {
    FunctionName: fn.name,
    FunctionArn: qualified(fn.arn, qualifier),
    Runtime: fn.runtime as Runtime, // newer versions than the SDK knows are accepted
    Role: fn.roleArn,
    Handler: fn.handler,
    CodeSize: fn.code.sizeBytes,
    Description: fn.description,
    Timeout: fn.timeoutSeconds,
    MemorySize: fn.memorySizeMegabytes,
    LastModified: new Date(fn.modifiedAtMs).toISOString().replace("Z", "+0000"),
    CodeSha256: fn.code.sha256,
    Version: fn.version,
    ...(fn.deadLetterTargetArn === undefined ? {} : { DeadLetterConfig: { TargetArn: fn.deadLetterTargetArn } }),
    ...(fn.environment === undefined ? {} : { Environment: { Variables: { ...fn.environment } } }),
    TracingConfig: { Mode: "PassThrough" },
    RevisionId: fn.revisionId,
    ...stateOf(transition),
    PackageType: "Zip",
    Architectures: ["x86_64"],
    EphemeralStorage: { Size: DEFAULT_EPHEMERAL_STORAGE_MEGABYTES },
    SnapStart: { ApplyOn: "None", OptimizationStatus: "Off" },
    ...structuredClone(fn.kept),
    LoggingConfig: { LogFormat: "Text", LogGroup: `/aws/lambda/${fn.name}`, ...structuredClone(fn.kept["LoggingConfig"] ?? {}) },
  };
}

/** The same in a list, which leaves the states out (API reference, ListFunctions). */
export function listedConfigurationOf(fn: FunctionVersion, qualifier?: string): FunctionConfiguration {
  const { State: _state, LastUpdateStatus: _status, ...configuration } = configurationOf(fn, { qualifier });
  return configuration;
}

/** Recorded on AWS, though not in the SDK's list of codes. */
const UPDATING_REASON_CODE = "Creating" as LastUpdateStatusReasonCode;

function stateOf(transition: Transition): FunctionConfiguration {
  switch (transition) {
    case "creating":
      return { State: "Pending", StateReason: "The function is being created.", StateReasonCode: "Creating" };
    case "updating":
      return { State: "Active", LastUpdateStatus: "InProgress", LastUpdateStatusReason: "The function is being created.", LastUpdateStatusReasonCode: UPDATING_REASON_CODE };
    case "none":
      return { State: "Active", LastUpdateStatus: "Successful" };
  }
}

/** The members of a request that have no effect here and are kept to be answered, as the answer spells them. */
export function keptMembers(input: object): Record<string, unknown> {
  const given = input as Record<string, unknown>; // read by names that the request may have
  const kept: Record<string, unknown> = {};
  for (const name of ["Architectures", "EphemeralStorage", "FileSystemConfigs", "KMSKeyArn", "TracingConfig"]) {
    if (given[name] !== undefined) kept[name] = structuredClone(given[name]);
  }
  const { Layers, LoggingConfig, SnapStart, VpcConfig } = input as { Layers?: string[]; LoggingConfig?: object; SnapStart?: object; VpcConfig?: object }; // likewise
  if (Layers !== undefined) kept["Layers"] = Layers.map((Arn) => ({ Arn, CodeSize: 0 }));
  if (LoggingConfig !== undefined) kept["LoggingConfig"] = structuredClone(LoggingConfig);
  if (SnapStart !== undefined) kept["SnapStart"] = { ...structuredClone(SnapStart), OptimizationStatus: "Off" };
  if (VpcConfig !== undefined) kept["VpcConfig"] = structuredClone(VpcConfig);
  return kept;
}
