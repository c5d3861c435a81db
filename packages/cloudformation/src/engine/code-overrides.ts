import { simError } from "@sandstack/core";
import { has, isObject, type ResourceDeclaration, type Template } from "../template/template.js";

/** Where the CDK writes a resource's construct path, in its metadata: `Orders/Consumer/Resource`. */
export const PATH_METADATA = "aws:cdk:path";

/** A resource's construct path, where its template was made by the CDK. */
export function constructPathOf(metadata: unknown): string | undefined {
  const path = isObject(metadata) ? metadata[PATH_METADATA] : undefined;
  return typeof path === "string" ? path : undefined;
}

/** True when `address` is the construct path of a resource, or of the construct whose main resource it is; with or without the stack at its beginning. */
export function isAtPath(constructPath: string | undefined, address: string): boolean {
  if (constructPath === undefined) return false;
  const withinStack = constructPath.slice(constructPath.indexOf("/") + 1);
  return ["", "/Resource", "/Default"].some((end) => constructPath === `${address}${end}` || withinStack === `${address}${end}`);
}

/**
 * Finds the functions whose code is to be replaced.
 *
 * @param overrides by logical id, construct path or function name
 * @throws SimBindingNotFound naming the functions that the template has
 */
export function codeByLogicalId(template: Template, overrides: Readonly<Record<string, Uint8Array>>): Record<string, Uint8Array> {
  const functions = Object.entries(template.resources).filter(([, { type }]) => type === "AWS::Lambda::Function");
  return Object.fromEntries(
    Object.entries(overrides).map(([address, code]) => {
      const found = has(template.resources, address) ? functions.find(([logicalId]) => logicalId === address) : functions.find(([, resource]) => isCalled(resource, address));
      if (found !== undefined) return [found[0], code];
      const names = functions.map(([logicalId, resource]) => `${logicalId}${describe(resource)}`);
      throw simError("SimBindingNotFound", `The template has no function ${address} to bind. The functions it has: ${names.join(", ") || "none"}.`);
    }),
  );
}

function isCalled({ properties, metadata }: ResourceDeclaration, address: string): boolean {
  return properties["FunctionName"] === address || isAtPath(constructPathOf(metadata), address);
}

function describe({ metadata }: ResourceDeclaration): string {
  const path = constructPathOf(metadata);
  return path === undefined ? "" : ` (${path.replace(/\/(Resource|Default)$/, "")})`;
}
