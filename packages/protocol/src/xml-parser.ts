/** An element of a document, as far as AWS's protocols look at it. */
export interface XmlElement {
  /** Without a namespace's prefix. */
  readonly name: string;
  /** By their names as written, prefixes included. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** All text directly inside, references resolved. */
  readonly text: string;
}

/** How deep a document may go and how many elements it may have: far beyond what any operation takes. */
const MAX_DEPTH = 64;
const MAX_ELEMENTS = 500_000;

interface OpenElement {
  readonly name: string;
  /** As it must be closed. */
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

const START_TAG = /<([^\s<>/="'&!?]+)((?:\s+[^\s<>/="'&]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const END_TAG = /<\/([^\s<>/]+)\s*>/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Reads an XML document. It may declare no type: entities, and with them their expansion, are no part of AWS's protocols.
 *
 * @returns the root; `undefined` for what is not well formed, too deep or too large
 */
export function parseXml(text: string): XmlElement | undefined {
  const document: OpenElement = { name: "", tag: "", attributes: NO_ATTRIBUTES, children: [], text: "" };
  const open = [document];
  let elementCount = 0;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const current = open.at(-1) ?? document;
    const markup = nextMarkup(text, at);
    if (markup === undefined) return undefined;
    if (markup.kind === "text") current.text += markup.text;
    else if (markup.kind === "start") {
      if (open.length > MAX_DEPTH || ++elementCount > MAX_ELEMENTS) return undefined;
      const element: OpenElement = { name: markup.tag.slice(markup.tag.indexOf(":") + 1), tag: markup.tag, attributes: markup.attributes, children: [], text: "" };
      current.children.push(element);
      if (!markup.isEmpty) open.push(element);
    } else if (markup.kind === "end") {
      if (current === document || current.tag !== markup.tag) return undefined;
      open.pop();
    }
    at = markup.end;
  }
  const isWhole = open.length === 1 && document.children.length === 1 && document.text.trim() === "";
  return isWhole ? document.children[0] : undefined;
}

type Markup = { readonly end: number } & (
  | { readonly kind: "start"; readonly tag: string; readonly attributes: ReadonlyMap<string, string>; readonly isEmpty: boolean }
  | { readonly kind: "end"; readonly tag: string }
  | { readonly kind: "text"; readonly text: string }
  /** A comment or an instruction. */
  | { readonly kind: "aside" }
);

/** What stands at a place of the text and where it ends; `undefined` for nothing that may stand there. */
function nextMarkup(text: string, at: number): Markup | undefined {
  if (text[at] !== "<") {
    const next = text.indexOf("<", at);
    const end = next === -1 ? text.length : next;
    const resolved = resolveReferences(text.slice(at, end));
    return resolved === undefined ? undefined : { kind: "text", text: resolved, end };
  }
  if (text.startsWith("</", at)) {
    const found = matchAt(END_TAG, text, at);
    return found && { kind: "end", tag: found[1]!, end: END_TAG.lastIndex }; // the group takes part in every match
  }
  for (const [opening, closing] of [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<?", "?>"]] as const) {
    if (!text.startsWith(opening, at)) continue;
    const close = text.indexOf(closing, at + opening.length);
    if (close === -1) return undefined;
    const end = close + closing.length;
    return opening === "<![CDATA[" ? { kind: "text", text: text.slice(at + opening.length, close), end } : { kind: "aside", end };
  }
  return startTag(text, at);
}

function startTag(text: string, at: number): Markup | undefined {
  const found = matchAt(START_TAG, text, at);
  if (found === undefined) return undefined;
  const end = START_TAG.lastIndex;
  const [, tag = "", written = "", slash] = found;
  if (written === "") return { kind: "start", tag, attributes: NO_ATTRIBUTES, isEmpty: slash === "/", end };
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of written.matchAll(ATTRIBUTE)) {
    const value = resolveReferences(double ?? single ?? "");
    if (value === undefined || attributes.has(name)) return undefined;
    attributes.set(name, value);
  }
  return { kind: "start", tag, attributes, isEmpty: slash === "/", end };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text with its references resolved; `undefined` for a reference to anything that XML does not know by itself. */
function resolveReferences(text: string): string | undefined {
  if (!text.includes("&")) return text;
  let isKnown = true;
  const resolved = text.replace(/&([^;&]{0,10};)?/g, (_whole, reference: string | undefined) => {
    const character = reference === undefined ? undefined : characterOf(reference.slice(0, -1));
    isKnown &&= character !== undefined;
    return character ?? "";
  });
  return isKnown ? resolved : undefined;
}

/** `amp`, `#38`, `#x26` */
function characterOf(reference: string): string | undefined {
  const number = /^#(?:x([0-9a-fA-F]+)|(\d+))$/.exec(reference);
  if (number === null) return Object.hasOwn(ENTITIES, reference) ? ENTITIES[reference] : undefined;
  const codePoint = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
  const isCharacter = codePoint > 0 && codePoint <= 0x10_ff_ff && !(codePoint >= 0xd8_00 && codePoint <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(codePoint) : undefined;
}
