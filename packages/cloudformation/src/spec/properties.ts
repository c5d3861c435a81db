import { types } from "node:util";
import { isObject } from "../template/template.js";
import { definitionOf, type PropertyType, type Structure, type TypeSpec } from "./spec.js";

/** A property that AWS's schema does not have. */
export interface ExtraneousProperty {
  /** `Code.Foo`, `Tags[0].Foo` */
  readonly path: string;
  readonly key: string;
  /** Where it stands, as AWS's validator writes it: `#/Code`. */
  readonly pointer: string;
}

/** Properties as the type wants them. */
export interface FittedProperties {
  /** Numbers, booleans and texts made what the schema wants, extraneous members taken out. */
  readonly properties: Record<string, unknown>;
  readonly extraneous: readonly ExtraneousProperty[];
  /** What does not fit, in the words of AWS's validator: `#/DelaySeconds: expected type: Integer, found: String`. */
  readonly violations: readonly string[];
  /** JSON pointers of required members that are not there: `/Code`. */
  readonly missing: readonly string[];
}

/** Fits evaluated properties to a type's schema: CloudFormation takes `"2"` for 2, `"true"` for true and 5 for `"5"`. */
export function fitProperties(spec: TypeSpec, properties: Readonly<Record<string, unknown>>): FittedProperties {
  const fitting: Fitting = { extraneous: [], violations: [], missing: [] };
  const fitted = fitStructure(spec, properties, { path: "", pointer: "" }, fitting);
  return { properties: fitted, ...fitting };
}

interface Fitting {
  readonly extraneous: ExtraneousProperty[];
  readonly violations: string[];
  readonly missing: string[];
}

interface Place {
  readonly path: string;
  readonly pointer: string;
}

function fitStructure(structure: Structure, value: Readonly<Record<string, unknown>>, place: Place, fitting: Fitting): Record<string, unknown> {
  const fitted: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const type = Object.hasOwn(structure.properties, key) ? structure.properties[key] : undefined;
    const path = place.path === "" ? key : `${place.path}.${key}`;
    if (type === undefined) fitting.extraneous.push({ path, key, pointer: `#${place.pointer}` });
    else fitted[key] = fitValue(type, member, { path, pointer: `${place.pointer}/${key}` }, fitting);
  }
  for (const name of structure.required) if (fitted[name] === undefined) fitting.missing.push(`${place.pointer}/${name}`);
  return fitted;
}

function fitValue(type: PropertyType, value: unknown, place: Place, fitting: Fitting): unknown {
  if (typeof type === "number") {
    return isObject(value) ? fitStructure(definitionOf(type), value, place, fitting) : violate("JSONObject", value, place, fitting);
  }
  if (typeof type === "string") return fitScalar(type, value, place, fitting);
  const inner = type.slice(1);
  const [element = "j"] = inner;
  switch (type[0]) {
    case "a":
      if (!Array.isArray(value)) return violate("JSONArray", value, place, fitting);
      return value.map((item, index) => fitValue(element, item, { path: `${place.path}[${index}]`, pointer: `${place.pointer}/${index}` }, fitting));
    case "m":
      if (!isObject(value)) return violate("JSONObject", value, place, fitting);
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, fitValue(element, member, { path: `${place.path}.${key}`, pointer: `${place.pointer}/${key}` }, fitting)]),
      );
    case "u":
      return fitUnion(inner, value, place, fitting);
  }
}

/** Takes the first of the types that the value fits without complaint; if none does, the complaint of the first. */
function fitUnion(choices: readonly PropertyType[], value: unknown, place: Place, fitting: Fitting): unknown {
  let first: { fitted: unknown; fitting: Fitting } | undefined;
  for (const type of choices) {
    const attempt: Fitting = { extraneous: [], violations: [], missing: [] };
    const fitted = fitValue(type, value, place, attempt);
    if (attempt.extraneous.length + attempt.violations.length + attempt.missing.length === 0) return fitted;
    first ??= { fitted, fitting: attempt };
  }
  if (first === undefined) return value;
  fitting.extraneous.push(...first.fitting.extraneous);
  fitting.violations.push(...first.fitting.violations);
  fitting.missing.push(...first.fitting.missing);
  return first.fitted;
}

const TAG: Structure = { properties: { Key: "s", Value: "s" }, required: ["Key", "Value"], replacing: [], maybeReplacing: [] };

function fitScalar(type: string, value: unknown, place: Place, fitting: Fitting): unknown {
  const kind = typeof value;
  switch (type) {
    case "s":
    case "d":
      return kind === "object" ? violate("String", value, place, fitting) : String(value);
    case "b":
      if (kind === "boolean") return value;
      return value === "true" || value === "false" ? value === "true" : violate("Boolean", value, place, fitting);
    case "i":
      return isNumeric(value) && Number.isInteger(Number(value)) ? Number(value) : violate(isNumeric(value) ? "Integer" : "Number", value, place, fitting);
    case "n":
      return isNumeric(value) ? Number(value) : violate("Number", value, place, fitting);
    case "g":
      return isObject(value) ? fitStructure(TAG, value, place, fitting) : violate("JSONObject", value, place, fitting);
    default:
      return value;
  }
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)));
}

function violate(expected: string, value: unknown, place: Place, fitting: Fitting): unknown {
  fitting.violations.push(`#${place.pointer}: expected type: ${expected}, found: ${kindOf(value)}`);
  return value;
}

/** A value's type as AWS's validator calls it. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "JSONArray";
  if (typeof value === "object") return "JSONObject";
  if (typeof value === "number") return Number.isInteger(value) ? "Integer" : "Double";
  return typeof value === "boolean" ? "Boolean" : "String";
}

/** What a change from one set of properties to another needs, and which properties changed. */
export interface PropertyChange {
  readonly changed: readonly string[];
  readonly replacing: readonly string[];
}

/** Compares two sets of fitted properties of a type. A nested member that replaces counts for the property it is in. */
export function compareProperties(structure: Structure, before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): PropertyChange {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isSame(before[name], after[name]));
  const replacing = changed.filter((name) => {
    const type = Object.hasOwn(structure.properties, name) ? structure.properties[name] : undefined;
    return structure.replacing.includes(name) || (type !== undefined && isNestedReplacement(type, before[name], after[name]));
  });
  return { changed, replacing };
}

function isNestedReplacement(type: PropertyType, before: unknown, after: unknown): boolean {
  if (typeof type !== "number" || !isObject(before) || !isObject(after)) return false;
  return compareProperties(definitionOf(type), before, after).replacing.length > 0;
}

/** Equal as JSON values, whatever the order of members. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (types.isUint8Array(left) || types.isUint8Array(right)) return types.isUint8Array(left) && types.isUint8Array(right) && Buffer.compare(left, right) === 0;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const leftKeys = Object.keys(left);
  if (leftKeys.length !== Object.keys(right).length) return false;
  return leftKeys.every((key) => Object.hasOwn(right, key) && isSame((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]));
}
