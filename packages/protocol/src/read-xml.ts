import { setOwn } from "./json.js";
import { readText } from "./query.js";
import type { WireService } from "./services.js";
import type { Member, Shape } from "./shape.js";
import { malformedXml } from "./wire-errors.js";
import type { XmlElement } from "./xml-parser.js";

/** Reads a value from its element by its shape; elements that the model does not know are left out. @throws MalformedXML (400) for a value of another type */
export function readXml(service: WireService, shape: Shape, element: XmlElement): unknown {
  switch (shape.kind) {
    case "structure":
    case "union":
      return readXmlMembers(service, shape.members, element);
    case "list":
      return readItems(service, shape, childrenCalled(element, shape.value.traits.xmlName ?? "member"));
    case "map":
      return readEntries(service, shape, childrenCalled(element, "entry"));
    default:
      return readScalar(service, shape, element.children.length > 0 ? undefined : element.text);
  }
}

/** Reads some members of a structure, or all, from the element that holds them. @throws MalformedXML (400) */
export function readXmlMembers(service: WireService, members: readonly Member[], element: XmlElement): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const { name, shape } of members) {
    const xmlName = shape.traits.xmlName ?? name;
    if (shape.traits.xmlAttribute !== undefined) {
      const text = element.attributes.get(xmlName);
      if (text !== undefined) read[name] = readScalar(service, shape, text);
      continue;
    }
    const [first, ...others] = childrenCalled(element, xmlName);
    if (first === undefined) continue;
    if (shape.kind === "list" && shape.isFlattened) read[name] = readItems(service, shape, [first, ...others]);
    else if (shape.kind === "map" && shape.isFlattened) read[name] = readEntries(service, shape, [first, ...others]);
    else read[name] = readXml(service, shape, first);
  }
  return read;
}

function readItems(service: WireService, shape: Shape, elements: readonly XmlElement[]): unknown[] {
  return elements.map((element) => readXml(service, shape.value, element));
}

function readEntries(service: WireService, shape: Shape, elements: readonly XmlElement[]): object {
  const read: Record<string, unknown> = {};
  for (const element of elements) {
    const [key] = childrenCalled(element, shape.key.traits.xmlName ?? "key");
    const [value] = childrenCalled(element, shape.value.traits.xmlName ?? "value");
    if (key === undefined || value === undefined) throw malformedXml(service);
    setOwn(read, key.text, readXml(service, shape.value, value));
  }
  return read;
}

function readScalar(service: WireService, shape: Shape, text: string | undefined): unknown {
  const value = text === undefined ? undefined : readText(shape, shape.kind === "string" ? text : text.trim());
  if (value === undefined) throw malformedXml(service);
  return value;
}

function childrenCalled({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}
