import type { CreateRoleRequest, CreateRoleResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkMaxSessionDuration, checkPath, checkTags } from "../checks.js";
import { checkDocument, documentCharacters } from "../documents.js";
import { iamError } from "../errors.js";
import { checkNewName, identityArn, onNewIdentity } from "../identities.js";
import { uniqueId } from "../identifiers.js";
import { DEFAULT_MAX_SESSION_SECONDS, MAX_TRUST_POLICY_CHARACTERS } from "../limits.js";
import { attachableArn } from "../policies.js";
import { roleDetails } from "../roles.js";
import type { IamState, Role } from "../state.js";

/**
 * Makes a role that those named in its trust policy may take on.
 *
 * Unlike AWS it does not look whether the users and roles that the trust policy names exist.
 *
 * @throws EntityAlreadyExistsException (409), MalformedPolicyDocumentException (400), LimitExceededException (409)
 */
export const createRole = operation<IamState, CreateRoleRequest, CreateRoleResponse>({
  name: "CreateRole",
  authorize: onNewIdentity("iam:CreateRole", "role", ({ RoleName }) => RoleName),
  run(ctx, input) {
    const { state, scope, random, nowMs } = ctx;
    const name = checkNewName(state, "role", input.RoleName);
    const path = checkPath(input.Path);
    const trustPolicy = checkTrustPolicy("assumeRolePolicyDocument", input.AssumeRolePolicyDocument);
    const maxSessionDurationSeconds = checkMaxSessionDuration(input.MaxSessionDuration ?? DEFAULT_MAX_SESSION_SECONDS);
    const tags = checkTags(input.Tags);
    const boundary = input.PermissionsBoundary === undefined ? {} : { permissionsBoundaryArn: attachableArn(state, input.PermissionsBoundary, "permissionsBoundary") };
    const role: Role = {
      name,
      path,
      id: uniqueId(random, "role"),
      arn: identityArn(scope.accountId, "role", path, name),
      createdAtMs: nowMs,
      inlinePolicies: new Map(),
      attachedPolicyArns: [],
      tags,
      trustPolicy,
      maxSessionDurationSeconds,
      ...(input.Description !== undefined && { description: input.Description }),
      ...boundary,
    };
    state.roles.set(name, role);
    ctx.record({ kind: "iam.role.created", roleArn: role.arn });
    const { RoleLastUsed: _unused, ...created } = roleDetails(role);
    return { Role: created };
  },
});

/** @throws ValidationError, MalformedPolicyDocumentException, LimitExceededException */
export function checkTrustPolicy(member: string, document: string | undefined): string {
  const trustPolicy = checkDocument(member, document, "trust");
  if (documentCharacters(trustPolicy) > MAX_TRUST_POLICY_CHARACTERS) throw iamError("LimitExceededException", `Cannot exceed quota for ACLSizePerRole: ${MAX_TRUST_POLICY_CHARACTERS}`);
  return trustPolicy;
}
