import { simError } from "@sandstack/core";
import { templateError } from "../errors.js";
import { SHAPES } from "../template/function-shapes.js";
import { functionCallOf, getAttArguments, has, subArguments, subParts, type Mapping } from "../template/template.js";
import { cidrBlocks } from "./cidr.js";
import { isPending } from "./pending.js";

/** What a template's functions can see. */
export interface EvaluationScope {
  /** Parameters and pseudo parameters by name; a list parameter is an array. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly mappings: Readonly<Record<string, Mapping>>;
  /** A condition's value. */
  condition(name: string): boolean;
  /** What `Ref` gives for a resource. */
  reference(logicalId: string): unknown;
  /** What `Fn::GetAtt` gives. */
  attribute(logicalId: string, attribute: string): unknown;
  /** The value of an export. @throws ValidationError when there is none */
  importValue(name: string): unknown;
  /** The availability zones of a region. */
  availabilityZones(region: string): readonly string[];
  /** The values of all parameters of a type, for `Fn::RefAll`. */
  valuesOfType(type: string): readonly string[];
}

/** What `AWS::NoValue` gives: the member or list item it stands for is left out. */
export const NO_VALUE: unique symbol = Symbol("AWS::NoValue");

/**
 * Evaluates all functions in `value`. The answer shares nothing with the template.
 *
 * @throws ValidationError with AWS's text
 */
export function evaluate(value: unknown, scope: EvaluationScope): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => evaluate(item, scope)).filter((item) => item !== NO_VALUE);
  const call = functionCallOf(value);
  if (call !== undefined) return evaluateCall(call.name, call.argument, scope);
  const evaluated: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const result = evaluate(member, scope);
    if (result !== NO_VALUE) evaluated[key] = result;
  }
  return evaluated;
}

function evaluateCall(name: string, argument: unknown, scope: EvaluationScope): unknown {
  switch (name) {
    case "Ref":
      return reference(argument as string, scope); // the shapes of functions were checked with the template
    case "Fn::If": {
      const [condition, whenTrue, whenFalse] = argument as [string, unknown, unknown]; // as above
      return evaluate(scope.condition(condition) ? whenTrue : whenFalse, scope);
    }
    case "Fn::GetAtt":
      return getAtt(argument, scope);
    case "Fn::Sub":
      return substitute(argument, scope);
    case "Fn::FindInMap":
      return findInMap(argument as unknown[], scope); // as above
    default: {
      const run = FUNCTIONS[name];
      if (run === undefined) throw templateError(`${name} is not allowed here.`);
      return run(evaluate(argument, scope), scope);
    }
  }
}

function reference(name: string, scope: EvaluationScope): unknown {
  if (name === "AWS::NoValue") return NO_VALUE;
  return has(scope.values, name) ? copyOf(scope.values[name]) : scope.reference(name);
}

function copyOf(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as unknown[])] : value;
}

function getAtt(argument: unknown, scope: EvaluationScope): unknown {
  const found = getAttArguments(argument);
  const attribute = evaluate(found?.attribute, scope);
  if (found === undefined || typeof attribute !== "string") throw templateError("every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute");
  return scope.attribute(found.logicalId, attribute);
}

function substitute(argument: unknown, scope: EvaluationScope): string {
  const { text, values } = subArguments(argument) ?? { text: "", values: {} };
  return subParts(text)
    .map((part) => (part.kind === "text" ? part.text : substituted(part.name, values, scope)))
    .join("");
}

function substituted(name: string, values: Readonly<Record<string, unknown>>, scope: EvaluationScope): string {
  const dot = name.indexOf(".");
  const value = has(values, name)
    ? evaluate(values[name], scope)
    : dot < 0 || has(scope.values, name)
      ? reference(name, scope)
      : scope.attribute(name.slice(0, dot), name.slice(dot + 1));
  if (value === NO_VALUE) return "";
  if (typeof value === "object" || value === undefined) throw templateError(`variable ${name} in Fn::Sub expression does not resolve to a string`);
  return String(value);
}

function findInMap([map, ...keys]: readonly unknown[], scope: EvaluationScope): unknown {
  const names = [map, keys[0], keys[1]].map((key) => String(evaluate(key, scope))) as [string, string, string]; // three in, three out
  const [mapName, topKey, secondKey] = names;
  const mapping = has(scope.mappings, mapName) ? scope.mappings[mapName] : undefined;
  const top = mapping !== undefined && has(mapping, topKey) ? mapping[topKey] : undefined;
  if (top !== undefined && has(top, secondKey)) return evaluate(top[secondKey], scope);
  const fallback = keys[2] as { DefaultValue?: unknown } | undefined; // the fourth argument, which only the language extensions allow
  if (fallback?.DefaultValue !== undefined) return evaluate(fallback.DefaultValue, scope);
  throw templateError(`Unable to get mapping for ${names.join("::")}`);
}

/** The functions that need no more than their evaluated argument. */
const FUNCTIONS: Readonly<Record<string, (argument: unknown, scope: EvaluationScope) => unknown>> = {
  "Fn::Join": (argument) => join(argument as unknown[]),
  "Fn::Split": (argument) => {
    const [delimiter, text] = argument as [string, unknown]; // as checked with the template
    if (typeof text === "object" || text === undefined) throw shapeError("Fn::Split");
    // What is not known yet stays whole until it is.
    return isPending(text) ? text : String(text).split(delimiter);
  },
  "Fn::Select": (argument) => select(argument as unknown[]),
  "Fn::Base64": (argument) => {
    if (typeof argument === "object" || argument === undefined) throw shapeError("Fn::Base64");
    return isPending(argument) ? argument : Buffer.from(String(argument), "utf8").toString("base64");
  },
  "Fn::GetAZs": (argument, scope) => [...scope.availabilityZones(argument === "" || typeof argument !== "string" ? String(scope.values["AWS::Region"]) : argument)],
  "Fn::ImportValue": (argument, scope) => {
    if (typeof argument !== "string") throw shapeError("Fn::ImportValue");
    return scope.importValue(argument);
  },
  "Fn::Cidr": (argument) => {
    const [block, count, bits = 8] = argument as [unknown, unknown, unknown?]; // as checked with the template
    return isPending(block) ? block : cidrBlocks(String(block), Number(count), Number(bits));
  },
  "Fn::RefAll": (argument, scope) => [...scope.valuesOfType(String(argument))],
  "Fn::ValueOf": (argument) => refuseAttributeOf("Fn::ValueOf", argument),
  "Fn::ValueOfAll": (argument) => refuseAttributeOf("Fn::ValueOfAll", argument),
  "Fn::Length": (argument) => {
    if (isPending(argument)) return argument;
    if (!Array.isArray(argument)) throw shapeError("Fn::Length");
    return argument.length;
  },
  "Fn::ToJsonString": (argument) => JSON.stringify(argument),
};

function join([delimiter, items]: readonly unknown[]): string {
  if (isPending(items)) return items;
  const isSound = Array.isArray(items) && items.every((item) => typeof item !== "object" && item !== undefined);
  if (!isSound) throw shapeError("Fn::Join");
  return items.join(String(delimiter));
}

function select([index, list]: readonly unknown[]): unknown {
  if (isPending(list)) return list;
  if (!Array.isArray(list) || !/^\d+$/.test(String(index))) throw shapeError("Fn::Select");
  if (Number(index) >= list.length) throw templateError(`Fn::Select cannot select nonexistent value at index ${String(index)}`);
  return list[Number(index)];
}

/** The attributes of subnets, instances and their like that parameters name: the sandbox has none of these. */
function refuseAttributeOf(name: string, argument: unknown): never {
  throw simError("SimUnsupported", `The rule asks for ${name} ${JSON.stringify(argument)}: an attribute of a resource outside the template, of a kind that the sandbox does not have. Take the rule out of the template.`);
}

function shapeError(name: string): Error {
  return templateError(SHAPES[name]?.message ?? `${name} has arguments of another shape than it wants.`);
}
