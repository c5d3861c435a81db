import type { CallContext, ConditionContext, Question } from "@sandstack/core";
import { checkName } from "./checks.js";
import { iamError } from "./errors.js";
import type { Group, IamState, Identity, Role, User } from "./state.js";

export type IdentityKind = "user" | "group" | "role";

const TITLE = { user: "User", group: "Group", role: "Role" } as const;

function identitiesOf(state: IamState, kind: IdentityKind): ReadonlyMap<string, Identity> {
  return kind === "user" ? state.users : kind === "group" ? state.groups : state.roles;
}

/** @throws ValidationError, NoSuchEntityException */
export function identityNamed(state: IamState, kind: IdentityKind, value: string | undefined): Identity {
  const name = checkName(kind, value);
  const identity = identitiesOf(state, kind).get(name);
  if (identity === undefined) throw iamError("NoSuchEntityException", `The ${kind} with name ${name} cannot be found.`);
  return identity;
}

/** @throws ValidationError, NoSuchEntityException */
export function userNamed(state: IamState, name: string | undefined): User {
  return identityNamed(state, "user", name) as User; // the users are Users
}

/** @throws ValidationError, NoSuchEntityException */
export function groupNamed(state: IamState, name: string | undefined): Group {
  return identityNamed(state, "group", name);
}

/** @throws ValidationError, NoSuchEntityException */
export function roleNamed(state: IamState, name: string | undefined): Role {
  return identityNamed(state, "role", name) as Role; // the roles are Roles
}

/** Names are unique in an account whatever their case. @throws ValidationError, EntityAlreadyExistsException */
export function checkNewName(state: IamState, kind: IdentityKind, value: string | undefined): string {
  const name = checkName(kind, value);
  const isTaken = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  const taken = identitiesOf(state, kind).has(name) || [...identitiesOf(state, kind).keys()].some(isTaken);
  if (taken) throw iamError("EntityAlreadyExistsException", `${TITLE[kind]} with name ${name} already exists.`);
  return name;
}

export function identityArn(accountId: string, kind: IdentityKind | "policy", path: string, name: string): string {
  return `arn:aws:iam::${accountId}:${kind}${path}${name}`;
}

/** Refuses to delete what still has policies. @throws DeleteConflictException */
export function checkWithoutPolicies(identity: Identity): void {
  if (identity.attachedPolicyArns.length > 0) throw iamError("DeleteConflictException", "Cannot delete entity, must detach all policies first.");
  if (identity.inlinePolicies.size > 0) throw iamError("DeleteConflictException", "Cannot delete entity, must delete policies first.");
}

/** Asks about an action on a user, group or role that is named in the input. */
export function onIdentity<Input>(action: string, kind: IdentityKind, nameOf: (input: Input) => string | undefined, contextOf?: (input: Input) => ConditionContext) {
  return {
    questions({ scope, state }: CallContext<IamState>, input: Input): Question {
      const name = nameOf(input) ?? "";
      const identity = identitiesOf(state, kind).get(name);
      const resource = identity?.arn ?? identityArn(scope.accountId, kind, "/", name);
      return { action, resource, context: { ...resourceTags(identity), ...contextOf?.(input) } };
    },
  };
}

interface NewIdentity {
  readonly Path?: string | undefined;
  readonly PermissionsBoundary?: string | undefined;
  readonly Tags?: readonly { readonly Key: string | undefined; readonly Value: string | undefined }[] | undefined;
}

/** Asks about making a user, group or role, on the ARN it will have. */
export function onNewIdentity<Input extends NewIdentity>(action: string, kind: IdentityKind, nameOf: (input: Input) => string | undefined) {
  return {
    questions({ scope }: CallContext<IamState>, input: Input): readonly Question[] {
      const resource = identityArn(scope.accountId, kind, input.Path ?? "/", nameOf(input) ?? "");
      const create = { action, resource, context: { "iam:PermissionsBoundary": input.PermissionsBoundary, ...requestTags(input.Tags) } };
      // Making it with tags is tagging it, too (IAM User Guide, "Tags for IAM resources").
      if (input.Tags === undefined || input.Tags.length === 0) return [create];
      return [create, { action: `iam:Tag${TITLE[kind]}`, resource, context: requestTags(input.Tags) }];
    },
  };
}

/** Asks about listing users, groups or roles under a path. */
export function onPathPrefix(action: string, kind: IdentityKind) {
  return {
    questions: ({ scope }: CallContext<IamState>, { PathPrefix = "/" }: { PathPrefix?: string | undefined }): Question => ({
      action,
      resource: identityArn(scope.accountId, kind, PathPrefix, ""),
    }),
  };
}

/** Asks about an action that has no resource. */
export function onEverything(action: string) {
  return { questions: (): Question => ({ action, resource: "*" }) };
}

function resourceTags(identity: Identity | undefined): ConditionContext {
  const tags = (identity as Partial<User> | undefined)?.tags; // groups have none
  const context: Record<string, string> = {};
  for (const [key, value] of tags ?? []) {
    context[`aws:ResourceTag/${key}`] = value;
    context[`iam:ResourceTag/${key}`] = value;
  }
  return context;
}

/** The condition keys of the tags in a request. */
export function requestTags(tags: readonly { readonly Key: string | undefined; readonly Value: string | undefined }[] = []): ConditionContext {
  if (tags.length === 0) return {};
  const context: Record<string, string | readonly string[]> = { "aws:TagKeys": tags.map(({ Key }) => Key ?? "") };
  for (const { Key, Value } of tags) context[`aws:RequestTag/${Key ?? ""}`] = Value ?? "";
  return context;
}

/** JSON as IAM answers it: percent-encoded as RFC 3986 says. */
export function encodedDocument(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
