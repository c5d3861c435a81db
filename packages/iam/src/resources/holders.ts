import type { ResourceContext } from "@sandstack/core";
import type { IdentityKind } from "../identities.js";

/** A user, group or role, as a resource's functions speak of it. */
export interface Holder {
  readonly kind: IdentityKind;
  readonly name: string;
}

/** An inline policy as templates write it. */
export interface PolicyProperty {
  readonly PolicyName: string;
  readonly PolicyDocument: object | string;
}

/** The properties by which a user, group or role gets its policies. */
export interface HolderProperties {
  readonly Policies?: readonly PolicyProperty[];
  readonly ManagedPolicyArns?: readonly string[];
}

// What is gone already is taken away, and so is what it held.
const IF_THERE = { ignore: ["NoSuchEntityException"] };

export function documentText(document: object | string): string {
  return typeof document === "string" ? document : JSON.stringify(document);
}

export async function putInlinePolicy(ctx: ResourceContext, { kind, name }: Holder, { PolicyName, PolicyDocument }: PolicyProperty): Promise<void> {
  const policy = { PolicyName, PolicyDocument: documentText(PolicyDocument) };
  if (kind === "user") await ctx.call("iam", "PutUserPolicy", { UserName: name, ...policy });
  else if (kind === "group") await ctx.call("iam", "PutGroupPolicy", { GroupName: name, ...policy });
  else await ctx.call("iam", "PutRolePolicy", { RoleName: name, ...policy });
}

export async function deleteInlinePolicy(ctx: ResourceContext, { kind, name }: Holder, PolicyName: string): Promise<void> {
  if (kind === "user") await ctx.call("iam", "DeleteUserPolicy", { UserName: name, PolicyName }, IF_THERE);
  else if (kind === "group") await ctx.call("iam", "DeleteGroupPolicy", { GroupName: name, PolicyName }, IF_THERE);
  else await ctx.call("iam", "DeleteRolePolicy", { RoleName: name, PolicyName }, IF_THERE);
}

export async function attachPolicy(ctx: ResourceContext, { kind, name }: Holder, PolicyArn: string): Promise<void> {
  if (kind === "user") await ctx.call("iam", "AttachUserPolicy", { UserName: name, PolicyArn });
  else if (kind === "group") await ctx.call("iam", "AttachGroupPolicy", { GroupName: name, PolicyArn });
  else await ctx.call("iam", "AttachRolePolicy", { RoleName: name, PolicyArn });
}

export async function detachPolicy(ctx: ResourceContext, { kind, name }: Holder, PolicyArn: string): Promise<void> {
  if (kind === "user") await ctx.call("iam", "DetachUserPolicy", { UserName: name, PolicyArn }, IF_THERE);
  else if (kind === "group") await ctx.call("iam", "DetachGroupPolicy", { GroupName: name, PolicyArn }, IF_THERE);
  else await ctx.call("iam", "DetachRolePolicy", { RoleName: name, PolicyArn }, IF_THERE);
}

/** Gives a holder the policies wanted, and takes those away that it had from the template before. */
export async function changePolicies(ctx: ResourceContext, holder: Holder, wanted: HolderProperties, current: HolderProperties = {}): Promise<void> {
  const { Policies = [], ManagedPolicyArns = [] } = wanted;
  for (const { PolicyName } of current.Policies ?? []) {
    if (!Policies.some((policy) => policy.PolicyName === PolicyName)) await deleteInlinePolicy(ctx, holder, PolicyName);
  }
  for (const arn of current.ManagedPolicyArns ?? []) if (!ManagedPolicyArns.includes(arn)) await detachPolicy(ctx, holder, arn);
  for (const policy of Policies) await putInlinePolicy(ctx, holder, policy);
  for (const arn of ManagedPolicyArns) await attachPolicy(ctx, holder, arn);
}

/** The holders that a policy's `Roles`, `Users` and `Groups` name. */
export function holdersOf({ Roles = [], Users = [], Groups = [] }: { Roles?: readonly string[]; Users?: readonly string[]; Groups?: readonly string[] }): readonly Holder[] {
  const named = (kind: IdentityKind, names: readonly string[]): Holder[] => names.map((name) => ({ kind, name }));
  return [...named("role", Roles), ...named("user", Users), ...named("group", Groups)];
}

/** Those of `holders` that are not among `others`. */
export function without(holders: readonly Holder[], others: readonly Holder[]): readonly Holder[] {
  return holders.filter(({ kind, name }) => !others.some((other) => other.kind === kind && other.name === name));
}

export interface TagProperty {
  readonly Key: string;
  readonly Value: string | number | boolean;
}

/** A resource's tags: the stack's, then its own. */
export function tagsOf(ctx: ResourceContext, tags: readonly TagProperty[] = []): { Key: string; Value: string }[] {
  const all = new Map(Object.entries(ctx.tags));
  for (const { Key, Value } of tags) all.set(Key, String(Value));
  return [...all].map(([Key, Value]) => ({ Key, Value }));
}
