/** The parameters of a Query request as a tree: `Entry.1.Id=a` is the text `a` at `Entry`, `1`, `Id`. */
export interface FormNode {
  text?: string;
  children?: Map<string, FormNode>;
}

/** The most parameters a request may have, and how deep their names may go: far beyond what any action takes. */
const MAX_PARAMETERS = 20_000;
const MAX_NAME_PARTS = 32;

/** The parameters of a form body or query string, decoded; `undefined` when it is no form. */
export function parseForm(text: string): [name: string, value: string][] | undefined {
  const parameters: [string, string][] = [];
  for (const pair of text.split("&", MAX_PARAMETERS + 1)) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decodeFormText(equals === -1 ? pair : pair.slice(0, equals));
    const value = decodeFormText(equals === -1 ? "" : pair.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    parameters.push([name, value]);
  }
  return parameters.length > MAX_PARAMETERS ? undefined : parameters;
}

function decodeFormText(text: string): string | undefined {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined; // a stray percent sign, or bytes that are no UTF-8
  }
}

/** The tree of parameters; `undefined` when a name goes too deep. */
export function formTree(parameters: Iterable<readonly [name: string, value: string]>): FormNode | undefined {
  const root: FormNode = {};
  for (const [name, value] of parameters) {
    const parts = name.split(".", MAX_NAME_PARTS + 1);
    if (parts.length > MAX_NAME_PARTS) return undefined;
    let node = root;
    for (const part of parts) {
      node.children ??= new Map();
      let child = node.children.get(part);
      if (child === undefined) node.children.set(part, (child = {}));
      node = child;
    }
    node.text = value;
  }
  return root;
}
