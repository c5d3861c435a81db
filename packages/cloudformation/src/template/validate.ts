import { templateFormatError, validationError } from "../errors.js";
import { MAX_DESCRIPTION_BYTES } from "../limits.js";
import { checkFunctions } from "./check-functions.js";
import { checkParameterType } from "./parameters.js";
import { isObject, SERVERLESS_TRANSFORM, type Mapping, type OutputDeclaration, type ParameterDeclaration, type ResourceDeclaration, type RuleDeclaration, type Template } from "./template.js";

const SECTIONS = ["AWSTemplateFormatVersion", "Description", "Metadata", "Parameters", "Rules", "Mappings", "Conditions", "Transform", "Hooks", "Resources", "Outputs"];
const RESOURCE_MEMBERS = ["Type", "Properties", "DependsOn", "Condition", "Metadata", "DeletionPolicy", "UpdateReplacePolicy", "UpdatePolicy", "CreationPolicy"];
const PARAMETER_MEMBERS = "Type Default Description NoEcho AllowedValues AllowedPattern ConstraintDescription MinLength MaxLength MinValue MaxValue".split(" ");
const ALPHANUMERIC = /^[A-Za-z0-9]+$/;

type Section = Readonly<Record<string, unknown>>;

/**
 * Checks a template's structure: sections, members, names and the shapes of functions. Values are looked at when they are evaluated.
 *
 * @param body a template as read, its loops expanded
 * @throws ValidationError with AWS's text for the first thing that is wrong
 */
export function validateTemplate(body: Section): Template {
  const transforms = transformsOf(body["Transform"]);
  const isServerless = transforms.includes(SERVERLESS_TRANSFORM);
  const unknown = Object.keys(body).filter((section) => !SECTIONS.includes(section) && !(isServerless && section === "Globals"));
  if (unknown.length > 0) throw validationError(`Invalid template property or properties [${unknown.join(", ")}]`);
  const version = body["AWSTemplateFormatVersion"];
  if (version !== undefined && version !== "2010-09-09") throw templateFormatError("Value of AWSTemplateFormatVersion must be 2010-09-09");
  const description = body["Description"];
  if (description !== undefined && typeof description !== "string") throw templateFormatError("Template description must be a string.");
  if (description !== undefined && Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES) throw templateFormatError(`'Description' length is greater than ${MAX_DESCRIPTION_BYTES}.`);
  const template: Template = {
    version: version as string | undefined, // either absent or the only version
    description,
    metadata: body["Metadata"],
    transforms,
    parameters: mapValues(sectionOf(body, "Parameters"), parameterOf),
    rules: mapValues(sectionOf(body, "Rules"), ruleOf),
    mappings: mapValues(sectionOf(body, "Mappings"), mappingOf),
    conditions: sectionOf(body, "Conditions"),
    resources: resourcesOf(body, isServerless),
    outputs: mapValues(sectionOf(body, "Outputs"), outputOf),
  };
  checkFunctions(template);
  return template;
}

function sectionOf(body: Section, name: string): Section {
  const section = body[name] ?? {};
  if (!isObject(section)) throw templateFormatError(`${name} must be an object.`);
  return section;
}

function mapValues<T>(section: Section, read: (value: unknown, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(section).map(([name, value]) => [name, read(value, name)]));
}

/** The names of the transforms that a template asks for. */
export function transformsOf(transform: unknown): string[] {
  if (transform === undefined) return [];
  return (Array.isArray(transform) ? (transform as unknown[]) : [transform]).map((entry) => {
    const name = isObject(entry) ? entry["Name"] : entry;
    if (typeof name !== "string") throw validationError("Key Name of transform definition must be a string.");
    return name;
  });
}

function parameterOf(value: unknown, name: string): ParameterDeclaration {
  if (!ALPHANUMERIC.test(name)) throw templateFormatError(`Parameter name ${name} is non alphanumeric.`);
  if (!isObject(value)) throw templateFormatError("Any Parameters member must be an object.");
  if (typeof value["Type"] !== "string") throw templateFormatError("Every Parameters object must contain a Type member.");
  checkParameterType(value["Type"]);
  const unknown = Object.keys(value).find((member) => !PARAMETER_MEMBERS.includes(member));
  if (unknown !== undefined) throw validationError(`Invalid template parameter property '${unknown}'`);
  if (typeof value["Default"] === "object") throw templateFormatError("Every Default member must be a string.");
  return value as unknown as ParameterDeclaration; // its Type was just looked at; other members are read where they are used
}

function ruleOf(value: unknown): RuleDeclaration {
  const assertions = isObject(value) ? value["Assertions"] : undefined;
  if (!isObject(value) || !Array.isArray(assertions) || !assertions.every((assertion) => isObject(assertion) && "Assert" in assertion)) {
    throw templateFormatError("Every Rules member must contain a list of Assertions.");
  }
  return value as unknown as RuleDeclaration; // what it needs was just looked at
}

function mappingOf(value: unknown, name: string): Mapping {
  if (!isObject(value)) throw templateFormatError(`Every Mappings member ${name} must be a map`);
  for (const second of Object.values(value)) {
    if (!isObject(second)) throw templateFormatError(`Every Mappings member ${name} must be a map`);
    for (const attribute of Object.values(second)) {
      if (isObject(attribute)) throw templateFormatError("Every Mappings attribute must be a String or a List.");
    }
  }
  return value as Mapping; // two levels of maps
}

function resourcesOf(body: Section, isServerless: boolean): Record<string, ResourceDeclaration> {
  const resources = body["Resources"];
  if (resources === undefined || (isObject(resources) && Object.keys(resources).length === 0)) {
    throw templateFormatError("At least one Resources member must be defined.");
  }
  return mapValues(sectionOf(body, "Resources"), (value, logicalId) => resourceOf(value, logicalId, isServerless));
}

function resourceOf(value: unknown, logicalId: string, isServerless: boolean): ResourceDeclaration {
  if (!ALPHANUMERIC.test(logicalId)) throw templateFormatError(`Resource name ${logicalId} is non alphanumeric.`);
  if (!isObject(value)) throw templateFormatError("Any Resources member must be an object.");
  const { Type, Properties = {}, DependsOn = [], Condition, Metadata, DeletionPolicy, UpdateReplacePolicy } = value;
  if (typeof Type !== "string") throw templateFormatError(`[/Resources/${logicalId}] Every Resources object must contain a Type member.`);
  const unknown = Object.keys(value).find((member) => !RESOURCE_MEMBERS.includes(member));
  if (unknown !== undefined && !isServerless) throw validationError(`Invalid template resource property '${unknown}'`);
  if (!isObject(Properties)) throw templateFormatError(`[/Resources/${logicalId}/Properties] Properties must be an object.`);
  const dependsOn = typeof DependsOn === "string" ? [DependsOn] : DependsOn;
  if (!Array.isArray(dependsOn) || !dependsOn.every((name) => typeof name === "string")) throw templateFormatError("DependsOn must be a string or list of strings.");
  if (Condition !== undefined && typeof Condition !== "string") throw templateFormatError(`[/Resources/${logicalId}/Condition] Condition must be a string.`);
  return { type: Type, properties: Properties, dependsOn, condition: Condition, metadata: Metadata, deletionPolicy: DeletionPolicy, updateReplacePolicy: UpdateReplacePolicy };
}

function outputOf(value: unknown, name: string): OutputDeclaration {
  if (!ALPHANUMERIC.test(name)) throw templateFormatError(`Output name ${name} is non alphanumeric.`);
  if (!isObject(value) || value["Value"] === undefined) throw templateFormatError("Every Outputs member must contain a Value object");
  const { Value, Description, Export, Condition } = value;
  if (Export !== undefined && (!isObject(Export) || Export["Name"] === undefined)) throw templateFormatError(`[/Outputs/${name}/Export] Export must contain a Name.`);
  if (Description !== undefined && typeof Description !== "string") throw templateFormatError("Every Description member must be a string.");
  if (Condition !== undefined && typeof Condition !== "string") throw templateFormatError(`[/Outputs/${name}/Condition] Condition must be a string.`);
  return { value: Value, description: Description, exportName: Export?.["Name"], condition: Condition };
}
