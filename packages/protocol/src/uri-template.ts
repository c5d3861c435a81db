/** A path of a REST protocol as the model writes it: `/2015-03-31/functions/{FunctionName}/code`, with `?name=value` where the query decides too. */
export interface UriTemplate {
  readonly segments: readonly Segment[];
  /** Query parameters that a request must carry, with their value where the model gives one. */
  readonly query: readonly (readonly [name: string, value: string])[];
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
  return { segments, query: [...new URLSearchParams(search)] };
}

/** Answers the labels' values (decoded) when a path, split at its slashes, fits the template. */
export function matchUri(template: UriTemplate, pathSegments: readonly string[], query: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> | undefined {
  const labels = new Map<string, string>();
  const { segments } = template;
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]!; // index is below the length
    const given = pathSegments[index];
    if (given === undefined) return undefined;
    if (segment.kind === "literal") {
      if (given !== segment.text) return undefined;
    } else if (segment.isGreedy) {
      labels.set(segment.name, decodePath(pathSegments.slice(index).join("/")));
      return hasQuery(template, query) ? labels : undefined;
    } else {
      labels.set(segment.name, decodePath(given));
    }
  }
  return pathSegments.length === segments.length && hasQuery(template, query) ? labels : undefined;
}

function hasQuery(template: UriTemplate, query: ReadonlyMap<string, readonly string[]>): boolean {
  return template.query.every(([name, value]) => query.get(name)?.some((given) => value === "" || given === value));
}

/** A path that is no valid percent-encoding is taken as it stands: it names nothing that exists. */
function decodePath(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
