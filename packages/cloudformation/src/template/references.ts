import { functionCallOf, getAttArguments, has, subArguments, subParts } from "./template.js";

/** A name that a template's value refers to, in the branches that its conditions leave. */
export type Reference =
  | { readonly kind: "name"; readonly name: string; readonly path: string }
  | { readonly kind: "attribute"; readonly logicalId: string; readonly attribute: string; readonly path: string };

/**
 * All references in `value`, in order.
 *
 * @param path where the value stands: `/Outputs/Url/Value`
 * @param isTrue a condition's value: of a `Fn::If` only the branch taken counts
 */
export function referencesIn(value: unknown, path: string, isTrue: (condition: string) => boolean): Reference[] {
  const references: Reference[] = [];
  collect(value, path, isTrue, references);
  return references;
}

function collect(value: unknown, path: string, isTrue: (condition: string) => boolean, references: Reference[]): void {
  if (typeof value !== "object" || value === null) return;
  const call = functionCallOf(value);
  if (call === undefined) {
    for (const [key, member] of Object.entries(value)) collect(member, `${path}/${key}`, isTrue, references);
    return;
  }
  const { name, argument } = call;
  const callPath = `${path}/${name}`;
  switch (name) {
    case "Ref":
      references.push({ kind: "name", name: String(argument), path: callPath });
      return;
    case "Fn::If": {
      const [condition, whenTrue, whenFalse] = argument as [string, unknown, unknown]; // the shapes of functions were checked with the template
      collect(isTrue(condition) ? whenTrue : whenFalse, callPath, isTrue, references);
      return;
    }
    case "Fn::GetAtt": {
      const found = getAttArguments(argument);
      if (found === undefined) return;
      const attribute = typeof found.attribute === "string" ? found.attribute : "";
      references.push({ kind: "attribute", logicalId: found.logicalId, attribute, path: callPath });
      collect(found.attribute, callPath, isTrue, references);
      return;
    }
    case "Fn::Sub":
      collectSub(argument, callPath, isTrue, references);
      return;
    default:
      collect(argument, callPath, isTrue, references);
  }
}

function collectSub(argument: unknown, path: string, isTrue: (condition: string) => boolean, references: Reference[]): void {
  const { text, values } = subArguments(argument) ?? { text: "", values: {} };
  collect(values, path, isTrue, references);
  for (const part of subParts(text)) {
    if (part.kind === "text" || has(values, part.name)) continue;
    const dot = part.name.indexOf(".");
    if (dot < 0) references.push({ kind: "name", name: part.name, path });
    else references.push({ kind: "attribute", logicalId: part.name.slice(0, dot), attribute: part.name.slice(dot + 1), path });
  }
}
