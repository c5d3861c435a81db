import { partitionOf, uuid, type Authorization, type RandomState, type Scope } from "@sandstack/core";
import { constraintError, stackNotFound, validationError } from "./errors.js";
import { MAX_STACK_NAME_LENGTH } from "./limits.js";
import type { CloudFormationState, Stack } from "./state.js";

const NAME_PATTERN = "[a-zA-Z][-a-zA-Z0-9]*|arn:[-a-zA-Z0-9:/._+]*";

/** @throws ValidationError when the text is neither a stack's name nor an ARN */
export function checkStackName(stackName: string | undefined, member = "stackName"): asserts stackName is string {
  if (stackName === undefined || stackName === "") throw validationError(`1 validation error detected: Value null at '${member}' failed to satisfy constraint: Member must not be null`);
  if (!new RegExp(`^(?:${NAME_PATTERN})$`).test(stackName)) throw constraintError(member, stackName, `Member must satisfy regular expression pattern: ${NAME_PATTERN}`);
  if (!stackName.startsWith("arn:") && stackName.length > MAX_STACK_NAME_LENGTH) throw constraintError(member, stackName, `Member must have length less than or equal to ${MAX_STACK_NAME_LENGTH}`);
}

export function stackArn(scope: Scope, name: string, random: RandomState): string {
  return `arn:${partitionOf(scope.region)}:cloudformation:${scope.region}:${scope.accountId}:stack/${name}/${uuid(random)}`;
}

/** A stack by name, if it is not deleted, or by id, deleted or not. */
export function findStack(state: CloudFormationState, nameOrId: string): Stack | undefined {
  return state.stacks.get(nameOrId.startsWith("arn:") ? nameOrId : (state.stackIds.get(nameOrId) ?? ""));
}

/** As `findStack`. @throws ValidationError `Stack with id … does not exist` */
export function stackOf(state: CloudFormationState, nameOrId: string): Stack {
  const stack = findStack(state, nameOrId);
  if (stack === undefined) throw stackNotFound(nameOrId);
  return stack;
}

/** As `stackOf`, with the text that operations on events and resources use. */
export function namedStackOf(state: CloudFormationState, nameOrId: string | undefined): Stack {
  checkStackName(nameOrId);
  const stack = findStack(state, nameOrId);
  if (stack === undefined) throw validationError(`Stack [${nameOrId}] does not exist`);
  return stack;
}

/** How operations on one stack are authorized: on the stack's id, or for one that is not there, on all of its name. */
export function onStack<Input extends { readonly StackName?: string | undefined }>(action: string): Authorization<CloudFormationState, Input> {
  return {
    questions({ state, scope }, { StackName = "" }) {
      const id = StackName === "" ? "*" : (findStack(state, StackName)?.id ?? (StackName.startsWith("arn:") ? StackName : `${stacksArn(scope)}${StackName}/*`));
      return { action, resource: id };
    },
  };
}

/** How operations on no stack in particular are authorized. */
export function onAll<Input>(action: string): Authorization<CloudFormationState, Input> {
  return { questions: () => ({ action, resource: "*" }) };
}

function stacksArn(scope: Scope): string {
  return `arn:${partitionOf(scope.region)}:cloudformation:${scope.region}:${scope.accountId}:stack/`;
}

export type NewStack = Pick<Stack, "id" | "name" | "createdAtMs" | "settings">;

/** A stack with nothing in it. */
export function newStack({ id, name, createdAtMs, settings }: NewStack): Stack {
  return {
    id,
    name,
    createdAtMs,
    settings,
    status: "REVIEW_IN_PROGRESS",
    onFailure: "ROLLBACK",
    terminationProtection: false,
    outputs: [],
    imports: [],
    resources: new Map(),
    events: [],
    newestEventIdMs: 0,
  };
}

/** Puts a new stack under its name. */
export function addStack(state: CloudFormationState, stack: NewStack): Stack {
  const added = newStack(stack);
  state.stacks.set(added.id, added);
  state.stackIds.set(added.name, added.id);
  return added;
}
