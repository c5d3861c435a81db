import type { CurrentResource, ResourceContext, ResourceResult } from "@sandstack/core";
import { invariant, type Caller } from "@sandstack/core";
import { validationError } from "../errors.js";
import { compareProperties, isSame } from "../spec/properties.js";
import { typeSpecOf } from "../spec/spec.js";
import type { Stack, StackResource } from "../state.js";
import { recordResource, setResource } from "./events.js";
import { resourceFailure } from "./failure.js";
import { resourceContext } from "./resource-context.js";
import { skippedIn } from "./stand-ins.js";
import { wantedResource, type Context, type Run, type WantedResource } from "./run.js";

const REPLACING = "Requested update requires the creation of a new physical resource; hence creating one.";

/** Makes one resource; answers whether that went well. */
export async function createResource(run: Run, logicalId: string): Promise<boolean> {
  const { ctx, stack } = run;
  const { type } = run.operation.prepared.template.resources[logicalId]!; // only ids of the template are visited
  let resource = newResource(run, logicalId, type);
  const begin = (known: Partial<StackResource>): void => void (resource = setResource(ctx, stack, { ...resource, ...known }, { status: "CREATE_IN_PROGRESS" }));
  run.before.set(logicalId, undefined);
  try {
    const wanted = wantedResource(run, logicalId);
    begin(kept(run, wanted));
    const made = await make(run, wanted);
    resource = setResource(ctx, stack, { ...resource, ...made }, { status: "CREATE_IN_PROGRESS", statusReason: "Resource creation Initiated" });
    // Another resource has failed meanwhile: what was underway counts as called off, and is taken down with the rest.
    const isCalledOff = run.failures.length > 0;
    setResource(ctx, stack, resource, isCalledOff ? { status: "CREATE_FAILED", statusReason: "Resource creation cancelled" } : { status: "CREATE_COMPLETE" });
    return !isCalledOff;
  } catch (thrown) {
    // What cannot be evaluated, or does not fit its type, has begun too.
    if (!stack.resources.has(logicalId)) begin({});
    fail(run, resource, thrown, "CREATE_FAILED");
    return false;
  }
}

/** Brings one resource that is there to what the template says now; answers whether that went well. */
export async function updateResource(run: Run, logicalId: string): Promise<boolean> {
  const { ctx, stack } = run;
  const current = stack.resources.get(logicalId);
  invariant(current, "what is updated is there");
  run.before.set(logicalId, current);
  try {
    const wanted = wantedResource(run, logicalId);
    const plan = planUpdate(current, wanted, run.operation.settings.tags);
    if (plan === "nothing" && current.attempted === undefined) return true;
    const whole = await undoAttempt(contextOf(run, logicalId), ctx.resourceTypes, current);
    if (plan === "replace") return await replaceResource(run, whole, wanted);
    const started = setResource(ctx, stack, whole, { status: "UPDATE_IN_PROGRESS" });
    const made = plan === "in place" ? await changeInPlace(run, wanted, started) : {};
    setResource(ctx, stack, { ...started, ...kept(run, wanted), ...made }, { status: "UPDATE_COMPLETE" });
    return true;
  } catch (thrown) {
    fail(run, stack.resources.get(logicalId) ?? current, thrown, "UPDATE_FAILED");
    return false;
  }
}

async function replaceResource(run: Run, current: StackResource, wanted: WantedResource): Promise<boolean> {
  const { ctx, stack } = run;
  refuseSameName(current, wanted);
  setResource(ctx, stack, current, { status: "UPDATE_IN_PROGRESS", statusReason: REPLACING });
  const made = await make(run, wanted);
  const resource = setResource(ctx, stack, { ...current, ...kept(run, wanted), ...made }, { status: "UPDATE_IN_PROGRESS", statusReason: "Resource creation Initiated" });
  run.replaced.push(current);
  setResource(ctx, stack, resource, { status: "UPDATE_COMPLETE" });
  return true;
}

async function changeInPlace(run: Run, wanted: WantedResource, current: StackResource): Promise<Partial<StackResource>> {
  const update = wanted.resourceType?.update;
  invariant(update, "what is changed in place can be");
  // Forgotten again when the update is done: what is kept then comes from `current`, which has none.
  run.stack.resources.set(wanted.logicalId, { ...current, attempted: wanted.properties });
  const made = await update(contextOf(run, wanted.logicalId), wanted.properties, asCurrent(current));
  // A type may find while updating that it had to make a new one.
  if (made.physicalId !== current.physicalId) run.replaced.push(current);
  return { physicalId: made.physicalId, attributes: made.attributes };
}

/** The resource as its properties say, where an update broke off that may have done a part of what it was to do: all of that is undone. */
async function undoAttempt(ctx: ResourceContext, resourceTypes: Context["resourceTypes"], { attempted, ...resource }: StackResource): Promise<StackResource> {
  const update = resource.skippedReason === undefined ? resourceTypes.get(resource.type)?.update : undefined;
  if (attempted === undefined || update === undefined) return resource;
  const { physicalId, attributes } = await update(ctx, resource.properties, asCurrent({ ...resource, properties: attempted }));
  return { ...resource, physicalId, attributes };
}

type UpdatePlan = "nothing" | "settings" | "in place" | "replace";

/** What has to be done to a resource: `settings` means that only metadata or policies changed, which no service hears of. */
export function planUpdate(current: StackResource, wanted: WantedResource, tags: Readonly<Record<string, string>>): UpdatePlan {
  const spec = typeSpecOf(wanted.type);
  const { changed, replacing } = compareProperties(spec ?? { properties: {}, required: [], replacing: [], maybeReplacing: [] }, current.properties, wanted.properties);
  const isTagged = spec?.tagProperty !== undefined && wanted.resourceType?.actsOn.includes(spec.tagProperty) === true;
  if (replacing.length > 0 && wanted.resourceType !== undefined) return "replace";
  if (changed.length > 0 || (isTagged && !isSame(current.stackTags, tags))) {
    if (wanted.resourceType === undefined) return "settings";
    return wanted.resourceType.update === undefined ? "replace" : "in place";
  }
  const isSameSettings = isSame(current.metadata, wanted.metadata) && current.deletionPolicy === wanted.deletionPolicy && current.updateReplacePolicy === wanted.updateReplacePolicy;
  return isSameSettings ? "nothing" : "settings";
}

/** @throws ValidationError when the new resource would have the name of the old one, which is still there */
function refuseSameName(current: StackResource, wanted: WantedResource): void {
  const nameProperty = `${wanted.type.slice(wanted.type.lastIndexOf(":") + 1)}Name`;
  const name = wanted.properties[nameProperty];
  if (typeof name !== "string" || name !== current.properties[nameProperty]) return;
  throw validationError(`CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename ${name} and update the stack again.`);
}

async function make(run: Run, { logicalId, resourceType, properties }: WantedResource): Promise<ResourceResult> {
  if (resourceType === undefined) return { physicalId: logicalId, attributes: {} };
  const { physicalId, attributes } = await resourceType.create(contextOf(run, logicalId), properties);
  return { physicalId, attributes };
}

function contextOf({ ctx, stack, operation }: Run, logicalId: string): ResourceContext {
  return resourceContext({ ctx, stack, logicalId, caller: operation.caller, tags: operation.settings.tags });
}

/** What the stack keeps of a wanted resource. */
function kept(run: Run, wanted: WantedResource): Omit<StackResource, "logicalId" | "type" | "attributes" | "status" | "updatedAtMs"> {
  const { properties, metadata, dependsOn, deletionPolicy, updateReplacePolicy, skippedReason, ignoredProperties } = wanted;
  return { properties, metadata, dependsOn, deletionPolicy, updateReplacePolicy, skippedReason, ignoredProperties, stackTags: run.operation.settings.tags };
}

function newResource({ ctx }: Run, logicalId: string, type: string): StackResource {
  return {
    logicalId,
    type,
    attributes: {},
    properties: {},
    status: "CREATE_IN_PROGRESS",
    updatedAtMs: ctx.nowMs,
    dependsOn: [],
    deletionPolicy: "Delete",
    updateReplacePolicy: "Delete",
    ignoredProperties: [],
    stackTags: {},
  };
}

function asCurrent({ physicalId = "", attributes, properties }: StackResource): CurrentResource<unknown> {
  return { physicalId, attributes, properties };
}

function fail({ ctx, stack, failures, operation }: Run, resource: StackResource, thrown: unknown, status: "CREATE_FAILED" | "UPDATE_FAILED"): void {
  const { logicalId, type } = resource;
  const { prepared } = operation;
  const properties = prepared.template.resources[logicalId]?.properties ?? {};
  const skipped = new Map(Object.entries(properties).map(([name, value]) => [name, skippedIn(value, stack, prepared)] as const).filter(([, resources]) => resources.length > 0));
  const failure = resourceFailure(thrown, { stackName: stack.name, logicalId, type, properties, skipped }, ctx.random);
  setResource(ctx, stack, resource, { status, statusReason: failure.reason });
  failures.push(failure);
}

/** How a physical resource is taken down. */
export interface Removal {
  readonly ctx: Context;
  readonly stack: Stack;
  readonly caller: Caller | undefined;
  readonly tags: Readonly<Record<string, string>>;
  /** True where another physical resource has its place in the stack. */
  readonly isReplaced?: boolean;
}

/**
 * Deletes a physical resource, or leaves it alone where its policy says so.
 *
 * @returns the failure, if it could not be deleted
 */
export async function removeResource({ ctx, stack, caller, tags, isReplaced = false }: Removal, resource: StackResource, isRetained: boolean): Promise<Error | undefined> {
  const set = (change: Partial<StackResource> & Pick<StackResource, "status">): void => {
    if (isReplaced) recordResource(ctx, stack, { ...resource, statusReason: undefined, ...change });
    else setResource(ctx, stack, resource, change);
  };
  if (isRetained) {
    set({ status: "DELETE_SKIPPED" });
    return undefined;
  }
  set({ status: "DELETE_IN_PROGRESS" });
  try {
    const resourceType = resource.skippedReason === undefined ? ctx.resourceTypes.get(resource.type) : undefined;
    const context = resourceContext({ ctx, stack, logicalId: resource.logicalId, caller, tags });
    await resourceType?.delete(context, asCurrent(await undoAttempt(context, ctx.resourceTypes, resource)));
    set({ status: "DELETE_COMPLETE" });
    return undefined;
  } catch (thrown) {
    const { logicalId, type, properties } = resource;
    const failure = resourceFailure(thrown, { stackName: stack.name, logicalId, type, properties }, ctx.random);
    set({ status: "DELETE_FAILED", statusReason: failure.reason });
    return failure.error;
  }
}

/** Puts a resource back to what it was before an update; answers whether that went well. */
export async function restoreResource(run: Run, logicalId: string): Promise<boolean> {
  const { ctx, stack, operation } = run;
  const before = run.before.get(logicalId);
  const current = stack.resources.get(logicalId);
  if (before === undefined || current === undefined || current === before) return true;
  const started = setResource(ctx, stack, current, { status: "UPDATE_IN_PROGRESS" });
  try {
    const isOther = current.physicalId !== before.physicalId;
    const update = before.skippedReason === undefined ? ctx.resourceTypes.get(before.type)?.update : undefined;
    const context = resourceContext({ ctx, stack, logicalId, caller: operation.caller, tags: stack.settings.tags });
    // Where the update broke off, any part of what it was to do may be in force.
    const properties = current.attempted ?? current.properties;
    const made = isOther || update === undefined ? asCurrent(before) : await update(context, before.properties, asCurrent({ ...current, properties }));
    setResource(ctx, stack, { ...before, attempted: undefined, physicalId: made.physicalId, attributes: made.attributes }, { status: "UPDATE_COMPLETE" });
    return true;
  } catch (thrown) {
    fail(run, started, thrown, "UPDATE_FAILED");
    return false;
  }
}
