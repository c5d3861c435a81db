import { brotliDecompressSync } from "node:zlib";
import allTypesPacked from "./all-types.data.js";
import detailedTypesPacked from "./detailed-types.data.js";

/**
 * The type of a property: `s` string, `i` integer, `n` number, `b` boolean, `j` JSON, `d` date and time, `g` tag, `z` null;
 * `["a", T]` list, `["m", T]` map, `["u", T…]` any of these; a number is a nested definition.
 */
export type PropertyType = string | number | CompoundType;

// An interface, for an alias cannot refer to itself inside a tuple.
export interface CompoundType extends ReadonlyArray<PropertyType> {
  readonly 0: "a" | "m" | "u";
}

/** The properties of a type or of a nested definition. */
export interface Structure {
  readonly properties: Readonly<Record<string, PropertyType>>;
  readonly required: readonly string[];
  /** A change of these makes a new resource. */
  readonly replacing: readonly string[];
  /** A change of these may make a new resource, according to the value. */
  readonly maybeReplacing: readonly string[];
}

/** What AWS's schema says of a resource type. */
export interface TypeSpec extends Structure {
  readonly type: string;
  readonly attributes: readonly string[];
  readonly primaryIdentifier: readonly string[];
  readonly tagProperty?: string | undefined;
  /** True when types of properties and nested definitions are known; else all properties are taken as they are. */
  readonly isDetailed: boolean;
}

/** As packed by scripts/distil-spec.mjs. */
interface PackedStructure {
  readonly p?: readonly string[] | Readonly<Record<string, PropertyType>>;
  readonly r?: readonly string[];
  readonly y?: readonly string[];
  readonly m?: readonly string[];
}

interface PackedType extends PackedStructure {
  readonly a?: readonly string[];
  readonly i?: readonly string[];
  readonly t?: string;
}

interface DetailedTypes {
  readonly types: Readonly<Record<string, PackedType>>;
  readonly definitions: readonly PackedStructure[];
}

// Unpacked on first need: deployments of the usual types never pay for the list of all.
const detailedTypes = once(() => unpack<DetailedTypes>(detailedTypesPacked));
const allTypes = once(() => unpack<Record<string, PackedType>>(allTypesPacked));
const specs = new Map<string, TypeSpec | undefined>();
const definitions = new Map<number, Structure>();

/** What AWS's schema says of `type`, or `undefined` when AWS has no such type. */
export function typeSpecOf(type: string): TypeSpec | undefined {
  if (!specs.has(type)) specs.set(type, readTypeSpec(type));
  return specs.get(type);
}

function readTypeSpec(type: string): TypeSpec | undefined {
  const { types } = detailedTypes();
  const isDetailed = Object.hasOwn(types, type);
  const packed = isDetailed ? types[type] : Object.hasOwn(allTypes(), type) ? allTypes()[type] : undefined;
  if (packed === undefined) return undefined;
  return { type, ...structureOf(packed), attributes: packed.a ?? [], primaryIdentifier: packed.i ?? [], tagProperty: packed.t, isDetailed };
}

/** A nested definition by its number in a `PropertyType`. */
export function definitionOf(index: number): Structure {
  let definition = definitions.get(index);
  if (definition === undefined) definitions.set(index, (definition = structureOf(detailedTypes().definitions[index] ?? {})));
  return definition;
}

function structureOf({ p = [], r = [], y = [], m = [] }: PackedStructure): Structure {
  // Where only names are packed, every property is taken as it comes.
  const properties = Array.isArray(p) ? Object.fromEntries((p as readonly string[]).map((name) => [name, "j"])) : (p as Readonly<Record<string, PropertyType>>); // one or the other
  return { properties, required: r, replacing: y, maybeReplacing: m };
}

function unpack<T>(packed: string): T {
  return JSON.parse(brotliDecompressSync(Buffer.from(packed, "base64")).toString("utf8")) as T; // what the script packed
}

function once<T>(make: () => T): () => T {
  let value: { of: T } | undefined;
  return () => (value ??= { of: make() }).of;
}
