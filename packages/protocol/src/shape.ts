import { invariant, loadPeer, simError } from "@sandstack/core";
import type { NormalizedSchema } from "@smithy/core/schema";

export type ShapeKind = "string" | "boolean" | "number" | "blob" | "timestamp" | "document" | "list" | "map" | "structure" | "union" | "unit";

export type TimestampFormat = "date-time" | "http-date" | "epoch-seconds";

/** The traits of Smithy that the codecs act on; on a member they hold its own and its target's. */
export interface Traits {
  readonly httpLabel?: unknown;
  readonly httpQuery?: string;
  readonly httpHeader?: string;
  readonly httpPrefixHeaders?: string;
  readonly httpPayload?: unknown;
  readonly httpResponseCode?: unknown;
  readonly http?: [method: string, uri: string, statusCode: number];
  readonly xmlName?: string;
  readonly xmlFlattened?: unknown;
  readonly xmlAttribute?: unknown;
  readonly xmlNamespace?: readonly [prefix: string, uri: string];
  readonly sparse?: unknown;
  /** On a body that clients take as a stream. */
  readonly streaming?: unknown;
  readonly mediaType?: string;
}

export interface Member {
  readonly name: string;
  readonly shape: Shape;
  /** True for a member that a request must carry. */
  readonly isRequired: boolean;
}

/**
 * One shape of a service's model, read once from the schema that the SDK's client exports.
 *
 * Members are read on first need, for shapes may hold themselves.
 */
export class Shape {
  readonly kind: ShapeKind;
  readonly name: string;
  readonly traits: Traits;
  /** How the model wants a timestamp written; `undefined`: as the protocol does by default. */
  readonly timestampFormat: TimestampFormat | undefined;
  readonly isFlattened: boolean;
  readonly isSparse: boolean;
  readonly #schema: NormalizedSchema;
  #members: readonly Member[] | undefined;
  #value: Shape | undefined;
  #key: Shape | undefined;

  constructor(schema: NormalizedSchema) {
    this.#schema = schema;
    this.kind = kindOf(schema);
    this.name = schema.getName() ?? "";
    this.traits = schema.getMergedTraits() as Traits; // the traits of Smithy, of which `Traits` names those used here
    this.timestampFormat = TIMESTAMP_FORMATS[schema.getSchema() as number]; // a timestamp's schema is one of these numbers; others are not found
    this.isFlattened = Boolean(this.traits.xmlFlattened);
    this.isSparse = Boolean(this.traits.sparse);
  }

  /** The members of a structure or union, in the model's order. */
  get members(): readonly Member[] {
    return (this.#members ??= this.#readMembers());
  }

  /** What a list or map holds. */
  get value(): Shape {
    return (this.#value ??= new Shape(this.#schema.getValueSchema()));
  }

  /** The key of a map. */
  get key(): Shape {
    return (this.#key ??= new Shape(this.#schema.getKeySchema()));
  }

  #readMembers(): readonly Member[] {
    if (this.kind === "unit") return [];
    const requiredCount = requiredCountOf(this.#schema);
    return [...this.#schema.structIterator()].map(([name, schema], index) => ({ name, shape: new Shape(schema), isRequired: index < requiredCount }));
  }
}

const TIMESTAMP_FORMATS: Readonly<Record<number, TimestampFormat>> = { 5: "date-time", 6: "http-date", 7: "epoch-seconds" };

/** A structure's schema is `[3, namespace, name, traits, member names, member schemas, required count]`: required members come first. */
function requiredCountOf(schema: NormalizedSchema): number {
  const raw: unknown = schema.getSchema();
  const count: unknown = Array.isArray(raw) ? raw[6] : undefined;
  return typeof count === "number" ? count : 0;
}

function kindOf(schema: NormalizedSchema): ShapeKind {
  if (schema.isStringSchema()) return "string";
  if (schema.isNumericSchema()) return "number";
  if (schema.isBooleanSchema()) return "boolean";
  if (schema.isUnionSchema()) return "union";
  if (schema.isStructSchema()) return "structure";
  if (schema.isListSchema()) return "list";
  if (schema.isMapSchema()) return "map";
  if (schema.isBlobSchema()) return "blob";
  if (schema.isTimestampSchema()) return "timestamp";
  if (schema.isDocumentSchema()) return "document";
  if (schema.isUnitSchema()) return "unit";
  throw simError("SimUnsupported", `The sandbox cannot read the schema of ${schema.getName(true)}: numbers of any size are not supported.`);
}

const shapes = new WeakMap<object, Shape>();

/** The shape of a schema as a client package exports it (or a function giving it, as operations hold theirs). */
export function shapeOf(schema: unknown): Shape {
  const resolved: unknown = typeof schema === "function" ? schema() : schema;
  if (typeof resolved !== "object" || resolved === null) return new Shape(normalize(resolved));
  let shape = shapes.get(resolved);
  if (shape === undefined) shapes.set(resolved, (shape = new Shape(normalize(resolved))));
  return shape;
}

function normalize(schema: unknown): NormalizedSchema {
  // Loaded on first need: a direct call costs no codec.
  const { NormalizedSchema } = loadPeer<typeof import("@smithy/core/schema")>("@smithy/core/schema", "to speak the AWS protocols");
  invariant(schema !== undefined, "a schema is there to be read");
  return NormalizedSchema.of(schema as Parameters<typeof NormalizedSchema.of>[0]); // whatever a client exports as a schema
}
