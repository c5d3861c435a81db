/** A path of a REST protocol as the model writes it: `/2015-03-31/functions/{FunctionName}/code`, with `?name=value` where the query decides too. */
export interface UriTemplate {
  readonly segments: readonly Segment[];
  /** Query parameters that a request must carry, with their value where the model gives one. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** What SDKs of the model say in `x-id`, and others do not. */
  readonly xId: string | undefined;
}

type Segment =
  | { readonly kind: "literal"; readonly text: string }
  /** `isGreedy`: `{Key+}` takes all that follows, slashes included. */
  | { readonly kind: "label"; readonly name: string; readonly isGreedy: boolean };

export function uriTemplate(uri: string): UriTemplate {
  const [path = "", search = ""] = uri.split("?");
  const segments = path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment): Segment => {
      const label = /^\{(\w+)(\+?)\}$/.exec(segment);
      if (label === null) return { kind: "literal", text: segment };
      return { kind: "label", name: label[1]!, isGreedy: label[2] === "+" }; // both groups take part in every match
    });
  const query = [...new URLSearchParams(search)];
  return { segments, query: query.filter(([name]) => name !== "x-id"), xId: query.find(([name]) => name === "x-id")?.[1] };
}

/** Answers the labels' values (decoded) when a path and query fit the template. Slashes count only inside a greedy label. */
export function matchUri(template: UriTemplate, path: string, query: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> | undefined {
  const labels = new Map<string, string>();
  let at = 0;
  for (const segment of template.segments) {
    if (segment.kind === "label" && segment.isGreedy) {
      const rest = path.slice(at + 1);
      if (rest === "") return undefined;
      labels.set(segment.name, decodePath(rest));
      return hasQuery(template, query) ? labels : undefined;
    }
    while (path[at] === "/") at += 1;
    const slash = path.indexOf("/", at);
    const end = slash === -1 ? path.length : slash;
    const given = path.slice(at, end);
    if (given === "" || (segment.kind === "literal" && given !== segment.text)) return undefined;
    if (segment.kind === "label") labels.set(segment.name, decodePath(given));
    at = end;
  }
  while (path[at] === "/") at += 1;
  return at >= path.length && hasQuery(template, query) ? labels : undefined;
}

function hasQuery({ query: wanted, xId }: UriTemplate, query: ReadonlyMap<string, readonly string[]>): boolean {
  const givenId = query.get("x-id")?.[0];
  if (xId !== undefined && givenId !== undefined && givenId !== xId) return false;
  return wanted.every(([name, value]) => query.get(name)?.some((given) => value === "" || given === value));
}

/** A path that is no valid percent-encoding is taken as it stands: it names nothing that exists. */
export function decodePath(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
