import type { AwsError } from "@sandstack/core";
import { unchunked } from "./aws-chunked.js";
import { bytesOf, type WireRequest, type WireResponse } from "./http.js";
import type { OperationModel } from "./model.js";
import { readText } from "./query.js";
import type { OperationRoute } from "./route.js";
import type { WireService } from "./services.js";
import type { Member, Shape } from "./shape.js";
import { unreadableValue } from "./wire-errors.js";
import { scalarText } from "./xml.js";

/** What the protocols of REST differ in: how a document is written in a body. */
export interface DocumentFormat {
  readonly contentType: string;
  readonly requestIdHeader: string;
  /** Reads the members of a structure that travel in the body. @throws AWS's error for what cannot be read (400) */
  readMembers(service: WireService, members: readonly Member[], body: string | Uint8Array): Record<string, unknown>;
  /** Reads the member that is the whole body. @throws AWS's error for what cannot be read (400) */
  readDocument(service: WireService, shape: Shape, body: string | Uint8Array): unknown;
  /** @returns the empty text where the answer has no document */
  writeMembers(service: WireService, shape: Shape, members: readonly Member[], value: Readonly<Record<string, unknown>>): string;
  writeDocument(service: WireService, shape: Shape, value: unknown): string;
}

/** Where the members of a structure travel, found once per shape. */
interface Bindings {
  readonly labels: readonly Member[];
  readonly queries: readonly Member[];
  readonly headers: readonly Member[];
  readonly prefixHeaders: readonly Member[];
  /** The member that is the whole body. */
  readonly payload: Member | undefined;
  readonly statusCode: Member | undefined;
  /** The members of the document in the body. */
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

/** The input of a REST request. @throws AWS's error for what cannot be read (400) */
export function decodeRest(format: DocumentFormat, { operation, labels }: OperationRoute, sent: WireRequest): unknown {
  const { service, input } = operation;
  const { payload, body } = bindingsOf(input);
  const request = unchunked(service, sent);
  const read = readBoundMembers(service, input, request, labels ?? new Map());
  if (payload !== undefined) {
    if (request.body.length > 0) read[payload.name] = readPayload(format, service, payload.shape, request.body);
  } else if (body.length > 0) {
    Object.assign(read, format.readMembers(service, body, request.body));
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
  if (value === undefined) throw unreadableValue(service, shape.kind);
  return value;
}

function readPayload(format: DocumentFormat, service: WireService, shape: Shape, body: string | Uint8Array): unknown {
  if (shape.kind === "blob") return new Uint8Array(bytesOf(body)); // a copy: the body is the caller's
  if (shape.kind === "string") return typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  return format.readDocument(service, shape, body);
}

export function encodeRest(format: DocumentFormat, operation: OperationModel, output: object, requestId: string): WireResponse {
  const given = output as Record<string, unknown>; // an operation's output has the SDK's type
  const bindings = bindingsOf(operation.output);
  const { payload } = bindings;
  const statusCode = (bindings.statusCode && (given[bindings.statusCode.name] as number | undefined)) ?? operation.http?.statusCode ?? 200; // the model binds a number
  // What the output itself says of its type comes after what its kind suggests.
  const bound = writeHeaders(bindings, given);
  const { contentType, body } = payload === undefined ? writeMembers(format, operation, bindings, given, statusCode) : writePayload(format, operation.service, payload.shape, given[payload.name]);
  const headers = { [format.requestIdHeader]: requestId, ...(contentType !== undefined && { "content-type": contentType }), ...bound };
  return { statusCode, headers, body, ...(payload?.shape.traits.streaming !== undefined && { isStreamed: true }) };
}

function writeMembers(format: DocumentFormat, { service, output }: OperationModel, bindings: Bindings, given: Readonly<Record<string, unknown>>, statusCode: number): Written {
  // 204 means that there is no body.
  const body = output.kind === "unit" || statusCode === 204 ? "" : format.writeMembers(service, output, bindings.body, given);
  return { body, contentType: body === "" ? undefined : format.contentType };
}

function writeHeaders(bindings: Bindings, given: Readonly<Record<string, unknown>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, shape } of bindings.headers) {
    const value = given[name];
    if (value === undefined || value === null || shape.traits.httpHeader === undefined) continue;
    headers[shape.traits.httpHeader.toLowerCase()] = shape.kind === "list" ? (value as unknown[]).map((item) => headerText(shape.value, item)).join(", ") : headerText(shape, value); // the model says list
  }
  for (const { name, shape } of bindings.prefixHeaders) {
    for (const [key, value] of Object.entries((given[name] ?? {}) as Record<string, unknown>)) headers[(shape.traits.httpPrefixHeaders ?? "") + key.toLowerCase()] = String(value); // the model says map
  }
  return headers;
}

function headerText(shape: Shape, value: unknown): string {
  return scalarText(shape, value, "http-date");
}

interface Written {
  readonly contentType: string | undefined;
  readonly body: string | Uint8Array;
}

function writePayload(format: DocumentFormat, service: WireService, shape: Shape, value: unknown): Written {
  if (value === undefined || value === null) return { contentType: undefined, body: "" };
  if (shape.kind === "blob" || shape.kind === "string") {
    const contentType = shape.traits.mediaType ?? (shape.kind === "blob" ? "application/octet-stream" : "text/plain");
    return { contentType, body: value as string | Uint8Array }; // the output's type of such a member
  }
  return { contentType: format.contentType, body: format.writeDocument(service, shape, value) };
}

/** What an error's own shape says of it: the headers, the members of the document, and their values. */
export function errorMembers(shape: Shape | undefined, error: AwsError): { readonly headers: Record<string, string>; readonly members: readonly Member[]; readonly values: Readonly<Record<string, unknown>> } {
  // The SDK's exceptions have their text in `message`, whatever the model calls the member.
  const values: Record<string, unknown> = { ...error, message: error.message, Message: error.message };
  if (shape === undefined) return { headers: {}, members: [], values };
  const bindings = bindingsOf(shape);
  return { headers: writeHeaders(bindings, values), members: bindings.body, values };
}
