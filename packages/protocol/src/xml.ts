import { types } from "node:util";
import { encodeBase64 } from "./json.js";
import type { Member, Shape, TimestampFormat } from "./shape.js";
import { formatTimestamp } from "./timestamp.js";

export const XML_DECLARATION = '<?xml version="1.0"?>';

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\r": "&#xD;" };

/** Text as it may stand between tags. A carriage return is written as a reference: XML's readers turn a plain one into a line feed. */
export function xmlText(text: string): string {
  return /[&<>"'\r]/.test(text) ? text.replace(/[&<>"'\r]/g, (character) => ESCAPES[character]!) : text; // the pattern names the table's keys
}

/** @param attributes as they stand in the tag, each with a space before it */
export function xmlElement(name: string, content: string, attributes = ""): string {
  return content === "" ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

/** The elements of a structure's members, one after the other. Members that are absent have none. */
export function xmlMembers(members: readonly Member[], value: unknown): string {
  const given = value as Record<string, unknown>; // an operation's output has the SDK's type
  let xml = "";
  for (const { name, shape } of members) {
    const member = given[name];
    if (member !== undefined && member !== null && shape.traits.xmlAttribute === undefined) xml += xmlElements(shape, shape.traits.xmlName ?? name, member);
  }
  return xml;
}

/** One element called `name`, or one for each item where a list or map is flattened. */
function xmlElements(shape: Shape, name: string, value: unknown): string {
  switch (shape.kind) {
    case "structure":
    case "union":
      return xmlElement(name, xmlMembers(shape.members, value), xmlAttributes(shape, value));
    case "list":
      return xmlList(shape, name, value as readonly unknown[]); // as above
    case "map":
      return xmlMap(shape, name, value as Record<string, unknown>); // as above
    default:
      return xmlElement(name, xmlText(scalarText(shape, value)));
  }
}

function xmlAttributes({ members, traits }: Shape, value: unknown): string {
  let attributes = "";
  if (traits.xmlNamespace !== undefined) {
    const [prefix, uri] = traits.xmlNamespace;
    attributes += ` xmlns:${prefix}="${xmlText(uri)}"`;
  }
  for (const { name, shape } of members) {
    if (shape.traits.xmlAttribute === undefined) continue;
    const member = (value as Record<string, unknown>)[name]; // as above
    if (member !== undefined && member !== null) attributes += ` ${shape.traits.xmlName ?? name}="${xmlText(scalarText(shape, member))}"`;
  }
  return attributes;
}

function xmlList(shape: Shape, name: string, items: readonly unknown[]): string {
  const item = shape.value;
  const itemName = shape.isFlattened ? name : (item.traits.xmlName ?? "member");
  let xml = "";
  for (const value of items) if (value !== undefined && value !== null) xml += xmlElements(item, itemName, value);
  return shape.isFlattened ? xml : xmlElement(name, xml);
}

function xmlMap(shape: Shape, name: string, entries: Readonly<Record<string, unknown>>): string {
  const keyName = shape.key.traits.xmlName ?? "key";
  const valueName = shape.value.traits.xmlName ?? "value";
  const entryName = shape.isFlattened ? name : "entry";
  let xml = "";
  for (const [key, value] of Object.entries(entries)) {
    if (value === undefined || value === null) continue;
    xml += xmlElement(entryName, xmlElement(keyName, xmlText(key)) + xmlElements(shape.value, valueName, value));
  }
  return shape.isFlattened ? xml : xmlElement(name, xml);
}

/** A scalar as text, as XML and headers carry it; a timestamp as its model says, else as the place it stands in wants it. */
export function scalarText(shape: Shape, value: unknown, timestampFormat: TimestampFormat = "date-time"): string {
  if (shape.kind === "blob") return encodeBase64(value);
  if (types.isDate(value)) return String(formatTimestamp(value, shape.timestampFormat ?? timestampFormat));
  return String(value);
}
