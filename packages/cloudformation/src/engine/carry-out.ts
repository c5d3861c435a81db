import { invariant, isAwsError } from "@sandstack/core";
import { validationError } from "../errors.js";
import { evaluate, NO_VALUE } from "../intrinsics/evaluate.js";
import { MAX_DELETED_STACKS, MAX_EXPORT_NAME_LENGTH } from "../limits.js";
import type { CloudFormationState, Stack, StackOperation, StackOutput, StackResource, StackStatus } from "../state.js";
import { setStackStatus } from "./events.js";
import { reverse, visitInOrder, type Dependencies } from "./graph.js";
import { createResource, removeResource, restoreResource, updateResource, type Removal } from "./resource-work.js";
import { madeFromSkipped, skippedIn } from "./stand-ins.js";
import { startRun, type Context, type DeployOperation, type Run } from "./run.js";

/** Does what was asked of a stack, to the end. Failures of resources are statuses of the stack; they are not thrown. */
export async function carryOut(ctx: Context, stack: Stack): Promise<void> {
  const { operation } = stack;
  invariant(operation, "a stack whose task is due has work to do");
  if (operation.kind === "delete") await deleteStack(ctx, stack, operation);
  else if (operation.kind === "create") await create(ctx, stack, operation);
  else await update(ctx, stack, operation);
  stack.operation = undefined;
}

/** The errors of the newest operation's failures, by stack id: beside the state, for they are the services' own objects. */
export function failureTable(ctx: Pick<Context, "table">): Map<string, Error> {
  return ctx.table<Error>("failures");
}

async function create(ctx: Context, stack: Stack, operation: DeployOperation): Promise<void> {
  const run = startRun(ctx, stack, operation);
  const problem = await build(run, (logicalId) => createResource(run, logicalId));
  if (problem === undefined) {
    finishDeployment(run);
    setStackStatus(ctx, stack, "CREATE_COMPLETE");
    return;
  }
  keepFailure(run, problem);
  if (operation.disableRollback || stack.onFailure === "DO_NOTHING") {
    setStackStatus(ctx, stack, "CREATE_FAILED", problem);
    return;
  }
  stack.deletedAtMs = ctx.nowMs;
  setStackStatus(ctx, stack, stack.onFailure === "DELETE" ? "DELETE_IN_PROGRESS" : "ROLLBACK_IN_PROGRESS", `${problem}Rollback requested by user.`);
  const stuck = await removeAll(run, [...stack.resources.values()].filter(isMade), (resource) => resource.deletionPolicy === "Retain" && !operation.retainExceptOnCreate);
  if (stuck.length > 0) setStackStatus(ctx, stack, stack.onFailure === "DELETE" ? "DELETE_FAILED" : "ROLLBACK_FAILED", failedTo("delete", stuck));
  else if (stack.onFailure === "DELETE") forgetStack(ctx, stack);
  else setStackStatus(ctx, stack, "ROLLBACK_COMPLETE");
}

async function update(ctx: Context, stack: Stack, operation: DeployOperation): Promise<void> {
  const run = startRun(ctx, stack, operation);
  const problem = await build(run, (logicalId) => (isThere(stack.resources.get(logicalId)) ? updateResource(run, logicalId) : createResource(run, logicalId)));
  if (problem === undefined) {
    finishDeployment(run);
    await cleanUp(run);
    return;
  }
  keepFailure(run, problem);
  if (operation.disableRollback) setStackStatus(ctx, stack, "UPDATE_FAILED", problem);
  else await rollBackUpdate(run, problem);
}

/** Makes all resources and works out the outputs; answers AWS's text of what went wrong. */
async function build(run: Run, visit: (logicalId: string) => Promise<boolean>): Promise<string | undefined> {
  const { prepared } = run.operation;
  const [unknownAttribute] = prepared.unknownAttributes;
  if (unknownAttribute !== undefined) return `${unknownAttribute} `;
  await visitInOrder(prepared.dependencies, visit);
  if (run.failures.length > 0) return describeFailures(run);
  const refusal = refusalOf(() => (run.stack.outputs = checkedOutputs(run)));
  return refusal && `${refusal.message} `;
}

/** The ValidationError that `work` ends in, if it does: outputs and exports are refused by it. Anything else is a bug, and stays one. */
function refusalOf(work: () => unknown): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!isAwsError(error) || error.name !== "ValidationError") throw error;
    return error;
  }
}

/** The outputs; refuses exports that others have, and changes of exports that others read. */
function checkedOutputs(run: Run): StackOutput[] {
  const { ctx, stack, operation } = run;
  const outputs = operation.prepared.outputs.map((key) => outputOf(run, key));
  const names = outputs.flatMap(({ exportName }) => exportName ?? []);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw validationError(`Export with name ${twice} is already exported by stack ${stack.name}.`);
  const wanted = new Map(outputs.flatMap(({ exportName, value }) => (exportName === undefined ? [] : [[exportName, value] as const])));
  for (const name of wanted.keys()) {
    const owner = ctx.state.exports.get(name)?.stackId;
    if (owner !== undefined && owner !== stack.id) throw validationError(`Export with name ${name} is already exported by stack ${ctx.state.stacks.get(owner)?.name ?? owner}.`);
  }
  for (const [name, { stackId, value }] of ctx.state.exports) {
    if (stackId !== stack.id || wanted.get(name) === value) continue;
    const importers = importersOf(ctx.state, name);
    if (importers.length > 0) throw validationError(`Export ${name} cannot be ${wanted.has(name) ? "updated" : "deleted"} as it is in use by ${importers.join(", ")}.`);
  }
  return outputs;
}

function outputOf(run: Run, key: string): StackOutput {
  const { prepared } = run.operation;
  try {
    return evaluatedOutput(run, key);
  } catch (error) {
    const skipped = skippedIn([prepared.template.outputs[key]?.value, prepared.template.outputs[key]?.exportName], run.stack, prepared);
    if (!isAwsError(error) || skipped.length === 0) throw error;
    throw validationError(`${error.message} (output ${key}). ${madeFromSkipped("It", skipped)}`);
  }
}

function evaluatedOutput({ operation: { prepared }, scope }: Run, key: string): StackOutput {
  const { value, description, exportName } = prepared.template.outputs[key]!; // the prepared outputs are the template's
  const evaluated = evaluate(value, scope);
  if (typeof evaluated === "object" || evaluated === undefined || evaluated === NO_VALUE) throw validationError(`Template format error: Output ${key} is malformed. The Value field of every Outputs member must evaluate to a String.`);
  const name = exportName === undefined ? undefined : String(evaluate(exportName, scope));
  if (name !== undefined && (name === "" || name.length > MAX_EXPORT_NAME_LENGTH)) throw validationError(`Template format error: Output ${key} has an export name that is empty or over ${MAX_EXPORT_NAME_LENGTH} characters.`);
  return { key, value: String(evaluated), description, exportName: name };
}

/** Names of the stacks that read an export, or are being made or changed to read it. */
export function importersOf({ stacks, stackIds }: CloudFormationState, exportName: string): string[] {
  const reads = ({ imports, operation }: Stack): boolean => imports.includes(exportName) || (operation !== undefined && operation.kind !== "delete" && operation.prepared.imports.includes(exportName));
  return [...stackIds].filter(([, id]) => stacks.has(id) && reads(stacks.get(id)!)).map(([name]) => name); // it was just looked for
}

/** @throws ValidationError when another stack reads one of a stack's exports */
export function refuseDeletionInUse(state: CloudFormationState, stack: Stack): void {
  for (const [name, { stackId }] of state.exports) {
    const importers = stackId === stack.id ? importersOf(state, name).filter((importer) => importer !== stack.name) : [];
    if (importers.length > 0) throw validationError(`Export ${name} cannot be deleted as it is in use by ${importers.join(", ")}`);
  }
}

/** The stack is now what the operation wanted. */
function finishDeployment({ ctx, stack, operation }: Run): void {
  stack.settings = operation.settings;
  stack.imports = operation.prepared.imports;
  for (const [name, { stackId }] of ctx.state.exports) if (stackId === stack.id) ctx.state.exports.delete(name);
  for (const { exportName, value } of stack.outputs) if (exportName !== undefined) ctx.state.exports.set(exportName, { stackId: stack.id, value });
}

/** After an update: what was replaced or is no longer in the template goes. What cannot be deleted is left behind, as on AWS. */
async function cleanUp(run: Run): Promise<void> {
  const { ctx, stack, operation } = run;
  setStackStatus(ctx, stack, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS");
  for (const old of run.replaced.toReversed()) await removeResource({ ...removalOf(run), isReplaced: true }, old, old.updateReplacePolicy === "Retain");
  const removed = [...stack.resources.values()].filter(({ logicalId }) => !operation.prepared.dependencies.has(logicalId));
  await removeAll(run, removed, (resource) => resource.deletionPolicy !== "Delete");
  for (const { logicalId } of removed) stack.resources.delete(logicalId);
  setStackStatus(ctx, stack, "UPDATE_COMPLETE");
}

async function rollBackUpdate(run: Run, problem: string): Promise<void> {
  const { ctx, stack } = run;
  setStackStatus(ctx, stack, "UPDATE_ROLLBACK_IN_PROGRESS", problem);
  const old = new Map([...run.before].flatMap(([logicalId, before]) => (before === undefined ? [] : [[logicalId, before.dependsOn] as const])));
  const madeAnew = [...run.before.keys()].flatMap((logicalId) => madeInUpdate(run, logicalId));
  const restored: string[] = [];
  await visitInOrder(old, async (logicalId) => {
    if (await restoreResource(run, logicalId)) restored.push(logicalId);
    return true;
  });
  const stuck = [...old.keys()].filter((logicalId) => !restored.includes(logicalId));
  if (stuck.length > 0) {
    setStackStatus(ctx, stack, "UPDATE_ROLLBACK_FAILED", failedTo("update", stuck));
    return;
  }
  setStackStatus(ctx, stack, "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS");
  for (const resource of madeAnew.toReversed()) {
    const isReplaced = run.before.get(resource.logicalId) !== undefined;
    await removeResource({ ...removalOf(run), isReplaced }, resource, resource.deletionPolicy === "Retain" && !run.operation.retainExceptOnCreate);
  }
  for (const [logicalId, before] of run.before) if (before === undefined) stack.resources.delete(logicalId);
  setStackStatus(ctx, stack, "UPDATE_ROLLBACK_COMPLETE");
}

/** The physical resource that the update made under a logical id, if it did. */
function madeInUpdate({ before, stack }: Run, logicalId: string): StackResource[] {
  const current = stack.resources.get(logicalId);
  return current?.physicalId === undefined || current.physicalId === before.get(logicalId)?.physicalId ? [] : [current];
}

/** A stack is on its way out. */
export function beginDeletion(ctx: Context, stack: Stack): void {
  stack.deletedAtMs = ctx.nowMs;
  stack.changeSetId = undefined;
  setStackStatus(ctx, stack, "DELETE_IN_PROGRESS", "User Initiated");
}

async function deleteStack(ctx: Context, stack: Stack, operation: Extract<StackOperation, { kind: "delete" }>): Promise<void> {
  // It had to wait for other work on the stack, and another stack may have come to need this one meanwhile.
  if (stack.status !== "DELETE_IN_PROGRESS") {
    beginDeletion(ctx, stack);
    const refusal = refusalOf(() => refuseDeletionInUse(ctx.state, stack));
    if (refusal !== undefined) {
      failureTable(ctx).set(stack.id, refusal);
      setStackStatus(ctx, stack, "DELETE_FAILED", refusal.message);
      return;
    }
  }
  const removal: Removal = { ctx, stack, caller: operation.caller, tags: stack.settings.tags };
  const resources = [...stack.resources.values()].filter(isMade);
  const failures = new Map<string, Error>();
  await visitInOrder(removalOrder(resources), async (logicalId) => {
    const resource = stack.resources.get(logicalId)!; // the order is of these resources
    const error = await removeResource(removal, resource, resource.deletionPolicy !== "Delete" || operation.retainResources.includes(logicalId));
    if (error !== undefined) failures.set(logicalId, error);
    return true;
  });
  const [error] = failures.values();
  if (error === undefined) {
    forgetStack(ctx, stack);
    return;
  }
  failureTable(ctx).set(stack.id, error);
  setStackStatus(ctx, stack, "DELETE_FAILED", failedTo("delete", [...failures.keys()]));
}

/** A deleted stack can be asked for by id; its name is free. */
export function forgetStack(ctx: Context, stack: Stack): void {
  const { state } = ctx;
  stack.deletedAtMs = ctx.nowMs;
  stack.imports = [];
  stack.changeSetId = undefined;
  for (const [name, { stackId }] of state.exports) if (stackId === stack.id) state.exports.delete(name);
  for (const [id, { stackId }] of state.changeSets) if (stackId === stack.id) state.changeSets.delete(id);
  if (state.stackIds.get(stack.name) === stack.id) state.stackIds.delete(stack.name);
  setStackStatus(ctx, stack, "DELETE_COMPLETE");
  const excess = state.stacks.size - state.stackIds.size - MAX_DELETED_STACKS;
  if (excess <= 0) return;
  for (const { id } of [...state.stacks.values()].filter(({ status }) => status === "DELETE_COMPLETE").slice(0, excess)) state.stacks.delete(id);
}

/** Deletes resources, those that need others first; answers the logical ids of those that could not be. */
async function removeAll(run: Run, resources: readonly StackResource[], isRetained: (resource: StackResource) => boolean): Promise<string[]> {
  const stuck: string[] = [];
  await visitInOrder(removalOrder(resources), async (logicalId) => {
    const resource = run.stack.resources.get(logicalId)!; // the order is of these resources
    if ((await removeResource(removalOf(run), resource, isRetained(resource))) !== undefined) stuck.push(logicalId);
    return true;
  });
  return stuck;
}

function removalOrder(resources: readonly StackResource[]): Dependencies {
  const there = new Set(resources.map(({ logicalId }) => logicalId));
  // Last made, first deleted, where nothing else orders them.
  return reverse(new Map(resources.toReversed().map(({ logicalId, dependsOn }) => [logicalId, dependsOn.filter((id) => there.has(id))])));
}

function removalOf({ ctx, stack, operation }: Run): Removal {
  return { ctx, stack, caller: operation.caller, tags: operation.settings.tags };
}

/** On delete nothing is said of resources that were never made. */
function isMade({ physicalId, status }: StackResource): boolean {
  return physicalId !== undefined && status !== "DELETE_COMPLETE" && status !== "DELETE_SKIPPED";
}

function isThere(resource: StackResource | undefined): boolean {
  return resource !== undefined && isMade(resource);
}

function describeFailures({ failures, before }: Run): string {
  const isCreation = ({ logicalId }: { logicalId: string }): boolean => before.get(logicalId) === undefined;
  const created = failures.filter(isCreation).map(({ logicalId }) => logicalId);
  const updated = failures.filter((failure) => !isCreation(failure)).map(({ logicalId }) => logicalId);
  return `${created.length === 0 ? "" : failedTo("create", created)}${updated.length === 0 ? "" : failedTo("update", updated)}`;
}

function failedTo(verb: "create" | "update" | "delete", logicalIds: readonly string[]): string {
  return `The following resource(s) failed to ${verb}: [${logicalIds.join(", ")}]. `;
}

function keepFailure({ ctx, stack, failures }: Run, problem: string): void {
  failureTable(ctx).set(stack.id, failures[0]?.error ?? validationError(problem.trim()));
}

/** The statuses in which work is underway. */
export function isInProgress(status: StackStatus): boolean {
  return status.endsWith("_IN_PROGRESS") && status !== "REVIEW_IN_PROGRESS";
}
