import type { FunctionConfiguration, LastUpdateStatusReasonCode, Runtime } from "@aws-sdk/client-lambda";
import { uuid, type OperationContext } from "@sandstack/core";
import { lambdaError } from "./errors.js";
import type { FunctionReference } from "./function-name.js";
import { DEFAULT_EPHEMERAL_STORAGE_MEGABYTES } from "./limits.js";
import type { FunctionState, LambdaState } from "./state.js";

export const LATEST = "$LATEST";

/** @throws ResourceNotFoundException (404) for a function, version or alias that is not there; there are no versions but `$LATEST` */
export function functionOf(state: LambdaState, reference: FunctionReference): FunctionState {
  const { name, arn, qualifier } = reference;
  const found = qualifier === undefined || qualifier === LATEST ? state.functions.get(name) : undefined;
  if (found === undefined) throw functionNotFound(qualifier === undefined ? arn : `${arn}:${qualifier}`);
  return found;
}

/** @throws PreconditionFailedException (412) when a revision is named that is not the latest */
export function checkRevision(fn: FunctionState, revisionId: string | undefined): void {
  if (revisionId === undefined || revisionId === fn.revisionId) return;
  throw lambdaError("PreconditionFailedException", "The Revision Id provided does not match the latest Revision Id. Call the GetFunction/GetAlias API to retrieve the latest Revision Id");
}

/** Notes that a function was changed: warm environments of the revision before are not used any more. */
export function functionChanged(ctx: OperationContext<LambdaState>, fn: FunctionState): void {
  fn.revisionId = uuid(ctx.random);
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

/** A function as the API shows it. */
export function configurationOf(fn: FunctionState, transition: Transition = "none"): FunctionConfiguration {
  return {
    FunctionName: fn.name,
    FunctionArn: fn.arn,
    Runtime: fn.runtime as Runtime, // newer versions than the SDK knows are accepted
    Role: fn.roleArn,
    Handler: fn.handler,
    CodeSize: fn.code.sizeBytes,
    Description: fn.description,
    Timeout: fn.timeoutSeconds,
    MemorySize: fn.memorySizeMegabytes,
    LastModified: new Date(fn.modifiedAtMs).toISOString().replace("Z", "+0000"),
    CodeSha256: fn.code.sha256,
    Version: LATEST,
    ...(fn.deadLetterTargetArn === undefined ? {} : { DeadLetterConfig: { TargetArn: fn.deadLetterTargetArn } }),
    ...(fn.environment === undefined ? {} : { Environment: { Variables: { ...fn.environment } } }),
    TracingConfig: { Mode: "PassThrough" },
    RevisionId: fn.revisionId,
    ...stateOf(transition),
    PackageType: "Zip",
    Architectures: ["x86_64"],
    EphemeralStorage: { Size: DEFAULT_EPHEMERAL_STORAGE_MEGABYTES },
    SnapStart: { ApplyOn: "None", OptimizationStatus: "Off" },
    LoggingConfig: { LogFormat: "Text", LogGroup: `/aws/lambda/${fn.name}` },
    ...structuredClone(fn.kept),
  };
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
  if (LoggingConfig !== undefined) kept["LoggingConfig"] = { LogFormat: "Text", ...structuredClone(LoggingConfig) };
  if (SnapStart !== undefined) kept["SnapStart"] = { ...structuredClone(SnapStart), OptimizationStatus: "Off" };
  if (VpcConfig !== undefined) kept["VpcConfig"] = structuredClone(VpcConfig);
  return kept;
}
