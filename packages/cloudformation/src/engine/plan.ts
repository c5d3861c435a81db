import { evaluate } from "../intrinsics/evaluate.js";
import { isPending, pendingAsShown, pendingValue } from "../intrinsics/pending.js";
import { compareProperties, isSame } from "../spec/properties.js";
import { typeSpecOf } from "../spec/spec.js";
import type { PlannedChange, PlannedDetail, Stack, StackResource } from "../state.js";
import { referencesIn, type Reference } from "../template/references.js";
import { evaluationScope, type PreparedTemplate } from "./prepare.js";
import { planUpdate } from "./resource-work.js";
import { startRun, wantedResource, type Context, type DeployOperation, type Run, type WantedResource } from "./run.js";

/** What an update would do. */
export interface UpdatePlanned {
  readonly changes: readonly PlannedChange[];
  /** True when there is anything to do: outputs, tags and imports count too. */
  readonly hasChanges: boolean;
}

/** Finds out what carrying out `operation` would do to a stack, as far as that can be known now. */
export function planOperation(ctx: Context, stack: Stack, operation: DeployOperation): UpdatePlanned {
  const replaced = new Set<string>();
  const run = planningRun(ctx, stack, operation, replaced);
  const { prepared } = operation;
  const changes = topological(prepared.dependencies).flatMap((logicalId) => {
    const current = stack.resources.get(logicalId);
    const change = current?.physicalId === undefined ? addition(run, logicalId) : modification(run, current, replaced);
    if (change?.replacement === "True") replaced.add(logicalId);
    return change === undefined ? [] : [change];
  });
  const removals = [...stack.resources.values()].filter(({ logicalId, physicalId }) => physicalId !== undefined && !prepared.dependencies.has(logicalId)).map(removal);
  const all = [...changes, ...removals];
  return { changes: all, hasChanges: all.length > 0 || hasOtherOutputs(run) || !isSame(stack.settings.tags, operation.settings.tags) };
}

/** A run that touches nothing: what exists and stays is known, everything else is pending. */
function planningRun(ctx: Context, stack: Stack, operation: DeployOperation, replaced: ReadonlySet<string>): Run {
  const run = startRun(ctx, stack, operation);
  const isKnown = (logicalId: string): boolean => stack.resources.get(logicalId)?.physicalId !== undefined && !replaced.has(logicalId);
  const scope = evaluationScope(operation.prepared, {
    reference: (logicalId) => (isKnown(logicalId) ? run.scope.reference(logicalId) : pendingValue(logicalId)),
    attribute: (logicalId, attribute) => (isKnown(logicalId) ? knownAttribute(run, logicalId, attribute) : pendingValue(logicalId, attribute)),
    importValue: (name) => ctx.state.exports.get(name)?.value ?? pendingValue(name, "Import"),
  });
  return { ...run, scope };
}

function knownAttribute(run: Run, logicalId: string, attribute: string): unknown {
  // An attribute that the type does not have is told when the work has begun, as on AWS.
  return run.operation.prepared.unknownAttributes.length > 0 ? pendingValue(logicalId, attribute) : run.scope.attribute(logicalId, attribute);
}

function addition(run: Run, logicalId: string): PlannedChange {
  const { type } = run.operation.prepared.template.resources[logicalId]!; // only ids of the template are planned
  const wanted = wantedIfSound(run, logicalId);
  return { action: "Add", logicalId, type, scope: [], details: [], after: shown(wanted?.properties) };
}

function removal({ logicalId, type, physicalId, deletionPolicy, properties }: StackResource): PlannedChange {
  return { action: "Remove", logicalId, type, physicalId, policyAction: deletionPolicy === "Delete" ? "Delete" : "Retain", scope: [], details: [], before: properties };
}

function modification(run: Run, current: StackResource, replaced: ReadonlySet<string>): PlannedChange | undefined {
  const { logicalId, type, physicalId, properties } = current;
  const wanted = wantedIfSound(run, logicalId);
  const common = { action: "Modify", logicalId, type, physicalId, before: properties } as const;
  // What cannot be evaluated is a change that will fail.
  if (wanted === undefined) return { ...common, replacement: "False", scope: ["Properties"], details: [] };
  const plan = planUpdate(current, wanted, run.operation.settings.tags);
  if (plan === "nothing") return undefined;
  const details = [...propertyDetails(run, current, wanted, replaced), ...settingDetails(current, wanted)];
  const isReplaced = plan === "replace";
  return {
    ...common,
    replacement: isReplaced ? (details.some(({ requiresRecreation, evaluation }) => requiresRecreation === "Always" && evaluation === "Static") ? "True" : "Conditional") : "False",
    policyAction: isReplaced ? (current.updateReplacePolicy === "Retain" ? "ReplaceAndRetain" : "ReplaceAndDelete") : undefined,
    scope: [...new Set(details.map(({ attribute }) => attribute))],
    details,
    after: shown(wanted.properties),
  };
}

function wantedIfSound(run: Run, logicalId: string): WantedResource | undefined {
  try {
    return wantedResource(run, logicalId);
  } catch (error) {
    if ((error as Error).name === "ValidationError") return undefined;
    throw error;
  }
}

function propertyDetails(run: Run, current: StackResource, wanted: WantedResource, replaced: ReadonlySet<string>): PlannedDetail[] {
  const spec = typeSpecOf(wanted.type);
  const { changed, replacing } = compareProperties(spec ?? { properties: {}, required: [], replacing: [], maybeReplacing: [] }, current.properties, wanted.properties);
  return changed.flatMap((name) => {
    const requiresRecreation = replacing.includes(name) ? "Always" : spec?.maybeReplacing.includes(name) === true ? "Conditionally" : "Never";
    const attribute = name === spec?.tagProperty ? "Tags" : "Properties";
    const detail = { attribute, name: attribute === "Tags" ? undefined : name, requiresRecreation } as const;
    const causes = causesOf(run, current.logicalId, name, replaced);
    const direct: PlannedDetail = { ...detail, evaluation: causes.length > 0 ? "Dynamic" : "Static", changeSource: "DirectModification" };
    const isByResource = causes.some(({ changeSource }) => changeSource !== "ParameterReference");
    return [...causes.map((cause) => ({ ...detail, ...cause })), ...(isByResource ? [] : [direct])];
  });
}

type Cause = Pick<PlannedDetail, "evaluation" | "changeSource" | "causingEntity">;

/** The parameters that have changed, and the resources that will be others, that a property refers to. */
function causesOf({ operation: { prepared }, stack }: Run, logicalId: string, property: string, replaced: ReadonlySet<string>): Cause[] {
  const isTrue = (condition: string): boolean => prepared.conditions[condition] === true;
  const references = referencesIn(prepared.template.resources[logicalId]?.properties[property], "", isTrue);
  const isChangedParameter = (name: string): boolean => {
    const now = prepared.parameters.find((parameter) => parameter.name === name);
    const before = stack.settings.parameters.find((parameter) => parameter.name === name);
    return now !== undefined && (now.text !== before?.text || now.resolved !== before.resolved);
  };
  return references.flatMap((reference: Reference): Cause[] => {
    if (reference.kind === "attribute") {
      const { logicalId: causing, attribute } = reference;
      return replaced.has(causing) ? [{ evaluation: "Static", changeSource: "ResourceAttribute", causingEntity: `${causing}.${attribute}` }] : [];
    }
    if (isChangedParameter(reference.name)) return [{ evaluation: "Static", changeSource: "ParameterReference", causingEntity: reference.name }];
    return replaced.has(reference.name) ? [{ evaluation: "Static", changeSource: "ResourceReference", causingEntity: reference.name }] : [];
  });
}

function settingDetails(current: StackResource, wanted: WantedResource): PlannedDetail[] {
  const settings = [
    ["Metadata", current.metadata, wanted.metadata],
    ["DeletionPolicy", current.deletionPolicy, wanted.deletionPolicy],
    ["UpdateReplacePolicy", current.updateReplacePolicy, wanted.updateReplacePolicy],
  ] as const;
  return settings
    .filter(([, before, after]) => !isSame(before, after))
    .map(([attribute]) => ({ attribute, requiresRecreation: "Never", evaluation: "Static", changeSource: "DirectModification" }));
}

function hasOtherOutputs({ stack, operation: { prepared }, scope }: Run): boolean {
  if (stack.outputs.length !== prepared.outputs.length) return true;
  return prepared.outputs.some((key) => {
    const before = stack.outputs.find((output) => output.key === key);
    const { value, description, exportName } = prepared.template.outputs[key]!; // the prepared outputs are the template's
    const name = exportName === undefined ? undefined : String(evaluate(exportName, scope));
    return before === undefined || before.value !== String(evaluate(value, scope)) || before.description !== description || before.exportName !== name;
  });
}

/** The logical ids, each behind those it needs. */
function topological(dependencies: PreparedTemplate["dependencies"]): string[] {
  const ordered = new Set<string>();
  const visit = (logicalId: string): void => {
    if (ordered.has(logicalId)) return;
    for (const needed of dependencies.get(logicalId) ?? []) visit(needed);
    ordered.add(logicalId);
  };
  for (const logicalId of dependencies.keys()) visit(logicalId);
  return [...ordered];
}

/** Properties with what is not known yet in AWS's words. */
function shown(properties: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> | undefined {
  if (properties === undefined) return undefined;
  const text = JSON.stringify(properties);
  return isPending(text) ? (JSON.parse(pendingAsShown(text)) as Record<string, unknown>) : properties; // what was stringified
}
