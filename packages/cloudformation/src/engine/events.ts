import { uuid, type ServiceContext } from "@sandstack/core";
import { MAX_STACK_EVENTS } from "../limits.js";
import type { CloudFormationState, ResourceStatus, Stack, StackEvent, StackResource, StackStatus } from "../state.js";

type Context = ServiceContext<CloudFormationState>;

/** Sets a stack's status, with the event and the record that say so. */
export function setStackStatus(ctx: Context, stack: Stack, status: StackStatus, reason?: string): void {
  stack.status = status;
  stack.statusReason = reason;
  appendEvent(ctx, stack, { id: uuid(ctx.random), logicalId: stack.name, physicalId: stack.id, type: "AWS::CloudFormation::Stack", status, reason });
  ctx.record({ kind: "cloudformation.stack.changed", stackName: stack.name, stackId: stack.id, status, reason });
}

/** A resource with a status; what is not given stays as it was. */
export type ResourceChange = Partial<StackResource> & { readonly status: ResourceStatus };

/** Puts a changed resource in the stack, with the event and the record that say so. */
export function setResource(ctx: Context, stack: Stack, resource: StackResource, change: ResourceChange): StackResource {
  const changed: StackResource = { ...resource, statusReason: undefined, ...change, updatedAtMs: ctx.nowMs };
  stack.resources.set(changed.logicalId, changed);
  recordResource(ctx, stack, changed);
  return changed;
}

/** The event and the record of a physical resource that is no longer the stack's: one that was replaced. */
export function recordResource(ctx: Context, stack: Stack, resource: StackResource): void {
  const { logicalId, physicalId = "", type, status, statusReason: reason, properties } = resource;
  appendEvent(ctx, stack, { logicalId, physicalId, type, status, reason, properties });
  ctx.record({ kind: "cloudformation.resource.changed", stackName: stack.name, logicalId, resourceType: type, physicalId, status, reason });
}

function appendEvent(ctx: Context, stack: Stack, event: Omit<StackEvent, "atMs" | "idAtMs">): void {
  stack.newestEventIdMs = Math.max(ctx.nowMs, stack.newestEventIdMs + 1);
  stack.events.push({ ...event, atMs: ctx.nowMs, idAtMs: stack.newestEventIdMs });
  // Taken off in slices, so that a stack updated without end pays little for each event.
  if (stack.events.length > MAX_STACK_EVENTS + 1_000) stack.events.splice(0, stack.events.length - MAX_STACK_EVENTS);
}

/** `Queue-CREATE_COMPLETE-2024-01-01T00:00:00.000Z` for a resource's, a UUID for the stack's own. */
export function eventIdOf({ id, logicalId, status, idAtMs }: StackEvent): string {
  return id ?? `${logicalId}-${status}-${new Date(idAtMs).toISOString()}`;
}
