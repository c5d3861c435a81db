import { simError } from "@sandstack/core";

/** A policy's JSON as its author wrote it: every member may be missing or of any type. */
export type JsonObject = { readonly [member: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One value or a list of values, as a list; nothing is an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** As `listOf`, of texts: numbers and booleans read as they are written. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(String);
}

/** The statements of a document; AWS takes one object for a list of one. */
export function statementsOf(document: JsonObject): readonly JsonObject[] {
  return listOf(document["Statement"]).filter(isJsonObject);
}

/** Reads a policy's text for evaluation. @throws SimMalformedPolicy where it is no JSON object */
export function readDocument(text: string): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw simError("SimMalformedPolicy", `A policy is not JSON: ${(error as SyntaxError).message}. The policy: ${text.slice(0, 200)}`); // JSON.parse throws nothing else
  }
  if (!isJsonObject(document)) throw simError("SimMalformedPolicy", `A policy is a JSON object; this is none: ${text.slice(0, 200)}`);
  return document;
}
