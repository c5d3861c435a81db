import type {
  ListPolicyTagsRequest,
  ListPolicyTagsResponse,
  ListRoleTagsRequest,
  ListRoleTagsResponse,
  ListUserTagsRequest,
  ListUserTagsResponse,
  TagPolicyRequest,
  TagRoleRequest,
  TagUserRequest,
  UntagPolicyRequest,
  UntagRoleRequest,
  UntagUserRequest,
} from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkTags, putTags, tagsOutput, type TagInput } from "../checks.js";
import { onIdentity, requestTags, roleNamed, userNamed } from "../identities.js";
import { pageOf } from "../paging.js";
import { onPolicy, ownPolicy } from "../policies.js";
import type { IamState } from "../state.js";

interface Tagged {
  readonly tags: Map<string, string>;
}

function tag({ tags }: Tagged, given: readonly TagInput[] | undefined): void {
  putTags(tags, checkTags(given, tags));
}

/** A key that is not there is let pass. */
function untag({ tags }: Tagged, keys: readonly string[] = []): void {
  for (const key of tags.keys()) if (keys.some((other) => other.toLowerCase() === key.toLowerCase())) tags.delete(key);
}

function tagPage({ tags }: Tagged, paging: { Marker?: string | undefined; MaxItems?: number | undefined }) {
  const { items, more } = pageOf(tagsOutput(tags), paging);
  return { Tags: [...items], ...more };
}

const tagContext = ({ Tags }: { Tags: TagInput[] | undefined }) => requestTags(Tags);
const keyContext = ({ TagKeys }: { TagKeys: string[] | undefined }) => ({ "aws:TagKeys": TagKeys });

/** Puts tags onto a role. @throws NoSuchEntityException (404), InvalidInputException (400), LimitExceededException (409) */
export const tagRole = operation<IamState, TagRoleRequest, void>({
  name: "TagRole",
  authorize: onIdentity<TagRoleRequest>("iam:TagRole", "role", ({ RoleName }) => RoleName, tagContext),
  run: ({ state }, { RoleName, Tags }) => tag(roleNamed(state, RoleName), Tags),
});
/** Takes tags off a role. @throws NoSuchEntityException (404) */
export const untagRole = operation<IamState, UntagRoleRequest, void>({
  name: "UntagRole",
  authorize: onIdentity<UntagRoleRequest>("iam:UntagRole", "role", ({ RoleName }) => RoleName, keyContext),
  run: ({ state }, { RoleName, TagKeys }) => untag(roleNamed(state, RoleName), TagKeys),
});
/** A role's tags. @throws NoSuchEntityException (404) */
export const listRoleTags = operation<IamState, ListRoleTagsRequest, ListRoleTagsResponse>({
  name: "ListRoleTags",
  authorize: onIdentity<ListRoleTagsRequest>("iam:ListRoleTags", "role", ({ RoleName }) => RoleName),
  run: ({ state }, input) => tagPage(roleNamed(state, input.RoleName), input),
});

/** Puts tags onto a user. @throws NoSuchEntityException (404), InvalidInputException (400), LimitExceededException (409) */
export const tagUser = operation<IamState, TagUserRequest, void>({
  name: "TagUser",
  authorize: onIdentity<TagUserRequest>("iam:TagUser", "user", ({ UserName }) => UserName, tagContext),
  run: ({ state }, { UserName, Tags }) => tag(userNamed(state, UserName), Tags),
});
/** Takes tags off a user. @throws NoSuchEntityException (404) */
export const untagUser = operation<IamState, UntagUserRequest, void>({
  name: "UntagUser",
  authorize: onIdentity<UntagUserRequest>("iam:UntagUser", "user", ({ UserName }) => UserName, keyContext),
  run: ({ state }, { UserName, TagKeys }) => untag(userNamed(state, UserName), TagKeys),
});
/** A user's tags. @throws NoSuchEntityException (404) */
export const listUserTags = operation<IamState, ListUserTagsRequest, ListUserTagsResponse>({
  name: "ListUserTags",
  authorize: onIdentity<ListUserTagsRequest>("iam:ListUserTags", "user", ({ UserName }) => UserName),
  run: ({ state }, input) => tagPage(userNamed(state, input.UserName), input),
});

/** Puts tags onto a managed policy of the account's own. @throws NoSuchEntityException (404), InvalidInputException (400), LimitExceededException (409) */
export const tagPolicy = operation<IamState, TagPolicyRequest, void>({
  name: "TagPolicy",
  authorize: onPolicy<TagPolicyRequest>("iam:TagPolicy", tagContext),
  run: ({ state }, { PolicyArn, Tags }) => tag(ownPolicy(state, PolicyArn), Tags),
});
/** Takes tags off a managed policy of the account's own. @throws NoSuchEntityException (404) */
export const untagPolicy = operation<IamState, UntagPolicyRequest, void>({
  name: "UntagPolicy",
  authorize: onPolicy<UntagPolicyRequest>("iam:UntagPolicy", keyContext),
  run: ({ state }, { PolicyArn, TagKeys }) => untag(ownPolicy(state, PolicyArn), TagKeys),
});
/** The tags of a managed policy of the account's own. @throws NoSuchEntityException (404) */
export const listPolicyTags = operation<IamState, ListPolicyTagsRequest, ListPolicyTagsResponse>({
  name: "ListPolicyTags",
  authorize: onPolicy("iam:ListPolicyTags"),
  run: ({ state }, input) => tagPage(ownPolicy(state, input.PolicyArn), input),
});
