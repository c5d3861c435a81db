import { invariant } from "@sandstack/core";
import type { Codec } from "./codec.js";
import { utf8Text } from "./json.js";
import { decodeRest, encodeRest, errorMembers, type DocumentFormat } from "./rest.js";
import type { WireService } from "./services.js";
import type { Member, Shape } from "./shape.js";
import { queryErrorCode, malformedXml } from "./wire-errors.js";
import { readXml, readXmlMembers } from "./read-xml.js";
import { parseXml, type XmlElement } from "./xml-parser.js";
import { scalarText, xmlElement, xmlMembers, xmlText, XML_DECLARATION } from "./xml.js";

/** S3's own name for it. */
const REQUEST_ID = "x-amz-request-id";

const xml: DocumentFormat = {
  contentType: "application/xml",
  requestIdHeader: REQUEST_ID,
  // The root's name is not looked at: SDKs differ in it.
  readMembers: (service, members, body) => readXmlMembers(service, members, rootOf(service, body)),
  readDocument: (service, shape, body) => readXml(service, shape, rootOf(service, body)),
  writeMembers(service, shape, members, value) {
    if (members.length === 0) return "";
    const content = isUnwrapped(shape, members) ? unwrapped(members, value) : xmlMembers(members, value);
    return document(service, rootName(shape), content);
  },
  writeDocument: (service, shape, value) => document(service, rootName(shape), xmlMembers(shape.members, value)),
};

/** REST-XML as S3 speaks it: errors stand in no envelope (`noErrorWrapping` of Smithy's `restXml`). */
export const restXml: Codec = {
  decode: (route, request) => decodeRest(xml, route, request),
  encode: ({ operation }, output, requestId) => encodeRest(xml, operation, output, requestId),

  encodeError({ model }, error, requestId) {
    const { headers, members, values } = errorMembers(model.errorShape(error.name), error);
    const told = members.filter(({ name }) => name.toLowerCase() !== "message");
    const content = `<Code>${xmlText(queryErrorCode(error))}</Code><Message>${xmlText(error.message)}</Message>${xmlMembers(told, values)}<RequestId>${xmlText(requestId)}</RequestId>`;
    return { statusCode: error.$metadata.httpStatusCode, headers: { [REQUEST_ID]: requestId, "content-type": xml.contentType, ...headers }, body: `${XML_DECLARATION}${xmlElement("Error", content)}` };
  },
};

function rootOf(service: WireService, body: string | Uint8Array): XmlElement {
  const text = typeof body === "string" ? body : utf8Text(body);
  if (text?.trim() === "") return NOTHING;
  const root = text === undefined ? undefined : parseXml(text);
  if (root === undefined) throw malformedXml(service);
  return root;
}

const NOTHING: XmlElement = { name: "", attributes: new Map(), children: [], text: "" };

function rootName({ traits, name }: Shape): string {
  return traits.xmlName ?? name;
}

/** An answer that is one value, called as its only member: `<LocationConstraint>eu-west-1</LocationConstraint>` (S3's `s3UnwrappedXmlOutput`). */
function isUnwrapped(shape: Shape, members: readonly Member[]): boolean {
  return members.length === 1 && members[0]?.name === rootName(shape);
}

function unwrapped([member]: readonly Member[], value: Readonly<Record<string, unknown>>): string {
  invariant(member !== undefined, "an answer of one value has a member");
  const given = value[member.name];
  return given === undefined || given === null ? "" : xmlText(scalarText(member.shape, given));
}

function document({ xmlNamespace }: WireService, name: string, content: string): string {
  return XML_DECLARATION + xmlElement(name, content, xmlNamespace === undefined ? "" : ` xmlns="${xmlText(xmlNamespace)}"`);
}
