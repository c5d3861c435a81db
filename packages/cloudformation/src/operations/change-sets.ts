import { cloudFormationError, validationError } from "../errors.js";
import { findStack } from "../stacks.js";
import type { ChangeSet, CloudFormationState, Stack } from "../state.js";

/** The statuses in which nobody can wait for a change set any more. */
const GONE = "DELETE_COMPLETE";

/** A change set by ARN, or by name and stack. @throws ChangeSetNotFound (404); ValidationError for a name without a stack */
export function changeSetOf(state: CloudFormationState, nameOrArn: string | undefined, stackName: string | undefined): ChangeSet {
  const asked = nameOrArn ?? "";
  const found = asked.startsWith("arn:") ? state.changeSets.get(asked) : changeSetNamed(state, asked, stackName);
  if (found === undefined) throw cloudFormationError("ChangeSetNotFoundException", `ChangeSet [${asked}] does not exist`);
  return found;
}

function changeSetNamed(state: CloudFormationState, name: string, stackName: string | undefined): ChangeSet | undefined {
  if (stackName === undefined) throw validationError("StackName must be specified if ChangeSetName is not specified as an ARN.");
  const stack = findStack(state, stackName);
  return stack === undefined || stack.status === GONE ? undefined : changeSetsOf(state, stack).find((changeSet) => changeSet.name === name);
}

/** A stack's change sets, in the order of creation. */
export function changeSetsOf(state: CloudFormationState, stack: Stack): ChangeSet[] {
  return [...state.changeSets.values()].filter(({ stackId }) => stackId === stack.id);
}
