import type { ResourceType, ServiceContext } from "@sandstack/core";
import { templateError, validationError } from "../errors.js";
import { evaluate, NO_VALUE, type EvaluationScope } from "../intrinsics/evaluate.js";
import { fitProperties } from "../spec/properties.js";
import { typeSpecOf } from "../spec/spec.js";
import type { CloudFormationState, IgnoredProperty, RetentionPolicy, Stack, StackOperation, StackResource } from "../state.js";
import { bootstrapParameters } from "../template/parameters.js";
import { isObject } from "../template/template.js";
import { resolveDynamicReferences } from "./dynamic-references.js";
import type { ResourceFailure } from "./failure.js";
import { ignoredPropertiesOf } from "./ignored-properties.js";
import { withStandInArns } from "./stand-ins.js";
import { evaluationScope, isCustomType, retentionPolicyOf } from "./prepare.js";

export type Context = ServiceContext<CloudFormationState>;
export type DeployOperation = Exclude<StackOperation, { kind: "delete" }>;

/** A creation or update underway. */
export interface Run {
  readonly ctx: Context;
  readonly stack: Stack;
  readonly operation: DeployOperation;
  /** What the template's functions see of the resources made so far. */
  readonly scope: EvaluationScope;
  readonly failures: ResourceFailure[];
  /** What the resources were before the run touched them; `undefined` for those that were not there. */
  readonly before: Map<string, StackResource | undefined>;
  /** Physical resources that others have replaced: deleted in the cleanup, or kept when the update is rolled back. */
  readonly replaced: StackResource[];
}

export function startRun(ctx: Context, stack: Stack, operation: DeployOperation): Run {
  const scope = evaluationScope(operation.prepared, {
    reference: (logicalId) => stack.resources.get(logicalId)?.physicalId,
    attribute: (logicalId, attribute) => attributeOf(stack.resources.get(logicalId), logicalId, attribute),
    importValue: (name) => importedValue(ctx, name),
  });
  return { ctx, stack, operation, scope, failures: [], before: new Map(), replaced: [] };
}

function attributeOf(resource: StackResource | undefined, logicalId: string, attribute: string): unknown {
  if (resource?.skippedReason !== undefined) return `${logicalId}.${attribute}`;
  const attributes = resource?.attributes ?? {};
  if (Object.hasOwn(attributes, attribute)) return attributes[attribute];
  const nested = attribute.split(".").reduce<unknown>((value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), attributes);
  if (nested === undefined) throw templateError(`resource ${logicalId} does not support attribute type ${attribute} in Fn::GetAtt`);
  return nested;
}

/** @throws ValidationError when no stack exports `name` */
export function importedValue(ctx: Context, name: string): string {
  const found = ctx.state.exports.get(name);
  if (found === undefined) throw validationError(`No export named ${name} found.`);
  return found.value;
}

/** A resource as its template wants it, ready for its type's functions. */
export interface WantedResource {
  readonly logicalId: string;
  readonly type: string;
  /** Absent: there is a stand-in only. */
  readonly resourceType?: ResourceType | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly metadata?: unknown;
  readonly deletionPolicy: RetentionPolicy;
  readonly updateReplacePolicy: RetentionPolicy;
  readonly dependsOn: readonly string[];
  readonly ignoredProperties: readonly IgnoredProperty[];
  readonly skippedReason?: string | undefined;
}

/**
 * Evaluates a resource's declaration, and fits its properties to AWS's schema.
 *
 * @throws ValidationError for what does not fit
 */
export function wantedResource(run: Run, logicalId: string): WantedResource {
  const { ctx, scope } = run;
  const { prepared } = run.operation;
  const { type, properties, metadata, deletionPolicy, updateReplacePolicy } = prepared.template.resources[logicalId]!; // only ids of the template are asked for
  const evaluated = evaluate(properties, scope);
  const evaluatedMetadata = evaluate(metadata, scope);
  const resourceType = ctx.resourceTypes.get(type);
  const common = {
    logicalId,
    type,
    metadata: evaluatedMetadata === NO_VALUE ? undefined : evaluatedMetadata,
    deletionPolicy: retentionPolicyOf(deletionPolicy, type, scope),
    updateReplacePolicy: retentionPolicyOf(updateReplacePolicy, type, scope),
    dependsOn: prepared.dependencies.get(logicalId) ?? [],
  };
  const given = isObject(evaluated) ? evaluated : {};
  if (resourceType === undefined) return { ...common, properties: given, ignoredProperties: [], skippedReason: skippedReasonOf(type) };
  const { fitted, ignoredProperties } = fit(logicalId, resourceType, usable(run, logicalId, given), prepared.isStrict);
  const code = prepared.codeOverrides[logicalId];
  return { ...common, resourceType, properties: code === undefined ? fitted : { ...fitted, Code: { ZipFile: code } }, ignoredProperties };
}

/** Evaluated properties as services can take them: dynamic references resolved, stand-ins in policies made ARNs. */
function usable({ ctx, stack, operation: { prepared } }: Run, logicalId: string, properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const resolved = prepared.hasDynamicReferences ? resolveDynamicReferences(properties, bootstrapParameters) : properties;
  const needed = (prepared.dependencies.get(logicalId) ?? []).flatMap((id) => stack.resources.get(id) ?? []);
  const skipped = needed.filter(({ skippedReason }) => skippedReason !== undefined);
  return (skipped.length === 0 ? resolved : withStandInArns(resolved, skipped, ctx.scope)) as Record<string, unknown>; // an object stays one
}

/** What does not happen for want of a type, where templates have it for what it sends to queues and functions. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  "AWS::CloudFormation::Stack": "none of its template's resources are made",
  "AWS::Events::Rule": "its targets get no events",
  "AWS::Pipes::Pipe": "its target gets nothing from its source",
  "AWS::SNS::Subscription": "nothing is delivered to its endpoint",
  "AWS::SNS::Topic": "nothing that is published to it is delivered",
  "AWS::Scheduler::Schedule": "its target is never called",
};

function skippedReasonOf(type: string): string {
  if (isCustomType(type)) return `${type} is a custom resource, and the sandbox does not call providers of custom resources.`;
  const consequence = WITHOUT_EFFECT[type];
  return `The sandbox does not have the resource type ${type}${consequence === undefined ? "" : `: ${consequence}`}.`;
}

function fit(logicalId: string, resourceType: ResourceType, properties: Readonly<Record<string, unknown>>, isStrict: boolean): { fitted: Record<string, unknown>; ignoredProperties: readonly IgnoredProperty[] } {
  const spec = typeSpecOf(resourceType.type);
  // AWS::CDK::Metadata is in no schema: it takes what it is given.
  if (spec === undefined) return { fitted: { ...properties }, ignoredProperties: ignoredPropertiesOf(logicalId, resourceType, properties, []) };
  const { properties: fitted, extraneous, violations, missing } = fitProperties(spec, properties);
  if (isStrict && extraneous.length > 0) {
    throw invalidProperties(logicalId, extraneous.map(({ pointer, key }) => `${pointer}: extraneous key [${key}] is not permitted`));
  }
  if (missing.length > 0) throw validationError(`Property validation failure: [${missing.map((pointer) => `The property {${pointer}} is required`).join(", ")}]`);
  if (violations.length > 0) throw invalidProperties(logicalId, violations);
  return { fitted, ignoredProperties: ignoredPropertiesOf(logicalId, resourceType, fitted, extraneous) };
}

function invalidProperties(logicalId: string, messages: readonly string[]): Error {
  return validationError(`Properties validation failed for resource ${logicalId} with message: ${messages.join("\n")}`);
}
