import { templateError, templateFormatError, validationError } from "../errors.js";
import { SHAPES, SUB_SHAPE } from "./function-shapes.js";
import { functionCallOf, getAttArguments, has, LANGUAGE_EXTENSIONS, PSEUDO_PARAMETERS, subArguments, subParts, type Template } from "./template.js";

type Block = "Resources" | "Outputs" | "Conditions" | "Rules";

/**
 * Checks all functions of a template: that there is such a function, that its arguments have the shape it wants, and that the names
 * in it exist. All branches are looked at, also those that a condition will switch off.
 */
export function checkFunctions(template: Template): void {
  const check = new FunctionCheck(template);
  for (const condition of Object.values(template.conditions)) check.walk(condition, "Conditions");
  for (const rule of Object.values(template.rules)) check.walk(rule, "Rules");
  check.refuseUnresolved("Conditions");
  for (const resource of Object.values(template.resources)) {
    check.condition(resource.condition, "Resources");
    for (const name of resource.dependsOn) if (!has(template.resources, name)) check.unresolved.add(name);
    for (const part of [resource.properties, resource.metadata, resource.deletionPolicy, resource.updateReplacePolicy]) check.walk(part, "Resources");
  }
  check.refuseUnresolved("Resources");
  for (const output of Object.values(template.outputs)) {
    check.condition(output.condition, "Outputs");
    check.walk(output.value, "Outputs");
    check.walk(output.exportName, "Outputs");
  }
  check.refuseUnresolved("Outputs");
}

class FunctionCheck {
  /** Names found in the present block that nothing is called. */
  readonly unresolved = new Set<string>();
  readonly #template: Template;
  readonly #hasExtensions: boolean;

  constructor(template: Template) {
    this.#template = template;
    this.#hasExtensions = template.transforms.includes(LANGUAGE_EXTENSIONS);
  }

  walk(value: unknown, block: Block): void {
    if (typeof value !== "object" || value === null) return;
    const call = functionCallOf(value, block === "Conditions" ? "conditions" : "anywhere");
    if (call !== undefined) this.#checkCall(call.name, call.argument, block);
    for (const member of Object.values(value)) this.walk(member, block);
  }

  condition(name: string | undefined, block: Block): void {
    if (name !== undefined && !has(this.#template.conditions, name)) {
      throw templateFormatError(`Unresolved condition dependency ${name} in the ${block} block of the template`);
    }
  }

  refuseUnresolved(block: "Resources" | "Outputs" | "Conditions"): void {
    if (this.unresolved.size === 0) return;
    const names = `[${[...this.unresolved].join(", ")}]`;
    if (block !== "Conditions") throw templateFormatError(`Unresolved resource dependencies ${names} in the ${block} block of the template`);
    throw templateFormatError(`Unresolved dependencies ${names}. Cannot reference resources in the Conditions block of the template`);
  }

  #checkCall(name: string, argument: unknown, block: Block): void {
    switch (name) {
      case "Ref":
        if (typeof argument !== "string") throw templateError("every Ref object must have a single String value.");
        return this.#name(argument, block);
      case "Condition":
        return this.condition(String(argument), "Conditions");
      case "Fn::GetAtt":
        return this.#getAtt(argument, block);
      case "Fn::Sub":
        return this.#sub(argument, block);
      case "Fn::If":
        return this.#if(argument, block);
      default:
        return this.#checkShape(name, argument, block);
    }
  }

  #checkShape(name: string, argument: unknown, block: Block): void {
    const shape = has(SHAPES, name) ? SHAPES[name] : undefined;
    if (shape === undefined || (shape.needsExtensions === true && !this.#hasExtensions)) {
      throw templateError(`Encountered unsupported function: ${name} Supported functions are: [${supportedFunctions(this.#hasExtensions).join(", ")}]`);
    }
    if (!shape.isSound(argument, { hasExtensions: this.#hasExtensions })) throw templateError(shape.message);
    if (name === "Fn::ImportValue" && block === "Conditions") throw templateError("Cannot use Fn::ImportValue in Conditions.");
    if (name === "Fn::ImportValue" && this.#needsMore(argument)) throw templateError("the attribute in Fn::ImportValue must not depend on any resources, imported values, or Fn::GetAZs");
    if (name === "Fn::FindInMap" && Array.isArray(argument) && typeof argument[0] === "string" && !has(this.#template.mappings, argument[0]) && argument.length < 4) {
      throw templateError(`Mapping named '${argument[0]}' is not present in the 'Mappings' section of template.`);
    }
  }

  /** Whether a value can be known only when resources are made, or other stacks are asked. */
  #needsMore(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    const call = functionCallOf(value);
    if (call !== undefined && ["Fn::GetAtt", "Fn::ImportValue", "Fn::GetAZs"].includes(call.name)) return true;
    if (call?.name === "Ref" && has(this.#template.resources, String(call.argument))) return true;
    if (call?.name === "Fn::Sub" && this.#namesResource(call.argument)) return true;
    return Object.values(value).some((member) => this.#needsMore(member));
  }

  #namesResource(argument: unknown): boolean {
    const { text, values } = subArguments(argument) ?? { text: "", values: {} };
    return subParts(text).some((part) => part.kind !== "text" && !has(values, part.name) && has(this.#template.resources, part.name.split(".")[0] ?? ""));
  }

  #name(name: string, block: Block): void {
    const { parameters, resources } = this.#template;
    const isKnown = has(parameters, name) || PSEUDO_PARAMETERS.includes(name) || (has(resources, name) && block !== "Conditions" && block !== "Rules");
    if (!isKnown) this.unresolved.add(name);
  }

  #getAtt(argument: unknown, block: Block): void {
    const found = getAttArguments(argument);
    if (found === undefined || (typeof found.attribute !== "string" && !this.#hasExtensions)) {
      throw templateError("every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute");
    }
    if (block === "Conditions" || block === "Rules") this.unresolved.add(found.logicalId);
    else if (!has(this.#template.resources, found.logicalId)) {
      throw templateError(`instance of Fn::GetAtt references undefined resource ${found.logicalId}`);
    }
  }

  #sub(argument: unknown, block: Block): void {
    const sub = subArguments(argument);
    if (sub === undefined) throw templateError(SUB_SHAPE);
    for (const part of subParts(sub.text)) {
      if (part.kind === "text" || has(sub.values, part.name)) continue;
      const dot = part.name.indexOf(".");
      if (dot < 0) this.#name(part.name, block);
      else if (!has(this.#template.resources, part.name.slice(0, dot))) {
        throw validationError(`Template error: instance of Fn::Sub references invalid resource attribute ${part.name}`);
      }
    }
  }

  #if(argument: unknown, block: Block): void {
    if (!Array.isArray(argument) || argument.length !== 3 || typeof argument[0] !== "string") throw templateError("Fn::If requires a list argument with three elements");
    if (block === "Rules") throw templateError("Fn::If is not allowed in Rules.");
    if (!has(this.#template.conditions, argument[0])) throw templateError(`unresolved condition dependency ${argument[0]} in Fn::If`);
  }
}

function supportedFunctions(hasExtensions: boolean): string[] {
  const shaped = Object.entries(SHAPES).filter(([, shape]) => hasExtensions || shape.needsExtensions !== true);
  return ["Ref", "Condition", "Fn::GetAtt", "Fn::Sub", "Fn::If", ...shaped.map(([name]) => name)];
}
