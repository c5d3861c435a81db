import { urlSuffixOf, partitionOf, type ResourceType, type Scope } from "@sandstack/core";
import { templateError, templateFormatError, validationError } from "../errors.js";
import { availabilityZonesOf } from "../intrinsics/availability-zones.js";
import { evaluateConditions } from "../intrinsics/conditions.js";
import { evaluate, NO_VALUE, type EvaluationScope } from "../intrinsics/evaluate.js";
import { pendingValue } from "../intrinsics/pending.js";
import { MAX_OUTPUTS, MAX_PARAMETERS, MAX_RESOURCES, MAX_TEMPLATE_BYTES } from "../limits.js";
import { typeSpecOf } from "../spec/spec.js";
import { expandLoops } from "../template/language-extensions.js";
import { resolveParameters, valueOfParameter, type GivenParameter, type ParameterStore, type ParameterValue } from "../template/parameters.js";
import { readTemplate } from "../template/read.js";
import { referencesIn, type Reference } from "../template/references.js";
import { checkRules } from "../template/rules.js";
import { has, isObject, LANGUAGE_EXTENSIONS, SERVERLESS_TRANSFORM, type ParameterDeclaration, type Template } from "../template/template.js";
import { isServerlessType, refuseServerless, refuseTransforms } from "../template/transforms.js";
import { transformsOf, validateTemplate } from "../template/validate.js";
import { codeByLogicalId } from "./code-overrides.js";
import { circularIds } from "./graph.js";

/** A template ready to be carried out: checked, its parameters, conditions and order known. Plain data. */
export interface PreparedTemplate {
  readonly text: string;
  readonly template: Template;
  readonly parameters: readonly ParameterValue[];
  /** Parameters and pseudo parameters by name. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly conditions: Readonly<Record<string, boolean>>;
  /** What each resource needs first, for the resources that the conditions leave, in the template's order. */
  readonly dependencies: ReadonlyMap<string, readonly string[]>;
  /** The outputs that the conditions leave. */
  readonly outputs: readonly string[];
  /** True when there may be dynamic references (`{{resolve:…}}`) in it. */
  readonly hasDynamicReferences: boolean;
  /** Names of the exports that it reads. */
  readonly imports: readonly string[];
  /** Attributes that a type does not have: found by AWS only when the work has begun. */
  readonly unknownAttributes: readonly string[];
  /** True: a property outside AWS's schema fails the resource, as on AWS. False: it is reported. */
  readonly isStrict: boolean;
  /** Code in place of functions' own, by logical id. */
  readonly codeOverrides: Readonly<Record<string, Uint8Array>>;
}

export interface PrepareOptions {
  readonly template: string | object;
  readonly parameters: readonly GivenParameter[];
  /** The parameters of the stack that is updated. */
  readonly previousParameters?: readonly ParameterValue[];
  readonly scope: Scope;
  readonly stackName: string;
  readonly stackId: string;
  readonly notificationArns: readonly string[];
  readonly isStrict: boolean;
  /** By a function's logical id, construct path or name. */
  readonly codeOverrides: Readonly<Record<string, Uint8Array>>;
  readonly resourceTypes: ReadonlyMap<string, ResourceType>;
  readonly parameterStore: ParameterStore;
}

/**
 * Reads and checks a template with everything that can be known before a resource is touched.
 *
 * @throws ValidationError in AWS's words; nothing has been changed
 */
export function prepareTemplate(options: PrepareOptions): PreparedTemplate {
  const { text, template } = readAndValidate(options.template, options.parameters, options.isStrict);
  if (template.transforms.includes(SERVERLESS_TRANSFORM)) refuseServerless(template);
  checkTypes(template, options.resourceTypes);
  const parameters = resolveParameters(template.parameters, options.parameters, options.previousParameters ?? [], options.parameterStore);
  const values = valuesOf(parameters, options);
  const constants = { values, mappings: template.mappings, ...unknownResources, availabilityZones: availabilityZonesOf, valuesOfType: (type: string) => valuesOfType(parameters, type) };
  checkRules(template.rules, { ...constants, condition: () => false });
  const conditions = evaluateConditions(template.conditions, constants);
  const prepared: PreparedTemplate = {
    text,
    template,
    parameters,
    values,
    conditions,
    dependencies: new Map(),
    outputs: Object.entries(template.outputs).filter(([, { condition }]) => condition === undefined || conditions[condition] === true).map(([key]) => key),
    hasDynamicReferences: text.includes("{{resolve"),
    imports: [],
    unknownAttributes: [],
    isStrict: options.isStrict,
    codeOverrides: codeByLogicalId(template, options.codeOverrides),
  };
  const ordered = withOrder(prepared);
  return { ...ordered, imports: evaluateAhead(ordered) };
}

/** Reads and checks a template's structure alone, as ValidateTemplate does. */
export function readAndValidate(template: string | object, parameters: readonly GivenParameter[], isStrict: boolean): { text: string; template: Template } {
  const { text, body } = readTemplate(template);
  if (isStrict && Buffer.byteLength(text) > MAX_TEMPLATE_BYTES) throw validationError(`Template may not exceed ${MAX_TEMPLATE_BYTES} bytes in size.`);
  if (text.includes("Transform")) refuseTransforms(body, transformsOf(body["Transform"]));
  const validated = validateTemplate(usesExtensions(body["Transform"]) ? expandTemplate(body, parameters) : body);
  if (isStrict) checkCounts(validated);
  return { text, template: validated };
}

function checkCounts({ resources, parameters, outputs }: Template): void {
  const check = (section: object, most: number, what: string): void => {
    const count = Object.keys(section).length;
    if (count > most) throw templateFormatError(`Number of ${what}, ${count}, is greater than maximum allowed, ${most}`);
  };
  check(resources, MAX_RESOURCES, "resources");
  check(parameters, MAX_PARAMETERS, "parameters");
  check(outputs, MAX_OUTPUTS, "outputs");
}

function usesExtensions(transform: unknown): boolean {
  return transform === LANGUAGE_EXTENSIONS || (Array.isArray(transform) && transform.includes(LANGUAGE_EXTENSIONS));
}

/** Loops may go over list parameters, so their texts are looked at before the template is checked. */
function expandTemplate(body: Readonly<Record<string, unknown>>, given: readonly GivenParameter[]): Readonly<Record<string, unknown>> {
  const declarations = isObject(body["Parameters"]) ? (body["Parameters"] as Readonly<Record<string, ParameterDeclaration>>) : {}; // only Type and Default are read
  return expandLoops(body, (reference) => {
    const name = isObject(reference) ? reference["Ref"] : undefined;
    if (typeof name !== "string" || !has(declarations, name)) throw templateError("Fn::ForEach could not resolve its collection: it takes a list, or a Ref of a list parameter");
    const { Type, Default } = declarations[name]!; // its own key
    const text = given.find(({ key }) => key === name)?.value ?? (Default === undefined ? undefined : String(Default));
    if (text === undefined) throw validationError(`Parameters: [${name}] must have values`);
    return [valueOfParameter({ name, type: Type, text, isNoEcho: false })].flat();
  }) as Readonly<Record<string, unknown>>; // an object stays one
}

/** @throws ValidationError for types that AWS has not */
function checkTypes(template: Template, resourceTypes: ReadonlyMap<string, ResourceType>): void {
  const types = [...new Set(Object.values(template.resources).map(({ type }) => type))];
  const unknown = types.filter((type) => !resourceTypes.has(type) && !isCustomType(type) && (typeSpecOf(type) === undefined || isServerlessType(type)));
  if (unknown.length > 0) throw templateFormatError(`Unrecognized resource types: [${unknown.join(", ")}]`);
}

/** `Custom::Name`: letters, digits, `_`, `@`, `-`, up to 60 characters. */
export function isCustomType(type: string): boolean {
  return type === "AWS::CloudFormation::CustomResource" || /^Custom::[\w@-]{1,60}$/.test(type);
}

function valuesOf(parameters: readonly ParameterValue[], { scope, stackName, stackId, notificationArns }: PrepareOptions): Record<string, unknown> {
  return {
    ...Object.fromEntries(parameters.map((parameter) => [parameter.name, valueOfParameter(parameter)])),
    "AWS::AccountId": scope.accountId,
    "AWS::Region": scope.region,
    "AWS::Partition": partitionOf(scope.region),
    "AWS::URLSuffix": urlSuffixOf(scope.region),
    "AWS::StackName": stackName,
    "AWS::StackId": stackId,
    "AWS::NotificationARNs": [...notificationArns],
  };
}

function valuesOfType(parameters: readonly ParameterValue[], type: string): string[] {
  return parameters.filter((parameter) => parameter.type === type).flatMap(valueOfParameter);
}

/** Before resources are made each stands for itself. */
const unknownResources = {
  reference: (logicalId: string): unknown => pendingValue(logicalId),
  attribute: (logicalId: string, attribute: string): unknown => pendingValue(logicalId, attribute),
  importValue: (name: string): unknown => pendingValue(name, "Import"),
};

/** The scope in which a prepared template's values are evaluated; by default nothing is known of the resources. */
export function evaluationScope(prepared: PreparedTemplate, resources: Pick<EvaluationScope, "reference" | "attribute" | "importValue"> = unknownResources): EvaluationScope {
  return {
    values: prepared.values,
    mappings: prepared.template.mappings,
    condition: (name) => prepared.conditions[name] === true,
    availabilityZones: availabilityZonesOf,
    valuesOfType: (type) => valuesOfType(prepared.parameters, type),
    ...resources,
  };
}

/** The resources that the conditions leave, with what each needs; refuses circles, and references to what is not there. */
function withOrder(prepared: PreparedTemplate): PreparedTemplate {
  const { template, conditions } = prepared;
  const isTrue = (condition: string): boolean => conditions[condition] === true;
  const active = Object.entries(template.resources).filter(([, { condition }]) => condition === undefined || isTrue(condition));
  const isActive = new Set(active.map(([logicalId]) => logicalId));
  const referencesOf = new Map(active.map(([logicalId, { properties, metadata }]) => [logicalId, [
    ...referencesIn(properties, `/Resources/${logicalId}/Properties`, isTrue),
    ...referencesIn(metadata, `/Resources/${logicalId}/Metadata`, isTrue),
  ]]));
  const outputReferences = prepared.outputs.flatMap((key) => referencesIn(template.outputs[key]?.value, `/Outputs/${key}/Value`, isTrue));
  refuseInactive([...referencesOf.values()].flat(), template, isActive, "Template format error: ", "Resources");
  refuseInactive(outputReferences, template, isActive, "", "Outputs");
  const dependencies = new Map<string, string[]>();
  for (const [logicalId, references] of referencesOf) {
    const named = references.map((reference) => (reference.kind === "name" ? reference.name : reference.logicalId));
    // A dependency on a resource that its condition leaves out is dropped.
    dependencies.set(logicalId, [...new Set([...named, ...(template.resources[logicalId]?.dependsOn ?? [])])].filter((name) => isActive.has(name)));
  }
  const circle = circularIds(dependencies);
  if (circle.length > 0) throw validationError(`Circular dependency between resources: [${circle.join(", ")}]`);
  const unknownAttributes = [...referencesOf.values(), outputReferences].flat().flatMap((reference) => unknownAttributeOf(reference, template));
  return { ...prepared, dependencies, unknownAttributes };
}

function refuseInactive(references: readonly Reference[], { resources }: Template, isActive: ReadonlySet<string>, prefix: string, block: string): void {
  const names = references.map((reference) => (reference.kind === "name" ? reference.name : reference.logicalId));
  const inactive = [...new Set(names.filter((name) => has(resources, name) && !isActive.has(name)))];
  if (inactive.length > 0) throw validationError(`${prefix}Unresolved resource dependencies [${inactive.join(", ")}] in the ${block} block of the template`);
}

function unknownAttributeOf(reference: Reference, { resources }: Template): string[] {
  if (reference.kind === "name" || reference.attribute === "") return [];
  const type = resources[reference.logicalId]?.type ?? "";
  const spec = typeSpecOf(type);
  const isOpen = spec === undefined || isCustomType(type) || (type === "AWS::CloudFormation::Stack" && reference.attribute.startsWith("Outputs."));
  if (isOpen || spec.attributes.some((name) => name === reference.attribute || name.startsWith(`${reference.attribute}.`))) return [];
  return [`[Error] ${reference.path}: Resource type ${type} does not support attribute {${reference.attribute}}.`];
}

/** Evaluates everything as far as it can be now, so that what is wrong is refused before a resource is touched. Answers the exports that are read. */
function evaluateAhead(prepared: PreparedTemplate): string[] {
  const imports = new Set<string>();
  const importValue = (name: string): unknown => {
    imports.add(name);
    return unknownResources.importValue(name);
  };
  const scope = evaluationScope(prepared, { ...unknownResources, importValue });
  const { template } = prepared;
  for (const logicalId of prepared.dependencies.keys()) {
    const { properties, metadata, deletionPolicy, updateReplacePolicy, type } = template.resources[logicalId]!; // the dependencies are of these resources
    evaluate(properties, scope);
    evaluate(metadata, scope);
    for (const policy of [deletionPolicy, updateReplacePolicy]) retentionPolicyOf(policy, type, scope);
  }
  for (const key of prepared.outputs) evaluate(template.outputs[key]?.value, scope);
  return [...imports];
}

/** @throws ValidationError for a policy that there is not, or that the type does not support */
export function retentionPolicyOf(policy: unknown, type: string, scope: EvaluationScope): "Delete" | "Retain" | "RetainExceptOnCreate" {
  const value = evaluate(policy, scope);
  if (value === undefined || value === NO_VALUE || value === "Delete") return "Delete";
  if (value === "Retain" || value === "RetainExceptOnCreate") return value;
  if (value === "Snapshot") {
    // No type that the sandbox has can be kept as a snapshot; of the others nothing is kept anyway.
    if (type.startsWith("AWS::") && !SNAPSHOT_SERVICES.some((service) => type.startsWith(service))) throw templateError(`resource type ${type} does not support Snapshot`);
    return "Delete";
  }
  throw templateFormatError(`Unrecognized DeletionPolicy ${String(value)} for resource of type ${type}`);
}

const SNAPSHOT_SERVICES = ["AWS::DocDB::", "AWS::EC2::Volume", "AWS::ElastiCache::", "AWS::Neptune::", "AWS::RDS::", "AWS::Redshift::"];
