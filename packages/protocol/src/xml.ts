import { types } from "node:util";
import { encodeBase64 } from "./json.js";
import type { Shape } from "./shape.js";
import { formatTimestamp } from "./timestamp.js";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\r": "&#xD;" };

/** Text as it may stand between tags. A carriage return is written as a reference: XML's readers turn a plain one into a line feed. */
export function xmlText(text: string): string {
  return /[&<>"'\r]/.test(text) ? text.replace(/[&<>"'\r]/g, (character) => ESCAPES[character]!) : text; // the pattern names the table's keys
}

/** The elements of a structure's members, one after the other. Members that are absent have none. */
export function xmlMembers(shape: Shape, value: unknown): string {
  const given = value as Record<string, unknown>; // an operation's output has the SDK's type
  let xml = "";
  for (const { name, shape: memberShape } of shape.members) {
    const member = given[name];
    if (member !== undefined && member !== null) xml += xmlElements(memberShape, memberShape.traits.xmlName ?? name, member);
  }
  return xml;
}

/** One element called `name`, or one for each item where a list or map is flattened. */
function xmlElements(shape: Shape, name: string, value: unknown): string {
  switch (shape.kind) {
    case "structure":
    case "union":
      return element(name, xmlMembers(shape, value));
    case "list":
      return xmlList(shape, name, value as readonly unknown[]); // as above
    case "map":
      return xmlMap(shape, name, value as Record<string, unknown>); // as above
    default:
      return element(name, xmlText(scalarText(shape, value)));
  }
}

function xmlList(shape: Shape, name: string, items: readonly unknown[]): string {
  const item = shape.value;
  const itemName = shape.isFlattened ? name : (item.traits.xmlName ?? "member");
  let xml = "";
  for (const value of items) if (value !== undefined && value !== null) xml += xmlElements(item, itemName, value);
  return shape.isFlattened ? xml : element(name, xml);
}

function xmlMap(shape: Shape, name: string, entries: Readonly<Record<string, unknown>>): string {
  const keyName = shape.key.traits.xmlName ?? "key";
  const valueName = shape.value.traits.xmlName ?? "value";
  const entryName = shape.isFlattened ? name : "entry";
  let xml = "";
  for (const [key, value] of Object.entries(entries)) {
    if (value === undefined || value === null) continue;
    xml += element(entryName, element(keyName, xmlText(key)) + xmlElements(shape.value, valueName, value));
  }
  return shape.isFlattened ? xml : element(name, xml);
}

function element(name: string, content: string): string {
  return content === "" ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

/** A scalar as text, as XML and headers carry it. */
export function scalarText(shape: Shape, value: unknown): string {
  if (shape.kind === "blob") return encodeBase64(value);
  if (types.isDate(value)) return String(formatTimestamp(value, shape.timestampFormat ?? "date-time"));
  return String(value);
}
