/** Start tag, end tag, empty tag or text of a document; declarations and comments are passed over. */
const TOKEN = /<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([^\s/>]+)[^>]*?(\/?)>|([^<]+)/g;

interface Element {
  readonly children: Record<string, unknown>;
  text: string;
}

/** Reads an answer's XML: an element is an object, siblings of one name are an array, an element with text alone is that text. Attributes are dropped. */
export function readXml(document: string): unknown {
  const open: { name: string; element: Element }[] = [{ name: "", element: { children: {}, text: "" } }];
  for (const [, slash, name, selfClosing, text] of document.matchAll(TOKEN)) {
    const parent = open.at(-1)?.element;
    if (parent === undefined) break;
    if (text !== undefined) parent.text += text;
    else if (name !== undefined && slash === "") open.push({ name: localName(name), element: { children: {}, text: "" } });
    if (name !== undefined && (slash === "/" || selfClosing === "/")) closeLast(open);
  }
  return open[0]?.element.children;
}

function closeLast(open: { name: string; element: Element }[]): void {
  const closed = open.pop();
  const parent = open.at(-1)?.element;
  if (closed === undefined || parent === undefined) return;
  const value = valueOf(closed.element);
  const before = parent.children[closed.name];
  parent.children[closed.name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
}

function valueOf({ children, text }: Element): unknown {
  return Object.keys(children).length > 0 ? children : unescape(text);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescape(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (all, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    return String.fromCodePoint(hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}
