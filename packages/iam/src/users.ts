import type { User as UserOutput, Group as GroupOutput } from "@aws-sdk/client-iam";
import type { OperationContext, Principal } from "@sandstack/core";
import { tagsOutput } from "./checks.js";
import { validationError } from "./errors.js";
import { boundaryOutput } from "./roles.js";
import type { Group, IamState, User } from "./state.js";
import { timestamp } from "./timestamps.js";

/** A user as lists show it. */
export function userSummary(user: User): UserOutput {
  return { Path: user.path, UserName: user.name, UserId: user.id, Arn: user.arn, CreateDate: timestamp(user.createdAtMs) };
}

/** A user as GetUser shows it. */
export function userDetails(user: User): UserOutput {
  return { ...userSummary(user), ...boundaryOutput(user), ...(user.tags.size > 0 && { Tags: tagsOutput(user.tags) }) };
}

export function groupOutput(group: Group): GroupOutput {
  return { Path: group.path, GroupName: group.name, GroupId: group.id, Arn: group.arn, CreateDate: timestamp(group.createdAtMs) };
}

/** The user whom an operation is about when it names none: the one who calls. */
export function ownUserName(caller: Principal): string | undefined {
  return caller.kind === "user" ? caller.userName : undefined;
}

/** @throws ValidationError when the caller is no user and names none */
export function userNameOrOwn(ctx: Pick<OperationContext<IamState>, "caller">, userName: string | undefined): string {
  const name = userName ?? ownUserName(ctx.caller);
  if (name === undefined) throw validationError("Must specify userName when calling with non-User credentials");
  return name;
}
