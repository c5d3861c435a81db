import type { CreateEventSourceMappingCommandInput, EventSourceMappingConfiguration, UpdateEventSourceMappingCommandInput } from "@aws-sdk/client-lambda";
import { isAwsError, parseArn, type OperationContext, type Scope } from "@sandstack/core";
import { constraintViolated, invalidParameter, lambdaError, mappingNotFound } from "./errors.js";
import { parseFilterPattern } from "./filter-pattern.js";
import { functionReference } from "./function-name.js";
import { findTarget, qualified, type FunctionTarget } from "./functions.js";
import {
  DEFAULT_BATCH_SIZE,
  MAX_BATCH_SIZE,
  MAX_BATCH_SIZE_WITHOUT_WINDOW,
  MAX_BATCHING_WINDOW_SECONDS,
  MAX_FILTER_PATTERN_CHARACTERS,
  MAX_FILTERS,
  MAX_MAXIMUM_CONCURRENCY,
  MIN_MAXIMUM_CONCURRENCY,
} from "./limits.js";
import { queueUrlOf } from "./queue-url.js";
import { roleCaller } from "./role.js";
import type { FunctionVersion, LambdaState, MappingReference, MappingState } from "./state.js";
import { checkRange } from "./validation.js";

/** @throws ResourceNotFoundException (404) */
export function mappingOf(state: LambdaState, uuid: string | undefined): MappingState {
  const mapping = state.mappings.get(uuid ?? "");
  if (mapping === undefined) throw mappingNotFound();
  return mapping;
}

/** The word for what is just happening to a mapping. AWS takes up to a minute for it; here only the answer to the change itself shows it. */
export type MappingTransition = "Creating" | "Enabling" | "Disabling" | "Updating" | "Deleting";

/** A mapping as the API shows it. */
export function mappingConfiguration(mapping: MappingState, transition?: MappingTransition): EventSourceMappingConfiguration {
  return {
    UUID: mapping.uuid,
    BatchSize: mapping.batchSize,
    MaximumBatchingWindowInSeconds: mapping.windowSeconds,
    EventSourceArn: mapping.queueArn,
    EventSourceMappingArn: mapping.arn,
    ...(mapping.filterPatterns === undefined ? {} : { FilterCriteria: { Filters: mapping.filterPatterns.map((Pattern) => ({ Pattern })) } }),
    FunctionArn: mapping.functionArn,
    LastModified: new Date(mapping.modifiedAtMs),
    State: transition ?? (mapping.isEnabled ? "Enabled" : "Disabled"),
    StateTransitionReason: "USER_INITIATED",
    FunctionResponseTypes: mapping.reportsBatchItemFailures ? ["ReportBatchItemFailures"] : [],
    ...(mapping.maximumConcurrency === undefined ? {} : { ScalingConfig: { MaximumConcurrency: mapping.maximumConcurrency } }),
    ...structuredClone(mapping.kept),
  };
}

type MappingInput = CreateEventSourceMappingCommandInput | UpdateEventSourceMappingCommandInput;

/** What a mapping is to be, before and after a request. */
export type MappingSettings = Pick<MappingState, "isEnabled" | "batchSize" | "windowSeconds" | "filterPatterns" | "reportsBatchItemFailures" | "maximumConcurrency" | "kept">;

export const DEFAULT_SETTINGS: MappingSettings = {
  isEnabled: true,
  batchSize: DEFAULT_BATCH_SIZE,
  windowSeconds: 0,
  filterPatterns: undefined,
  reportsBatchItemFailures: false,
  maximumConcurrency: undefined,
  kept: {},
};

/** What a request makes of a mapping's settings; what it does not name stays. */
export function changedSettings(current: MappingSettings, input: MappingInput): MappingSettings {
  const { Enabled, BatchSize, MaximumBatchingWindowInSeconds, FilterCriteria, FunctionResponseTypes, ScalingConfig, KMSKeyArn, MetricsConfig, ProvisionedPollerConfig } = input;
  const patterns = FilterCriteria?.Filters?.map(({ Pattern = "" }) => Pattern) ?? [];
  const kept = { KMSKeyArn, MetricsConfig, ProvisionedPollerConfig };
  return {
    isEnabled: Enabled ?? current.isEnabled,
    batchSize: BatchSize ?? current.batchSize,
    windowSeconds: MaximumBatchingWindowInSeconds ?? current.windowSeconds,
    filterPatterns: FilterCriteria === undefined ? current.filterPatterns : patterns.length === 0 ? undefined : patterns,
    reportsBatchItemFailures: FunctionResponseTypes === undefined ? current.reportsBatchItemFailures : FunctionResponseTypes.includes("ReportBatchItemFailures"),
    maximumConcurrency: ScalingConfig === undefined ? current.maximumConcurrency : ScalingConfig.MaximumConcurrency,
    kept: { ...current.kept, ...structuredClone(Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))) },
  };
}

/** Checks what the API's model says of a request's members. @throws ValidationException (400) */
export function checkMembers(input: MappingInput): void {
  checkRange("batchSize", input.BatchSize, 1, MAX_BATCH_SIZE);
  checkRange("maximumBatchingWindowInSeconds", input.MaximumBatchingWindowInSeconds, 0, MAX_BATCHING_WINDOW_SECONDS);
  checkRange("scalingConfig.maximumConcurrency", input.ScalingConfig?.MaximumConcurrency, MIN_MAXIMUM_CONCURRENCY, MAX_MAXIMUM_CONCURRENCY);
  const responseTypes = input.FunctionResponseTypes ?? [];
  if (responseTypes.some((type) => type !== "ReportBatchItemFailures")) {
    throw constraintViolated("functionResponseTypes", `[${responseTypes.join(", ")}]`, "Member must satisfy constraint: [Member must satisfy enum value set: [ReportBatchItemFailures]]");
  }
  for (const { Pattern = "" } of input.FilterCriteria?.Filters ?? []) {
    if (Pattern.length > MAX_FILTER_PATTERN_CHARACTERS) {
      throw constraintViolated("filterCriteria.filters.pattern", Pattern, `Member must have length less than or equal to ${MAX_FILTER_PATTERN_CHARACTERS}`);
    }
  }
}

/** Checks what queues do not allow. @throws InvalidParameterValueException (400) */
export function checkSettings(settings: MappingSettings, queueArn: string, input: MappingInput): void {
  if (input.DestinationConfig !== undefined && Object.keys(input.DestinationConfig).length > 0) {
    throw invalidParameter("Unsupported DestinationConfig parameter for given event source mapping type.");
  }
  const { batchSize, windowSeconds, filterPatterns = [], maximumConcurrency, kept } = settings;
  if (queueArn.endsWith(".fifo")) {
    if (windowSeconds > 0) throw invalidParameter("Batching window is not supported for FIFO queues");
    if (batchSize > MAX_BATCH_SIZE_WITHOUT_WINDOW) throw invalidParameter(`BatchSize must be between 1 and ${MAX_BATCH_SIZE_WITHOUT_WINDOW} for FIFO SQS`);
  }
  if (batchSize > MAX_BATCH_SIZE_WITHOUT_WINDOW && windowSeconds === 0) {
    throw invalidParameter("Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10");
  }
  if (filterPatterns.length > MAX_FILTERS) throw invalidParameter(`Number of filters exceeds the limit of ${MAX_FILTERS}.`);
  if (filterPatterns.some((pattern) => parseFilterPattern(pattern) === undefined)) throw invalidParameter("Invalid filter pattern definition.");
  if (maximumConcurrency !== undefined && kept["ProvisionedPollerConfig"] !== undefined) {
    throw invalidParameter("ScalingConfig and ProvisionedPollerConfig cannot be used together.");
  }
}

/** How a mapping names its function, as its state keeps it. */
type MappedName = Pick<MappingState, "functionName" | "functionArn" | "qualifier">;

/**
 * The function a mapping is for, and the version of it.
 *
 * @throws InvalidParameterValueException (400), not 404, when it is not there; that AWS says the same of a version or alias is unverified
 */
export function mappedFunction(ctx: OperationContext<LambdaState>, functionName: string | undefined): FunctionTarget & { readonly named: MappedName } {
  const { name, qualifier } = functionReference(ctx.callScope, functionName);
  const target = findTarget(ctx.state, name, qualifier);
  if (target === undefined) throw invalidParameter("Function does not exist");
  return { ...target, named: { functionName: name, functionArn: qualified(target.fn.arn, qualifier), qualifier } };
}

/** What the execution role must be allowed, in the order in which AWS finds it missing. */
const NEEDED = ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"] as const;

/**
 * Checks that the queue is there, that the execution role may work on it, and that messages stay hidden for as long as the function may take.
 *
 * @throws InvalidParameterValueException (400)
 */
export async function checkQueue(ctx: OperationContext<LambdaState>, fn: FunctionVersion, queueArn: string): Promise<void> {
  const QueueUrl = queueUrlOf(queueArn);
  const caller = roleCaller(fn);
  for (const action of NEEDED) {
    if (!mayCall(() => ctx.isAllowed("sqs", action, { QueueUrl, ReceiptHandle: "-" }, { caller }), action)) throw roleRefusal(action);
  }
  const { Attributes } = await ctx.call("sqs", "GetQueueAttributes", { QueueUrl, AttributeNames: ["VisibilityTimeout"] }, { caller }).catch((error: unknown) => {
    throw queueRefusal(error, "GetQueueAttributes");
  });
  const visibilitySeconds = Number(Attributes?.["VisibilityTimeout"]);
  if (visibilitySeconds < fn.timeoutSeconds) {
    throw invalidParameter(`Queue visibility timeout: ${visibilitySeconds} seconds is less than Function timeout: ${fn.timeoutSeconds} seconds`);
  }
}

function mayCall(ask: () => boolean, action: string): boolean {
  try {
    return ask();
  } catch (error) {
    throw queueRefusal(error, action);
  }
}

function roleRefusal(action: string): Error {
  return invalidParameter(`The provided execution role does not have permissions to call ${action} on SQS`);
}

function queueRefusal(error: unknown, action: string): unknown {
  if (!isAwsError(error)) return error;
  if (error.name !== "QueueDoesNotExist") return roleRefusal(action);
  return invalidParameter("Error occurred while ReceiveMessage. SQS Error Code: AWS.SimpleQueueService.NonExistentQueue. SQS Error Message: The specified queue does not exist.");
}

/**
 * Checks that a function, or the version or alias of it that is named, is not fed from the queue already.
 *
 * @throws ResourceConflictException (409)
 */
export function checkNotMapped(state: LambdaState, { functionName, functionArn }: MappedName, queueArn: string, except?: string): void {
  for (const mapping of state.mappings.values()) {
    if (mapping.queueArn !== queueArn || mapping.functionArn !== functionArn || mapping.uuid === except) continue;
    throw lambdaError(
      "ResourceConflictException",
      `An event source mapping with SQS arn (" ${queueArn} ") and function (" ${functionName} ") already exists. Please update or delete the existing mapping with UUID ${mapping.uuid}`,
    );
  }
}

/** The mappings that consume a queue, kept where the queue is: its messages become visible there. */
export function consumersOf(ctx: { readonly scope: Scope; stateOf(scope: Scope): LambdaState }, queueArn: string): MappingReference[] {
  const { accountId = ctx.scope.accountId, region = ctx.scope.region } = parseArn(queueArn) ?? {};
  const { consumers } = ctx.stateOf({ accountId, region });
  let ofQueue = consumers.get(queueArn);
  if (ofQueue === undefined) consumers.set(queueArn, (ofQueue = []));
  return ofQueue;
}
