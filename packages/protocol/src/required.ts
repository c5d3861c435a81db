import type { Shape } from "./shape.js";

/** The shapes below which a member is required; found once per shape. */
const requiring = new WeakMap<Shape, boolean>();

const NOTHING_ABOVE: ReadonlySet<string> = new Set();

/**
 * The paths of required members that an input lacks: `FunctionName`, `Entries.1.Id`. Checked here for all services and protocols, for
 * SDK clients leave it to AWS.
 *
 * @param input as decoded
 * @param isLeftToOperation true for a required member of which the service answers the lack with an error of its own
 */
export function missingMembers(shape: Shape, input: unknown, isLeftToOperation: (shape: Shape) => boolean): string[] {
  const missing: string[] = [];
  if (requiresMembers(shape, NOTHING_ABOVE)) collectMissing(shape, input, "", isLeftToOperation, missing);
  return missing;
}

function requiresMembers(shape: Shape, above: ReadonlySet<string>): boolean {
  const known = requiring.get(shape);
  if (known !== undefined) return known;
  let answer = false;
  if (shape.kind === "structure" || shape.kind === "union") {
    // A shape inside itself adds nothing that was not looked at.
    if (above.has(shape.name)) return false;
    const inside = new Set(above).add(shape.name);
    answer = shape.members.some((member) => member.isRequired || requiresMembers(member.shape, inside));
  } else if (shape.kind === "list" || shape.kind === "map") {
    answer = requiresMembers(shape.value, above);
  }
  requiring.set(shape, answer);
  return answer;
}

function collectMissing(shape: Shape, value: unknown, path: string, isLeftToOperation: (shape: Shape) => boolean, missing: string[]): void {
  if (value === undefined || value === null || !requiresMembers(shape, NOTHING_ABOVE)) return;
  if (shape.kind === "structure" || shape.kind === "union") {
    const given = value as Record<string, unknown>; // decoded by this shape
    for (const { name, shape: memberShape, isRequired } of shape.members) {
      if (isRequired && given[name] === undefined && !isLeftToOperation(memberShape)) missing.push(path + name);
      else collectMissing(memberShape, given[name], `${path}${name}.`, isLeftToOperation, missing);
    }
  } else if (shape.kind === "list") {
    (value as unknown[]).forEach((item, index) => collectMissing(shape.value, item, `${path}${index + 1}.`, isLeftToOperation, missing)); // decoded by this shape
  } else if (shape.kind === "map") {
    for (const [key, item] of Object.entries(value)) collectMissing(shape.value, item, `${path}${key}.`, isLeftToOperation, missing);
  }
}
