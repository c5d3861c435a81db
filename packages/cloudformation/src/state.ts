import type { Caller } from "@sandstack/core";
import type { PreparedTemplate } from "./engine/prepare.js";
import type { ParameterValue } from "./template/parameters.js";

/** One account and region's stacks. */
export interface CloudFormationState {
  /** By id, in the order of creation; deleted ones too, for they can be asked for by id. */
  readonly stacks: Map<string, Stack>;
  /** The ids of stacks that are not deleted, by name. */
  readonly stackIds: Map<string, string>;
  /** By name. */
  readonly exports: Map<string, Export>;
  /** By ARN, in the order of creation. */
  readonly changeSets: Map<string, ChangeSet>;
}

export function emptyState(): CloudFormationState {
  return { stacks: new Map(), stackIds: new Map(), exports: new Map(), changeSets: new Map() };
}

export interface Export {
  readonly stackId: string;
  readonly value: string;
}

/** A stack's statuses, as AWS names them. */
export type StackStatus =
  | "REVIEW_IN_PROGRESS"
  | "CREATE_IN_PROGRESS"
  | "CREATE_COMPLETE"
  | "CREATE_FAILED"
  | "ROLLBACK_IN_PROGRESS"
  | "ROLLBACK_COMPLETE"
  | "ROLLBACK_FAILED"
  | "UPDATE_IN_PROGRESS"
  | "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"
  | "UPDATE_COMPLETE"
  | "UPDATE_FAILED"
  | "UPDATE_ROLLBACK_IN_PROGRESS"
  | "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS"
  | "UPDATE_ROLLBACK_COMPLETE"
  | "UPDATE_ROLLBACK_FAILED"
  | "DELETE_IN_PROGRESS"
  | "DELETE_COMPLETE"
  | "DELETE_FAILED";

export type ResourceStatus =
  | "CREATE_IN_PROGRESS"
  | "CREATE_COMPLETE"
  | "CREATE_FAILED"
  | "UPDATE_IN_PROGRESS"
  | "UPDATE_COMPLETE"
  | "UPDATE_FAILED"
  | "DELETE_IN_PROGRESS"
  | "DELETE_COMPLETE"
  | "DELETE_FAILED"
  | "DELETE_SKIPPED";

/** What the user gives a stack, and keeps until an update has succeeded. */
export interface StackSettings {
  /** The template's text, as given. */
  readonly templateText: string;
  readonly description?: string | undefined;
  readonly parameters: readonly ParameterValue[];
  /** Without CloudFormation's own. */
  readonly tags: Readonly<Record<string, string>>;
  readonly capabilities: readonly string[];
  readonly notificationArns: readonly string[];
  readonly roleArn?: string | undefined;
}

export interface Stack {
  /** `arn:aws:cloudformation:<region>:<account>:stack/<name>/<uuid>` */
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  updatedAtMs?: number | undefined;
  deletedAtMs?: number | undefined;
  status: StackStatus;
  statusReason?: string | undefined;
  settings: StackSettings;
  /** What happens when the creation fails. */
  onFailure: "ROLLBACK" | "DELETE" | "DO_NOTHING";
  terminationProtection: boolean;
  timeoutMinutes?: number | undefined;
  /** The change set that made the stack what it is. */
  changeSetId?: string | undefined;
  outputs: readonly StackOutput[];
  /** Names of the exports that the stack reads. */
  imports: readonly string[];
  /** By logical id. */
  readonly resources: Map<string, StackResource>;
  /** Oldest first. */
  readonly events: StackEvent[];
  /** `idAtMs` of the newest event. */
  newestEventIdMs: number;
  /** What is being done, or waits to be. */
  operation?: StackOperation | undefined;
  /** A deletion that was asked for while something else was being done. */
  nextOperation?: StackOperation | undefined;
}

export interface StackOutput {
  readonly key: string;
  readonly value: string;
  readonly description?: string | undefined;
  readonly exportName?: string | undefined;
}

/** A resource of a stack, as it is now. Replaced as a whole, never changed in part. */
export interface StackResource {
  readonly logicalId: string;
  readonly type: string;
  /** What `Ref` gives; absent until the resource is made. */
  readonly physicalId?: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** As the type was given them. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** What an update in place was to make of the properties, while it has neither been done nor undone: any part of it may be in force. */
  readonly attempted?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: unknown;
  readonly status: ResourceStatus;
  readonly statusReason?: string | undefined;
  readonly updatedAtMs: number;
  /** Logical ids. */
  readonly dependsOn: readonly string[];
  readonly deletionPolicy: RetentionPolicy;
  readonly updateReplacePolicy: RetentionPolicy;
  /** Why there is only a stand-in. */
  readonly skippedReason?: string | undefined;
  readonly ignoredProperties: readonly IgnoredProperty[];
  /** The stack's tags when the resource was made or last updated. */
  readonly stackTags: Readonly<Record<string, string>>;
}

export type RetentionPolicy = "Delete" | "Retain" | "RetainExceptOnCreate";

/** A property that a resource was made without. */
export interface IgnoredProperty {
  readonly logicalId: string;
  readonly resourceType: string;
  /** `KmsMasterKeyId`, `Code.ImageUri`, `Tags[0].Foo` */
  readonly path: string;
  readonly reason: string;
}

export interface StackEvent {
  /** For the stack's own events; those of resources are named by what they say, and `idAtMs`. */
  readonly id?: string | undefined;
  /** As `atMs`, but later for each event, so that ids are unique while the clock stands. */
  readonly idAtMs: number;
  readonly atMs: number;
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
  readonly status: ResourceStatus | StackStatus;
  readonly reason?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/** Work on a stack, as the task that does it finds it. */
export type StackOperation =
  | { readonly kind: "create" | "update"; readonly prepared: PreparedTemplate; readonly settings: StackSettings; readonly caller: Caller | undefined; readonly retainExceptOnCreate: boolean; readonly disableRollback: boolean }
  | { readonly kind: "delete"; readonly caller: Caller | undefined; readonly retainResources: readonly string[] };

export interface ChangeSet {
  /** `arn:aws:cloudformation:<region>:<account>:changeSet/<name>/<uuid>` */
  readonly id: string;
  readonly name: string;
  readonly stackId: string;
  readonly description?: string | undefined;
  readonly createdAtMs: number;
  status: "CREATE_COMPLETE" | "FAILED";
  statusReason?: string | undefined;
  executionStatus: "UNAVAILABLE" | "AVAILABLE" | "EXECUTE_COMPLETE" | "OBSOLETE";
  readonly type: "CREATE" | "UPDATE";
  readonly settings: StackSettings;
  readonly onStackFailure?: "ROLLBACK" | "DELETE" | "DO_NOTHING" | undefined;
  readonly prepared: PreparedTemplate;
  readonly changes: readonly PlannedChange[];
}

/** One resource that a change set adds, changes or removes. */
export interface PlannedChange {
  readonly action: "Add" | "Modify" | "Remove";
  readonly logicalId: string;
  readonly type: string;
  readonly physicalId?: string | undefined;
  readonly replacement?: "True" | "False" | "Conditional" | undefined;
  readonly policyAction?: "Delete" | "Retain" | "ReplaceAndDelete" | "ReplaceAndRetain" | undefined;
  readonly scope: readonly ("Properties" | "Metadata" | "Tags" | "DeletionPolicy" | "UpdateReplacePolicy")[];
  readonly details: readonly PlannedDetail[];
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

export interface PlannedDetail {
  readonly attribute: "Properties" | "Metadata" | "Tags" | "DeletionPolicy" | "UpdateReplacePolicy";
  readonly name?: string | undefined;
  readonly requiresRecreation: "Never" | "Conditionally" | "Always";
  readonly evaluation: "Static" | "Dynamic";
  readonly changeSource: "DirectModification" | "ParameterReference" | "ResourceReference" | "ResourceAttribute";
  readonly causingEntity?: string | undefined;
}
