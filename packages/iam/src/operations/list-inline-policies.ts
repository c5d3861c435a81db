import type {
  ListGroupPoliciesRequest,
  ListGroupPoliciesResponse,
  ListRolePoliciesRequest,
  ListRolePoliciesResponse,
  ListUserPoliciesRequest,
  ListUserPoliciesResponse,
} from "@aws-sdk/client-iam";
import { operation, type Operation } from "@sandstack/core";
import { identityNamed, onIdentity, type IdentityKind } from "../identities.js";
import { pageOf } from "../paging.js";
import type { IamState } from "../state.js";

interface Paging {
  readonly Marker?: string | undefined;
  readonly MaxItems?: number | undefined;
}

/** The three answers are of one shape. @throws NoSuchEntityException (404) */
function listInlinePolicies<Input extends Paging>(
  name: string,
  kind: IdentityKind,
  nameOf: (input: Input) => string | undefined,
): Operation<IamState, Input, ListRolePoliciesResponse> {
  return operation({
    name,
    authorize: onIdentity(`iam:${name}`, kind, nameOf),
    run({ state }, input) {
      const names = [...identityNamed(state, kind, nameOf(input)).inlinePolicies.keys()].sort();
      const { items, more } = pageOf(names, input);
      return { PolicyNames: [...items], ...more };
    },
  });
}

/** The names of a user's inline policies. */
export const listUserPolicies: Operation<IamState, ListUserPoliciesRequest, ListUserPoliciesResponse> = listInlinePolicies("ListUserPolicies", "user", ({ UserName }) => UserName);
/** The names of a group's inline policies. */
export const listGroupPolicies: Operation<IamState, ListGroupPoliciesRequest, ListGroupPoliciesResponse> = listInlinePolicies("ListGroupPolicies", "group", ({ GroupName }) => GroupName);
/** The names of a role's inline policies. */
export const listRolePolicies: Operation<IamState, ListRolePoliciesRequest, ListRolePoliciesResponse> = listInlinePolicies("ListRolePolicies", "role", ({ RoleName }) => RoleName);
