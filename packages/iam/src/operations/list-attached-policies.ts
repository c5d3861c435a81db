import type {
  ListAttachedGroupPoliciesRequest,
  ListAttachedGroupPoliciesResponse,
  ListAttachedRolePoliciesRequest,
  ListAttachedRolePoliciesResponse,
  ListAttachedUserPoliciesRequest,
  ListAttachedUserPoliciesResponse,
} from "@aws-sdk/client-iam";
import { operation, type Operation } from "@sandstack/core";
import { identityNamed, onIdentity, type IdentityKind } from "../identities.js";
import { pageOf } from "../paging.js";
import { policyNameOf } from "../policies.js";
import type { IamState } from "../state.js";

interface Input {
  readonly PathPrefix?: string | undefined;
  readonly Marker?: string | undefined;
  readonly MaxItems?: number | undefined;
}

/** The three answers are of one shape. @throws NoSuchEntityException (404) */
function listAttachedPolicies<I extends Input>(name: string, kind: IdentityKind, nameOf: (input: I) => string | undefined): Operation<IamState, I, ListAttachedRolePoliciesResponse> {
  return operation({
    name,
    authorize: onIdentity(`iam:${name}`, kind, nameOf),
    run({ state }, input) {
      const { PathPrefix = "/" } = input;
      const arns = identityNamed(state, kind, nameOf(input)).attachedPolicyArns.filter((arn) => arn.slice(arn.indexOf("/")).startsWith(PathPrefix));
      const { items, more } = pageOf(arns, input);
      return { AttachedPolicies: items.map((arn) => ({ PolicyName: policyNameOf(arn), PolicyArn: arn })), ...more };
    },
  });
}

/** The managed policies attached to a user. */
export const listAttachedUserPolicies: Operation<IamState, ListAttachedUserPoliciesRequest, ListAttachedUserPoliciesResponse> = listAttachedPolicies(
  "ListAttachedUserPolicies",
  "user",
  ({ UserName }) => UserName,
);
/** The managed policies attached to a group. */
export const listAttachedGroupPolicies: Operation<IamState, ListAttachedGroupPoliciesRequest, ListAttachedGroupPoliciesResponse> = listAttachedPolicies(
  "ListAttachedGroupPolicies",
  "group",
  ({ GroupName }) => GroupName,
);
/** The managed policies attached to a role. */
export const listAttachedRolePolicies: Operation<IamState, ListAttachedRolePoliciesRequest, ListAttachedRolePoliciesResponse> = listAttachedPolicies(
  "ListAttachedRolePolicies",
  "role",
  ({ RoleName }) => RoleName,
);
