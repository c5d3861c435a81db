import { simError } from "@sandstack/core";
import type { AssemblyStack } from "./assembly.js";
import type { StackTemplate } from "./bindings.js";

/** Template parameters: by name for each stack that declares it, or as `STACK:NAME` for one, as the CDK's command line takes them. */
export type CdkParameters = Readonly<Record<string, string>>;

/**
 * The parameters of each stack.
 *
 * @throws SimParameterNotFound when no stack declares one; a stack by itself would refuse it too
 */
export function resolveParameters(parameters: CdkParameters, stacks: readonly StackTemplate[]): Map<AssemblyStack, Record<string, string>> {
  const resolved = new Map<AssemblyStack, Record<string, string>>(stacks.map(({ stack }) => [stack, { ...stack.artifact.properties.parameters }]));
  for (const [address, value] of Object.entries(parameters)) {
    const [stackName, name] = splitAddress(address);
    const takers = stacks.filter(({ stack, template }) => (stackName === undefined || stack.stackName === stackName) && template.Parameters?.[name] !== undefined);
    if (takers.length === 0) throw notDeclared(address, stacks);
    for (const { stack } of takers) resolved.set(stack, { ...resolved.get(stack), [name]: value });
  }
  return resolved;
}

function splitAddress(address: string): [stackName: string | undefined, name: string] {
  const at = address.indexOf(":");
  return at < 0 ? [undefined, address] : [address.slice(0, at), address.slice(at + 1)];
}

function notDeclared(address: string, stacks: readonly StackTemplate[]): Error {
  const declared = stacks.flatMap(({ stack, template }) => Object.keys(template.Parameters ?? {}).map((name) => `${stack.stackName}:${name}`));
  return simError("SimParameterNotFound", `No stack that is deployed declares the parameter ${address}. The parameters there are: ${declared.join(", ") || "none"}.`);
}
