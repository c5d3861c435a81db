import type { Role as RoleOutput } from "@aws-sdk/client-iam";
import type { ResourceAccess } from "@sandstack/core";
import { encodedDocument } from "./identities.js";
import { tagsOutput } from "./checks.js";
import type { IamState, Role } from "./state.js";
import { timestamp } from "./timestamps.js";

/** A role as lists show it. */
export function roleSummary(role: Role): RoleOutput {
  return {
    Path: role.path,
    RoleName: role.name,
    RoleId: role.id,
    Arn: role.arn,
    CreateDate: timestamp(role.createdAtMs),
    AssumeRolePolicyDocument: encodedDocument(role.trustPolicy),
    ...(role.description !== undefined && { Description: role.description }),
    MaxSessionDuration: role.maxSessionDurationSeconds,
  };
}

/** A role as GetRole shows it. */
export function roleDetails(role: Role): RoleOutput {
  const lastUsed = role.lastUsedAtMs === undefined ? {} : { LastUsedDate: timestamp(role.lastUsedAtMs), ...(role.lastUsedRegion !== undefined && { Region: role.lastUsedRegion }) };
  return { ...roleSummary(role), ...boundaryOutput(role), ...(role.tags.size > 0 && { Tags: tagsOutput(role.tags) }), RoleLastUsed: lastUsed };
}

export function boundaryOutput({ permissionsBoundaryArn }: { permissionsBoundaryArn?: string }): Pick<RoleOutput, "PermissionsBoundary"> {
  if (permissionsBoundaryArn === undefined) return {};
  return { PermissionsBoundary: { PermissionsBoundaryType: "PermissionsBoundaryPolicy", PermissionsBoundaryArn: permissionsBoundaryArn } };
}

/** The access to a role, for those who ask IAM without a call: its trust policy has a say in STS's actions. Other identities have no policies of this kind. */
export function accessTo({ roles }: IamState, arn: string, action: string): ResourceAccess {
  if (!/^sts:/i.test(action) || !/:role\//.test(arn)) return { policies: [] };
  const role = roles.get(arn.slice(arn.lastIndexOf("/") + 1));
  return { policies: role?.arn === arn ? [role.trustPolicy] : undefined };
}
