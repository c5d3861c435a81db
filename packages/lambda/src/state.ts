import type { Scope } from "@sandstack/core";

/** Everything Lambda remembers of one account and region. Plain data. */
export interface LambdaState {
  /** By function name. */
  readonly functions: Map<string, FunctionState>;
  /** By UUID. */
  readonly mappings: Map<string, MappingState>;
  /** By queue ARN: the mappings that consume a queue of this account and region, wherever they are. */
  readonly consumers: Map<string, MappingReference[]>;
}

export function emptyState(): LambdaState {
  return { functions: new Map(), mappings: new Map(), consumers: new Map() };
}

/** A mapping and the scope whose state holds it. */
export interface MappingReference {
  readonly scope: Scope;
  readonly uuid: string;
}

/** What a function runs: an in-process handler, found by its token, or the files of an archive, by path with forward slashes. */
export type FunctionCode =
  /** `isBinding`: it takes the place of a template's code, in all of the function's versions. */
  | { readonly kind: "handler"; readonly token: string; readonly isBinding: boolean; readonly sha256: string; readonly sizeBytes: number }
  | { readonly kind: "archive"; readonly files: Readonly<Record<string, Uint8Array>>; readonly sha256: string; readonly sizeBytes: number };

/** One statement of a function's resource policy, as IAM evaluates it. */
export interface PolicyStatement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Principal: "*" | { readonly Service: string } | { readonly AWS: string };
  readonly Action: string;
  readonly Resource: string;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** One version of a function: its code and configuration, and what names it. A published one does not change, but for its revision. */
export interface FunctionVersion {
  readonly name: string;
  /** The function's: unqualified. */
  readonly arn: string;
  /** `$LATEST`, or the number of a published version. */
  readonly version: string;
  runtime: string;
  /** `index.handler`; absent for an in-process handler that named none. */
  handler: string;
  roleArn: string;
  description: string;
  timeoutSeconds: number;
  memorySizeMegabytes: number;
  environment: Record<string, string> | undefined;
  deadLetterTargetArn: string | undefined;
  /** Configuration that has no effect here and is kept to be answered, by the name of its member in the API. */
  kept: Record<string, unknown>;
  code: FunctionCode;
  /** Changes with every change of code or configuration: warm environments of another are not used. */
  changeId: string;
  /** Changes with every change, those of the resource policy included. */
  revisionId: string;
  modifiedAtMs: number;
}

/** A function: its latest version, which changes, and what is of the function as a whole. */
export interface FunctionState extends FunctionVersion {
  tags: Record<string, string>;
  /** Resource policies by qualifier; that of the function itself is under `$LATEST`. */
  readonly policies: Map<string, PolicyStatement[]>;
  /** The published versions by number, in their order. */
  readonly versions: Map<string, FunctionVersion>;
  /** The version published last, also when it is deleted by now: its number, and the function's description then. */
  lastPublished: { readonly version: string; readonly description: string } | undefined;
  /** By name. */
  readonly aliases: Map<string, AliasState>;
  /** How many invocations may run at once; absent: no bound of its own. */
  reservedConcurrency: number | undefined;
  /** How many invocations are running. */
  runningCount: number;
}

/** A name for a version, which can be moved to another. */
export interface AliasState {
  readonly name: string;
  /** `$LATEST` or a number. */
  functionVersion: string;
  description: string;
  /** Changes with every change, those of its resource policy included. */
  revisionId: string;
}

/** An event source mapping between a queue and a function. */
export interface MappingState {
  readonly uuid: string;
  readonly arn: string;
  readonly queueArn: string;
  readonly queueUrl: string;
  functionName: string;
  /** The version or alias that is invoked, if one was named. */
  qualifier: string | undefined;
  /** As it was named: with the qualifier, if one was given. */
  functionArn: string;
  isEnabled: boolean;
  /** Absent: the default. */
  batchSize: number;
  windowSeconds: number;
  /** The filters' patterns as JSON text. */
  filterPatterns: string[] | undefined;
  reportsBatchItemFailures: boolean;
  maximumConcurrency: number | undefined;
  /** Configuration that has no effect here and is kept to be answered. */
  kept: Record<string, unknown>;
  tags: Record<string, string>;
  modifiedAtMs: number;
  readonly runner: RunnerState;
}

/** A message as ReceiveMessage gave it. */
export interface ReceivedMessage {
  readonly MessageId?: string | undefined;
  readonly ReceiptHandle?: string | undefined;
  readonly MD5OfBody?: string | undefined;
  readonly Body?: string | undefined;
  readonly Attributes?: Readonly<Record<string, string>> | undefined;
  readonly MD5OfMessageAttributes?: string | undefined;
  readonly MessageAttributes?: Readonly<Record<string, ReceivedAttribute>> | undefined;
}

export interface ReceivedAttribute {
  readonly StringValue?: string | undefined;
  readonly BinaryValue?: Uint8Array | undefined;
  readonly DataType: string | undefined;
}

/** How far a mapping is in working off its queue. */
export interface RunnerState {
  /** The instant for which a poll is scheduled and has not run, in epoch milliseconds. */
  pollRequestedAtMs: number | undefined;
  /** Batches whose invocation has not ended. */
  batchesInFlight: number;
  /** Since when batches have been in flight without a pause, in epoch milliseconds. */
  busySinceMs: number | undefined;
  /** True once a poll was asked for while no further batch could start. */
  isHeldBack: boolean;
  /** Messages read and waiting for their batch to fill or its window to end. */
  gathered: ReceivedMessage[];
  gatheredBytes: number;
  /** When the first of them was received, in epoch milliseconds. */
  gatheredSinceMs: number | undefined;
  /** The scheduled end of the batching window. */
  windowTaskId: number | undefined;
  /** Batches that found no reserved concurrency, the one that has waited longest first. They count as in flight. */
  throttled: ThrottledBatch[];
  /** Why the last poll failed: told once, until it succeeds or fails in another way. */
  failure: string | undefined;
  /** Polls that failed since the last that succeeded. */
  failedCount: number;
  /** When a failed poll is tried again by itself, in epoch milliseconds. */
  retryAtMs: number | undefined;
}

/** A batch that waits for its function's reserved concurrency. */
export interface ThrottledBatch {
  readonly batchId: string;
  readonly messages: readonly ReceivedMessage[];
  readonly receivedAtMs: number;
  /** The scheduled end of the wait, once it is known. */
  dropTaskId: number | undefined;
}

export function idleRunner(): RunnerState {
  return {
    pollRequestedAtMs: undefined,
    batchesInFlight: 0,
    busySinceMs: undefined,
    isHeldBack: false,
    gathered: [],
    gatheredBytes: 0,
    gatheredSinceMs: undefined,
    throttled: [],
    windowTaskId: undefined,
    failure: undefined,
    failedCount: 0,
    retryAtMs: undefined,
  };
}
