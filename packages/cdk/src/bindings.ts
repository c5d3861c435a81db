import { checkBinding, constructPathOf, isAtPath, type BoundHandler } from "@sandstack/cloudformation";
import { invalidOption, simError } from "@sandstack/core";
import type { AssemblyStack } from "./assembly.js";
import type { Template } from "./manifest.js";
import { isConstruct, type CdkConstruct } from "./source.js";

/** A function's address: its logical id, construct path or function name, or the construct itself. */
export type BindingAddress = string | CdkConstruct;

/** In-process handlers in place of functions' code: an object by text, or a Map or pairs, where constructs can be addresses too. */
export type Bindings<Handler = BoundHandler> = Readonly<Record<string, Handler>> | Iterable<readonly [BindingAddress, Handler]>;

/** A stack with what its template says. */
export interface StackTemplate {
  readonly stack: AssemblyStack;
  readonly template: Template;
}

/** A function of a stack that is deployed. */
interface BindableFunction {
  readonly stack: AssemblyStack;
  readonly logicalId: string;
  /** Of the resource: `Orders/Consumer/Resource`. */
  readonly constructPath: string | undefined;
  /** Where the template gives one as text. */
  readonly functionName: string | undefined;
}

/**
 * Finds the function that each binding means; answers each stack's handlers by logical id.
 *
 * @throws SimBindingNotFound when an address fits no function of these stacks, or several; it names the functions there are.
 *   SimInvalidOption for a handler that is no function
 */
export function resolveBindings<Handler>(bindings: Bindings<Handler>, stacks: readonly StackTemplate[]): Map<AssemblyStack, Record<string, Handler>> {
  const functions = stacks.flatMap(functionsOf);
  const resolved = new Map<AssemblyStack, Record<string, Handler>>();
  for (const [address, handler] of entriesOf(bindings)) {
    const { stack, logicalId } = functionAt(address, functions);
    checkBinding(describeAddress(address), handler);
    resolved.set(stack, { ...resolved.get(stack), [logicalId]: handler });
  }
  return resolved;
}

function entriesOf<Handler>(bindings: Bindings<Handler>): Iterable<readonly [BindingAddress, Handler]> {
  // Users without types hand in anything.
  if (typeof bindings !== "object" || bindings === null) throw invalidOption("bindings", "an object, a Map or a list of pairs, of handlers by function", bindings);
  return Symbol.iterator in bindings ? (bindings as Iterable<readonly [BindingAddress, Handler]>) : Object.entries(bindings); // what can be walked is the second member of the union
}

function functionsOf({ stack, template }: StackTemplate): BindableFunction[] {
  return Object.entries(template.Resources ?? {})
    .filter(([, resource]) => resource.Type === "AWS::Lambda::Function")
    .map(([logicalId, { Metadata, Properties }]) => ({ stack, logicalId, constructPath: constructPathOf(Metadata), functionName: textOf(Properties?.["FunctionName"]) }));
}

function functionAt(address: BindingAddress, functions: readonly BindableFunction[]): BindableFunction {
  const found = functions.filter((candidate) => (isConstruct(address) ? isAtPath(candidate.constructPath, address.node.path) : isCalled(candidate, address)));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  const problem = first === undefined ? "fits no function of the stacks that are deployed" : `fits ${found.length} functions; say which by construct path`;
  throw simError("SimBindingNotFound", `The binding of ${describeAddress(address)} ${problem}. The functions there are: ${(first ? found : functions).map(describeFunction).join(", ") || "none"}.`);
}

function describeAddress(address: BindingAddress): string {
  return isConstruct(address) ? `the construct ${address.node.path}` : `"${address}"`;
}

function isCalled(candidate: BindableFunction, address: string): boolean {
  return candidate.logicalId === address || candidate.functionName === address || isAtPath(candidate.constructPath, address) || isAtPath(candidate.constructPath, `${candidate.stack.constructPath}/${address}`);
}

function describeFunction({ stack, logicalId, constructPath }: BindableFunction): string {
  return constructPath === undefined ? `${logicalId} of ${stack.stackName}` : `${constructPath.replace(/\/(Resource|Default)$/, "")} (${logicalId})`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
