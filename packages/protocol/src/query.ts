import type { Codec } from "./codec.js";
import { formTree, parseForm, type FormNode } from "./form.js";
import type { WireRequest, WireResponse } from "./http.js";
import { decodeBase64, setOwn, utf8Text } from "./json.js";
import { encodeQueryAsJson, encodeQueryErrorAsJson } from "./query-as-json.js";
import type { WireService } from "./services.js";
import type { Shape } from "./shape.js";
import { parseTimestamp } from "./timestamp.js";
import { queryMessageOf } from "./sqs-rules.js";
import { malformed, queryErrorCode } from "./wire-errors.js";
import { xmlElement, xmlMembers, xmlText, XML_DECLARATION } from "./xml.js";

/** The parameters of a Query request: those of the body after those of the URL. `undefined` when they cannot be read. */
export function queryParameters(request: WireRequest): [name: string, value: string][] | undefined {
  const inUrl = [...request.query].flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
  if (request.method === "GET" || request.body.length === 0) return inUrl;
  const text = typeof request.body === "string" ? request.body : utf8Text(request.body);
  const inBody = text === undefined ? undefined : parseForm(text);
  return inBody && [...inUrl, ...inBody];
}

export const awsQuery: Codec = {
  decode({ operation, parameters = [] }) {
    const { service, input } = operation;
    const tree = formTree(parameters);
    if (tree === undefined) throw malformed(service, "The name of a parameter has too many parts.");
    return input.kind === "unit" ? {} : readStructure(service, input, tree);
  },

  encode({ operation, isJsonWanted }, output, requestId) {
    if (isJsonWanted === true) return encodeQueryAsJson(operation, output, requestId);
    const { service, name } = operation;
    const result = operation.output.kind === "unit" ? "" : xmlElement(`${name}Result`, xmlMembers(operation.output.members, output));
    const metadata = `<ResponseMetadata><RequestId>${xmlText(requestId)}</RequestId></ResponseMetadata>`;
    return xmlResponse(200, `<${name}Response xmlns="${service.xmlNamespace}">${result}${metadata}</${name}Response>`, requestId);
  },

  encodeError({ model, isJsonWanted }, error, requestId) {
    const { service } = model;
    const message = service.id === "sqs" ? queryMessageOf(error.name, error.message) : error.message;
    if (isJsonWanted === true) return encodeQueryErrorAsJson(error, requestId, message);
    const type = error.$fault === "server" ? "Receiver" : "Sender";
    // Only the services that also speak JSON write the empty detail.
    const detail = service.isQueryCompatible ? "<Detail/>" : "";
    const body =
      `<ErrorResponse xmlns="${service.xmlNamespace}"><Error><Type>${type}</Type><Code>${xmlText(queryErrorCode(error))}</Code>` +
      `<Message>${xmlText(message)}</Message>${detail}</Error><RequestId>${xmlText(requestId)}</RequestId></ErrorResponse>`;
    return xmlResponse(error.$metadata.httpStatusCode, body, requestId);
  },
};

function xmlResponse(statusCode: number, xml: string, requestId: string): WireResponse {
  return { statusCode, headers: { "x-amzn-requestid": requestId, "content-type": "text/xml" }, body: XML_DECLARATION + xml };
}

function readNode(service: WireService, shape: Shape, node: FormNode): unknown {
  if (shape.kind === "list") return readList(service, shape, node);
  if (shape.kind === "map") return readMap(service, shape, node);
  if (shape.kind === "structure" || shape.kind === "union") {
    if (node.children === undefined && node.text !== "") throw malformed(service, "Unexpected complex element termination");
    return readStructure(service, shape, node);
  }
  if (node.text === undefined) throw malformed(service, "Start of structure or map found where not expected.");
  const value = readText(shape, node.text);
  if (value === undefined) throw malformed(service, `STRING_VALUE can not be converted to ${SCALAR_NAMES[shape.kind] ?? "a value"}`);
  return value;
}

const SCALAR_NAMES: Partial<Record<Shape["kind"], string>> = { number: "an Integer", boolean: "a Boolean", blob: "a Blob", timestamp: "a Timestamp" };

/** A scalar's value, or `undefined` when the text has another type. Shared with headers, labels and query parameters of REST. */
export function readText(shape: Shape, text: string): unknown {
  switch (shape.kind) {
    case "number":
      return /^[-+]?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : undefined;
    case "boolean":
      return text.toLowerCase() === "true" ? true : text.toLowerCase() === "false" ? false : undefined;
    case "blob":
      return decodeBase64(text);
    case "timestamp":
      return parseTimestamp(text);
    default:
      return text;
  }
}

function readStructure(service: WireService, shape: Shape, node: FormNode): object {
  const read: Record<string, unknown> = {};
  for (const { name, shape: memberShape } of shape.members) {
    const child = node.children?.get(memberShape.traits.xmlName ?? name);
    if (child !== undefined) read[name] = readNode(service, memberShape, child);
  }
  return read;
}

/** `Parameters.member.1=a`, flattened `AttributeName.1=a`; the empty list is `Parameters=`. */
function readList(service: WireService, shape: Shape, node: FormNode): unknown[] {
  const item = shape.value;
  const items = shape.isFlattened ? node : node.children?.get(item.traits.xmlName ?? "member");
  return numbered(service, items).map((child) => readNode(service, item, child));
}

/** `Attributes.entry.1.key=a` with `.value=b`, flattened `Attribute.1.Name=a` with `.Value=b`. */
function readMap(service: WireService, shape: Shape, node: FormNode): object {
  const read: Record<string, unknown> = {};
  const keyName = shape.key.traits.xmlName ?? "key";
  const valueName = shape.value.traits.xmlName ?? "value";
  for (const entry of numbered(service, shape.isFlattened ? node : node.children?.get("entry"))) {
    const key = entry.children?.get(keyName)?.text;
    const value = entry.children?.get(valueName);
    if (key === undefined || value === undefined) throw malformed(service, `A map's entry needs ${keyName} and ${valueName}.`);
    setOwn(read, key, readNode(service, shape.value, value));
  }
  return read;
}

/** The children in the order of their numbers; gaps are closed. */
function numbered(service: WireService, node: FormNode | undefined): FormNode[] {
  const children = [...(node?.children ?? [])].map(([part, child]) => ({ index: /^\d{1,9}$/.test(part) ? Number(part) : Number.NaN, child }));
  if (children.some(({ index }) => Number.isNaN(index))) throw malformed(service, "Unexpected list element termination");
  return children.sort((a, b) => a.index - b.index).map(({ child }) => child);
}
