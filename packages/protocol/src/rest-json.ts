import type { AwsError } from "@sandstack/core";
import { bytesOf, type WireRequest, type WireResponse } from "./http.js";
import { membersJson, parseJson, readJson, readMembers } from "./json.js";
import type { OperationModel, ServiceModel } from "./model.js";
import { readText } from "./query.js";
import type { WireService } from "./services.js";
import type { Member, Shape } from "./shape.js";
import { jsonErrorName, malformed } from "./wire-errors.js";
import { scalarText } from "./xml.js";

/** Where the members of a structure travel, found once per shape. */
interface Bindings {
  readonly labels: readonly Member[];
  readonly queries: readonly Member[];
  readonly headers: readonly Member[];
  readonly prefixHeaders: readonly Member[];
  /** The member that is the whole body. */
  readonly payload: Member | undefined;
  readonly statusCode: Member | undefined;
  /** The members of the JSON body. */
  readonly body: readonly Member[];
}

const bindingsByShape = new WeakMap<Shape, Bindings>();

export function bindingsOf(shape: Shape): Bindings {
  let bindings = bindingsByShape.get(shape);
  if (bindings === undefined) bindingsByShape.set(shape, (bindings = readBindings(shape.members)));
  return bindings;
}

function readBindings(members: readonly Member[]): Bindings {
  const placed = members.map((member) => ({ member, traits: member.shape.traits }));
  const those = (isThere: (traits: Shape["traits"]) => unknown): Member[] => placed.filter(({ traits }) => isThere(traits)).map(({ member }) => member);
  const labels = those((traits) => traits.httpLabel);
  const queries = those((traits) => traits.httpQuery);
  const headers = those((traits) => traits.httpHeader);
  // An empty prefix takes every header.
  const prefixHeaders = those((traits) => traits.httpPrefixHeaders !== undefined);
  const [payload] = those((traits) => traits.httpPayload);
  const [statusCode] = those((traits) => traits.httpResponseCode);
  const elsewhere = new Set([...labels, ...queries, ...headers, ...prefixHeaders, payload, statusCode]);
  return { labels, queries, headers, prefixHeaders, payload, statusCode, body: members.filter((member) => !elsewhere.has(member)) };
}

/**
 * The input of a REST-JSON request.
 *
 * @param labels the parts of the path, by member
 * @throws SerializationException (400)
 */
export function decodeRestJson(operation: OperationModel, request: WireRequest, labels: ReadonlyMap<string, string>): unknown {
  const { service, input } = operation;
  const { payload, body } = bindingsOf(input);
  const read = readBoundMembers(service, input, request, labels);
  if (payload !== undefined) {
    if (request.body.length > 0) read[payload.name] = readPayload(service, payload.shape, request.body);
  } else if (body.length > 0) {
    Object.assign(read, readMembers(service, body, parseJson(service, request.body)));
  }
  return read;
}

function readBoundMembers(service: WireService, input: Shape, request: WireRequest, labels: ReadonlyMap<string, string>): Record<string, unknown> {
  const bindings = bindingsOf(input);
  const read: Record<string, unknown> = {};
  for (const { name, shape } of bindings.labels) {
    const text = labels.get(name);
    if (text !== undefined) read[name] = readBound(service, shape, text);
  }
  for (const { name, shape } of bindings.queries) {
    const values = request.query.get(shape.traits.httpQuery ?? "");
    if (values !== undefined) read[name] = shape.kind === "list" ? values.map((text) => readBound(service, shape.value, text)) : readBound(service, shape, values[0] ?? "");
  }
  for (const { name, shape } of bindings.headers) {
    const text = request.headers[shape.traits.httpHeader?.toLowerCase() ?? ""];
    if (text !== undefined) read[name] = shape.kind === "list" ? text.split(",").map((part) => readBound(service, shape.value, part.trim())) : readBound(service, shape, text);
  }
  for (const { name, shape } of bindings.prefixHeaders) {
    const prefix = shape.traits.httpPrefixHeaders?.toLowerCase() ?? "";
    const found = Object.entries(request.headers).filter(([header, text]) => header.startsWith(prefix) && text !== undefined);
    if (found.length > 0) read[name] = Object.fromEntries(found.map(([header, text]) => [header.slice(prefix.length), text]));
  }
  return read;
}

function readBound(service: WireService, shape: Shape, text: string): unknown {
  const value = readText(shape, text);
  if (value === undefined) throw malformed(service, `STRING_VALUE can not be converted to ${shape.kind === "number" ? "an Integer" : `a ${shape.kind}`}`);
  return value;
}

function readPayload(service: WireService, shape: Shape, body: string | Uint8Array): unknown {
  if (shape.kind === "blob") return new Uint8Array(bytesOf(body)); // a copy: the body is the caller's
  if (shape.kind === "string") return typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  return readJson(service, shape, parseJson(service, body));
}

export function encodeRestJson(operation: OperationModel, output: unknown, requestId: string): WireResponse {
  const given = output as Record<string, unknown>; // an operation's output has the SDK's type
  const headers: Record<string, string> = { "x-amzn-requestid": requestId };
  const bindings = bindingsOf(operation.output);
  writeHeaders(bindings, given, headers);
  const statusCode = (bindings.statusCode && (given[bindings.statusCode.name] as number | undefined)) ?? operation.http?.statusCode ?? 200; // the model binds a number
  const { payload } = bindings;
  if (payload !== undefined) return { statusCode, headers, body: writePayload(payload.shape, given[payload.name], headers) };
  // 204 means that there is no body.
  if (operation.output.kind === "unit" || statusCode === 204) return { statusCode, headers, body: "" };
  headers["content-type"] = "application/json";
  return { statusCode, headers, body: JSON.stringify(membersJson(bindings.body, given)) };
}

function writeHeaders(bindings: Bindings, given: Readonly<Record<string, unknown>>, headers: Record<string, string>): void {
  for (const { name, shape } of bindings.headers) {
    const value = given[name];
    if (value === undefined || value === null || shape.traits.httpHeader === undefined) continue;
    headers[shape.traits.httpHeader.toLowerCase()] = shape.kind === "list" ? (value as unknown[]).map((item) => scalarText(shape.value, item)).join(", ") : scalarText(shape, value); // the model says list
  }
  for (const { name, shape } of bindings.prefixHeaders) {
    for (const [key, value] of Object.entries((given[name] ?? {}) as Record<string, unknown>)) headers[(shape.traits.httpPrefixHeaders ?? "") + key.toLowerCase()] = String(value); // the model says map
  }
}

function writePayload(shape: Shape, value: unknown, headers: Record<string, string>): string | Uint8Array {
  if (value === undefined || value === null) return "";
  if (shape.kind === "blob" || shape.kind === "string") {
    headers["content-type"] = shape.traits.mediaType ?? (shape.kind === "blob" ? "application/octet-stream" : "text/plain");
    return value as string | Uint8Array; // the output's type of such a member
  }
  headers["content-type"] = "application/json";
  return JSON.stringify(membersJson(shape.members, value as Record<string, unknown>)); // what else a body can be
}

/** An error: its name in a header, its members in the body. */
export function encodeRestJsonError(model: ServiceModel, error: AwsError, requestId: string): WireResponse {
  const shape = model.errorShape(error.name);
  const headers: Record<string, string> = { "x-amzn-requestid": requestId, "x-amzn-errortype": shape === undefined ? jsonErrorName(error.name) : error.name, "content-type": "application/json" };
  if (shape === undefined) return { statusCode: error.$metadata.httpStatusCode, headers, body: JSON.stringify({ message: error.message }) };
  const bindings = bindingsOf(shape);
  // The SDK's exceptions have their text in `message`, whatever the model calls the member.
  const members: Record<string, unknown> = { ...error, message: error.message, Message: error.message };
  writeHeaders(bindings, members, headers);
  return { statusCode: error.$metadata.httpStatusCode, headers, body: JSON.stringify(membersJson(bindings.body, members)) };
}
