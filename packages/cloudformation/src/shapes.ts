import { types } from "node:util";
import type { Parameter, ResourceStatus as SdkResourceStatus, Stack as SdkStack, StackEvent as SdkStackEvent, StackResource as SdkStackResource, StackResourceSummary, StackSummary, Tag } from "@aws-sdk/client-cloudformation";
import { eventIdOf } from "./engine/events.js";
import type { Stack, StackEvent, StackResource, StackSettings } from "./state.js";
import type { ParameterValue } from "./template/parameters.js";

const NOT_CHECKED = "NOT_CHECKED";

/** A stack as DescribeStacks answers it. */
export function describeStack(stack: Stack): SdkStack {
  const { settings, status } = stack;
  const outputs = stack.outputs.map(({ key, value, description, exportName }) => ({ OutputKey: key, OutputValue: value, Description: description, ExportName: exportName }));
  return {
    StackId: stack.id,
    StackName: stack.name,
    ChangeSetId: stack.changeSetId,
    Description: settings.description,
    Parameters: parametersShown(settings),
    CreationTime: new Date(stack.createdAtMs),
    LastUpdatedTime: dateOf(stack.updatedAtMs),
    DeletionTime: dateOf(stack.deletedAtMs),
    RollbackConfiguration: {},
    StackStatus: status,
    StackStatusReason: stack.statusReason,
    DisableRollback: stack.onFailure === "DO_NOTHING",
    NotificationARNs: [...settings.notificationArns],
    TimeoutInMinutes: stack.timeoutMinutes,
    Capabilities: settings.capabilities.length === 0 ? undefined : ([...settings.capabilities] as SdkStack["Capabilities"]), // the SDK's names, checked when they came in
    Outputs: outputs.length === 0 ? undefined : outputs,
    RoleARN: settings.roleArn,
    Tags: tagsShown(settings),
    EnableTerminationProtection: status === "DELETE_COMPLETE" ? undefined : stack.terminationProtection,
    DriftInformation: { StackDriftStatus: NOT_CHECKED },
  };
}

/** A stack as ListStacks answers it. */
export function summarizeStack(stack: Stack): StackSummary {
  return {
    StackId: stack.id,
    StackName: stack.name,
    TemplateDescription: stack.settings.description,
    CreationTime: new Date(stack.createdAtMs),
    LastUpdatedTime: dateOf(stack.updatedAtMs),
    DeletionTime: dateOf(stack.deletedAtMs),
    StackStatus: stack.status,
    StackStatusReason: stack.statusReason,
    DriftInformation: { StackDriftStatus: NOT_CHECKED },
  };
}

export function describeEvent(stack: Stack, event: StackEvent): SdkStackEvent {
  return {
    StackId: stack.id,
    EventId: eventIdOf(event),
    StackName: stack.name,
    LogicalResourceId: event.logicalId,
    PhysicalResourceId: event.physicalId,
    ResourceType: event.type,
    Timestamp: new Date(event.atMs),
    ResourceStatus: event.status as SdkResourceStatus, // a stack's own events carry its status, as on AWS
    ResourceStatusReason: event.reason,
    ResourceProperties: event.properties === undefined ? undefined : JSON.stringify(event.properties, bytesAsBase64),
  };
}

/** A resource as DescribeStackResources answers it. */
export function describeResource(stack: Stack, resource: StackResource): SdkStackResource {
  return { StackName: stack.name, StackId: stack.id, ...resourceMembers(resource), Timestamp: new Date(resource.updatedAtMs) };
}

/** A resource as ListStackResources answers it. */
export function summarizeResource(resource: StackResource): StackResourceSummary {
  return { ...resourceMembers(resource), LastUpdatedTimestamp: new Date(resource.updatedAtMs) };
}

export function resourceMembers(resource: StackResource): Pick<SdkStackResource, "LogicalResourceId" | "PhysicalResourceId" | "ResourceType" | "ResourceStatus" | "ResourceStatusReason"> & {
  DriftInformation: { StackResourceDriftStatus: "NOT_CHECKED" };
} {
  return {
    LogicalResourceId: resource.logicalId,
    PhysicalResourceId: resource.physicalId,
    ResourceType: resource.type,
    ResourceStatus: resource.status,
    ResourceStatusReason: resource.statusReason,
    DriftInformation: { StackResourceDriftStatus: NOT_CHECKED },
  };
}

export function tagsShown({ tags }: StackSettings): Tag[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

/** Parameters as they are shown: four asterisks for those that are not to be echoed. */
export function parametersShown({ parameters }: { readonly parameters: readonly ParameterValue[] }): Parameter[] | undefined {
  if (parameters.length === 0) return undefined;
  return parameters.map(({ name, text, resolved, isNoEcho }) => ({ ParameterKey: name, ParameterValue: isNoEcho ? "****" : text, ResolvedValue: isNoEcho ? undefined : resolved }));
}

/** The code of a bound in-process handler is bytes. */
function bytesAsBase64(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key]; // JSON.stringify calls this with the object that holds the key
  return types.isUint8Array(original) ? Buffer.from(original).toString("base64") : value;
}

function dateOf(atMs: number | undefined): Date | undefined {
  return atMs === undefined ? undefined : new Date(atMs);
}
