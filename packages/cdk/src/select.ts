import { simError } from "@sandstack/core";
import type { AssemblyStack } from "./assembly.js";

/** Which stacks of an assembly are meant. */
export interface Selection {
  /** The construct path of a stage or stack: it and what is below it. */
  readonly constructPath?: string | undefined;
  /** Stacks by name, construct path or artifact id; a stage's path means its stacks. */
  readonly addresses?: readonly string[] | undefined;
}

/**
 * The stacks that a selection means. An empty one means all.
 *
 * @throws SimStackNotFound naming the stacks there are
 */
export function selectStacks(stacks: readonly AssemblyStack[], { constructPath, addresses }: Selection): AssemblyStack[] {
  const within = constructPath === undefined ? stacks : found(stacks, constructPath, (stack) => isWithin(stack, constructPath));
  if (addresses === undefined) return [...within];
  return [...new Set(addresses.flatMap((address) => found(within, address, (stack) => isCalled(stack, address))))];
}

/** The wanted stacks and all that they depend on, each stack behind those. */
export function withDependencies(stacks: readonly AssemblyStack[], wanted: readonly AssemblyStack[]): AssemblyStack[] {
  const byId = new Map(stacks.map((stack) => [stack.artifactId, stack]));
  const visited = new Set<AssemblyStack>();
  const ordered: AssemblyStack[] = [];
  const visit = (stack: AssemblyStack | undefined): void => {
    if (stack === undefined || visited.has(stack)) return;
    visited.add(stack);
    for (const id of stack.dependencies) visit(byId.get(id));
    ordered.push(stack);
  };
  wanted.forEach(visit);
  return ordered;
}

function isWithin(stack: AssemblyStack, constructPath: string): boolean {
  return stack.constructPath === constructPath || stack.constructPath.startsWith(`${constructPath}/`);
}

function isCalled(stack: AssemblyStack, address: string): boolean {
  return stack.stackName === address || stack.artifactId === address || isWithin(stack, address);
}

function found(stacks: readonly AssemblyStack[], address: string, isMeant: (stack: AssemblyStack) => boolean): AssemblyStack[] {
  const meant = stacks.filter(isMeant);
  if (meant.length > 0) return meant;
  throw simError("SimStackNotFound", `The assembly has no stack ${address}. The stacks it has: ${stacks.map(describeStack).join(", ") || "none"}.`);
}

export function describeStack({ stackName, constructPath }: AssemblyStack): string {
  return stackName === constructPath ? stackName : `${stackName} (${constructPath})`;
}
