import type { Role as RoleOutput } from "@aws-sdk/client-iam";
import { encodedDocument } from "./identities.js";
import { tagsOutput } from "./checks.js";
import type { Role } from "./state.js";

/** A role as lists show it. */
export function roleSummary(role: Role): RoleOutput {
  return {
    Path: role.path,
    RoleName: role.name,
    RoleId: role.id,
    Arn: role.arn,
    CreateDate: new Date(role.createdAtMs),
    AssumeRolePolicyDocument: encodedDocument(role.trustPolicy),
    ...(role.description !== undefined && { Description: role.description }),
    MaxSessionDuration: role.maxSessionDurationSeconds,
  };
}

/** A role as GetRole shows it. */
export function roleDetails(role: Role): RoleOutput {
  const lastUsed = role.lastUsedAtMs === undefined ? {} : { LastUsedDate: new Date(role.lastUsedAtMs), ...(role.lastUsedRegion !== undefined && { Region: role.lastUsedRegion }) };
  return { ...roleSummary(role), ...boundaryOutput(role), ...(role.tags.size > 0 && { Tags: tagsOutput(role.tags) }), RoleLastUsed: lastUsed };
}

export function boundaryOutput({ permissionsBoundaryArn }: { permissionsBoundaryArn?: string }): Pick<RoleOutput, "PermissionsBoundary"> {
  if (permissionsBoundaryArn === undefined) return {};
  return { PermissionsBoundary: { PermissionsBoundaryType: "PermissionsBoundaryPolicy", PermissionsBoundaryArn: permissionsBoundaryArn } };
}
