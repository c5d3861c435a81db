import { awsManagedPolicy } from "./aws-managed-policies.js";
import { compilePolicy } from "./policy/compile.js";
import type { SourcedPolicy } from "./policy/evaluate.js";
import type { Identity, IamState, Role, User } from "./state.js";

/** The text of a managed policy's default version, the account's own or AWS's. */
export function managedPolicyText(state: IamState, arn: string): string | undefined {
  const policy = state.policies.get(arn);
  return policy === undefined ? awsManagedPolicy(arn)?.document : policy.versions.get(policy.defaultVersionId)?.document;
}

/** A user's policies: its own and its groups'. */
export function policiesOfUser(state: IamState, user: User): readonly SourcedPolicy[] {
  const policies: SourcedPolicy[] = [];
  addPolicies(policies, state, user, undefined);
  for (const groupName of user.groupNames) {
    const group = state.groups.get(groupName);
    if (group !== undefined) addPolicies(policies, state, group, `group ${groupName}`);
  }
  return policies;
}

export function policiesOfRole(state: IamState, role: Role): readonly SourcedPolicy[] {
  const policies: SourcedPolicy[] = [];
  addPolicies(policies, state, role, undefined);
  return policies;
}

function addPolicies(policies: SourcedPolicy[], state: IamState, identity: Identity, holder: string | undefined): void {
  for (const [name, text] of identity.inlinePolicies) policies.push({ kind: "inline", name, holder, policy: compilePolicy(text) });
  for (const arn of identity.attachedPolicyArns) {
    const text = managedPolicyText(state, arn);
    if (text !== undefined) policies.push({ kind: "managed", arn, holder, policy: compilePolicy(text) });
  }
}

const ALLOWS_NOTHING = { statements: [] };

/** The permissions boundary of a user or role, if it has one. */
export function boundaryOf(state: IamState, { permissionsBoundaryArn: arn }: { permissionsBoundaryArn?: string | undefined }): readonly SourcedPolicy[] {
  if (arn === undefined) return [];
  const text = managedPolicyText(state, arn);
  // A boundary whose policy is gone still limits: nothing is within it.
  return [{ kind: "boundary", arn, policy: text === undefined ? ALLOWS_NOTHING : compilePolicy(text) }];
}
