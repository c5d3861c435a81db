import { templateError } from "../errors.js";
import { MAX_FOR_EACH_DEPTH } from "../limits.js";
import { functionCallOf, isObject } from "./template.js";

const FOR_EACH = "Fn::ForEach::";

/** The list a loop goes over, where it is given as a function: `{ Ref: ListParameter }`. */
export type ListOf = (reference: unknown) => readonly string[];

/**
 * Expands the loops (`Fn::ForEach::Name`) of a template that uses AWS::LanguageExtensions: in `Resources`, `Outputs` and
 * `Conditions`, and inside properties. `${Name}`, `&{Name}` and `{ Ref: Name }` of the loop's variable are replaced in keys and values.
 */
export function expandLoops(value: unknown, listOf: ListOf, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => expandLoops(item, listOf, depth));
  if (!isObject(value)) return value;
  const expanded: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key.startsWith(FOR_EACH)) Object.assign(expanded, expandLoop(key, member, listOf, depth));
    else expanded[key] = expandLoops(member, listOf, depth);
  }
  return expanded;
}

function expandLoop(name: string, argument: unknown, listOf: ListOf, depth: number): Record<string, unknown> {
  if (depth >= MAX_FOR_EACH_DEPTH) throw templateError(`${name}: loops can be nested up to ${MAX_FOR_EACH_DEPTH} deep`);
  const [variable, collection, body] = Array.isArray(argument) && argument.length === 3 ? (argument as unknown[]) : [];
  if (typeof variable !== "string" || !isObject(body)) throw templateError(`${name} layout is incorrect: it takes an identifier, a collection and an object`);
  const items = Array.isArray(collection) ? (collection as unknown[]).flatMap((item) => (isObject(item) ? listOf(item) : [String(item)])) : listOf(collection);
  const expanded: Record<string, unknown> = {};
  for (const item of items) {
    // Loops inside this one may go over what its variable gives, so it is put in first.
    const members = expandLoops(withVariable(body, variable, item), listOf, depth + 1) as Record<string, unknown>; // an object stays one
    for (const [key, member] of Object.entries(members)) {
      if (key in expanded) throw templateError(`${name} gives ${key} more than once`);
      expanded[key] = member;
    }
  }
  return expanded;
}

function withVariable(value: unknown, variable: string, item: string): unknown {
  if (typeof value === "string") return replaceIn(value, variable, item);
  if (Array.isArray(value)) return value.map((member) => withVariable(member, variable, item));
  if (!isObject(value)) return value;
  const call = functionCallOf(value);
  if (call?.name === "Ref" && call.argument === variable) return item;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [replaceIn(key, variable, item), withVariable(member, variable, item)]));
}

function replaceIn(text: string, variable: string, item: string): string {
  return text.replaceAll(`\${${variable}}`, item).replaceAll(`&{${variable}}`, item.replace(/[^A-Za-z0-9]/g, ""));
}
