import { types } from "node:util";
import type { AwsError } from "@sandstack/core";
import type { WireResponse } from "./http.js";
import { encodeBase64 } from "./json.js";
import type { OperationModel } from "./model.js";
import type { Shape } from "./shape.js";
import { formatTimestamp } from "./timestamp.js";
import { queryErrorCode } from "./wire-errors.js";

/**
 * The answers of the Query protocol as JSON, for requests with `Accept: application/json`: the XML's elements with its names, each member of a
 * structure there or `null`, maps as lists of their entries, flattened lists with a small first letter (`messages`, `queueUrls`).
 */
export function encodeQueryAsJson({ name, output: shape }: OperationModel, output: unknown, requestId: string): WireResponse {
  const result = shape.kind === "unit" ? {} : { [`${name}Result`]: renderStructure(shape, output) };
  return jsonResponse(200, { [`${name}Response`]: { ...result, ResponseMetadata: { RequestId: requestId } } }, requestId);
}

export function encodeQueryErrorAsJson(error: AwsError, requestId: string, message: string): WireResponse {
  const Type = error.$fault === "server" ? "Receiver" : "Sender";
  return jsonResponse(error.$metadata.httpStatusCode, { Error: { Code: queryErrorCode(error), Message: message, Type }, RequestId: requestId }, requestId);
}

function renderStructure(shape: Shape, value: unknown): object {
  const given = value as Record<string, unknown>; // an operation's output has the SDK's type
  return Object.fromEntries(shape.members.map(({ name, shape: member }) => [member.kind === "list" && member.isFlattened ? lowerFirst(name) : name, render(member, given[name])]));
}

function render(shape: Shape, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  switch (shape.kind) {
    case "structure":
    case "union":
      return renderStructure(shape, value);
    case "list":
      return (value as readonly unknown[]).map((item) => render(shape.value, item)); // as above
    case "map": {
      const [keyName, valueName] = [shape.key.traits.xmlName ?? "key", shape.value.traits.xmlName ?? "value"];
      return Object.entries(value).map(([key, item]) => ({ [keyName]: key, [valueName]: render(shape.value, item) }));
    }
    case "blob":
      return encodeBase64(value);
    case "timestamp":
      return types.isDate(value) ? formatTimestamp(value, "epoch-seconds") : value;
    default:
      return value;
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function jsonResponse(statusCode: number, body: object, requestId: string): WireResponse {
  return { statusCode, headers: { "x-amzn-requestid": requestId, "content-type": "application/json" }, body: JSON.stringify(body) };
}
