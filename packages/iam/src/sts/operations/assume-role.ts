import type { AssumeRoleRequest, AssumeRoleResponse } from "@aws-sdk/client-sts";
import { operation, parseArn, type CallContext, type ConditionContext, type OperationContext, type Question, type Scope } from "@sandstack/core";
import { constraintMessage } from "../../checks.js";
import { stsAccessDenied, stsError, validationError } from "../../errors.js";
import { idOfUnknown } from "../../identifiers.js";
import { DEFAULT_SESSION_SECONDS, LEAST_SESSION_SECONDS, MAX_CHAINED_SESSION_SECONDS, MOST_SESSION_SECONDS } from "../../limits.js";
import { managedPolicyText } from "../../identity-policies.js";
import { policyFault } from "../../policy/validate.js";
import type { IamState, Role } from "../../state.js";
import { startSession } from "../sessions.js";

/** The most characters of a session's policies. */
const MAX_SESSION_POLICY_CHARACTERS = 2_048;

/**
 * Temporary credentials of a role's session. The role's trust policy decides who may have them; inside an account it suffices where it
 * names the caller, and where it names the account the caller's own policies must allow it, too.
 *
 * On AWS an account's root may take on no role. Here the root is who calls when nobody is named, so the trust policy decides for
 * it as for an administrator of the account.
 *
 * @throws AccessDenied (403) when the trust policy, or the caller's own, does not allow it, or there is no such role
 * @throws ValidationError (400) for a duration, session name or ARN that breaks its constraints
 * @throws MalformedPolicyDocumentException (400) for a session policy
 */
export const assumeRole = operation<IamState, AssumeRoleRequest, AssumeRoleResponse>({
  name: "AssumeRole",
  authorize: { scope: scopeOfRole, questions: questionsAboutRole },
  run(ctx, input) {
    const roleArn = checkRoleArn(input.RoleArn);
    const sessionName = checkSessionName(input.RoleSessionName);
    const role = roleOf(ctx.state, roleArn);
    // AWS does not tell a role that is not there from one that trusts somebody else.
    if (role === undefined && ctx.isIamEnforced) throw stsAccessDenied({ principal: ctx.caller, question: { action: "sts:AssumeRole", resource: roleArn } });
    const durationSeconds = checkDuration(ctx, input.DurationSeconds, role);
    const policies = checkSessionPolicies(ctx.state, input);
    const roleName = role?.name ?? roleArn.slice(roleArn.lastIndexOf("/") + 1);
    const roleId = role?.id ?? idOfUnknown("role", roleArn);
    const context = sessionContext(ctx, input);

    const Credentials = startSession(ctx, { kind: "role", roleName, roleArn, roleId, sessionName, policies, context }, durationSeconds);
    if (role !== undefined) {
      role.lastUsedAtMs = ctx.nowMs;
      role.lastUsedRegion = ctx.callScope.region;
    }
    const sessionArn = `arn:aws:sts::${ctx.scope.accountId}:assumed-role/${roleName}/${sessionName}`;
    ctx.record({ kind: "sts.role.assumed", roleArn, sessionArn, expiresAtMs: ctx.nowMs + durationSeconds * 1_000 });
    return {
      Credentials,
      AssumedRoleUser: { AssumedRoleId: `${roleId}:${sessionName}`, Arn: sessionArn },
      ...(policies.length > 0 && { PackedPolicySize: packedPolicySize(policies) }),
      ...(input.SourceIdentity !== undefined && { SourceIdentity: input.SourceIdentity }),
    };
  },
});

/** The role's account is asked, whoever's it is. */
function scopeOfRole(callScope: Scope, { RoleArn }: AssumeRoleRequest): Scope {
  const accountId = parseArn(RoleArn ?? "")?.accountId;
  return accountId !== undefined && /^\d{12}$/.test(accountId) ? { ...callScope, accountId } : callScope;
}

function questionsAboutRole({ state }: CallContext<IamState>, input: AssumeRoleRequest): readonly Question[] {
  const resource = checkRoleArn(input.RoleArn);
  const role = roleOf(state, resource);
  const resourcePolicies = role === undefined ? [] : [role.trustPolicy];
  const context = requestContext(input, role);
  const actions = ["sts:AssumeRole"];
  if (input.Tags !== undefined && input.Tags.length > 0) actions.push("sts:TagSession");
  if (input.SourceIdentity !== undefined) actions.push("sts:SetSourceIdentity");
  return actions.map((action) => ({ action, resource, resourcePolicies, context }));
}

function requestContext({ ExternalId, RoleSessionName, SourceIdentity, Tags = [], TransitiveTagKeys = [] }: AssumeRoleRequest, role: Role | undefined): ConditionContext {
  const context: Record<string, string | readonly string[] | undefined> = { "sts:ExternalId": ExternalId, "sts:RoleSessionName": RoleSessionName, "sts:SourceIdentity": SourceIdentity };
  for (const { Key = "", Value = "" } of Tags) context[`aws:RequestTag/${Key}`] = Value;
  if (Tags.length > 0) context["aws:TagKeys"] = Tags.map(({ Key = "" }) => Key);
  if (TransitiveTagKeys.length > 0) context["sts:TransitiveTagKeys"] = TransitiveTagKeys;
  for (const [key, value] of role?.tags ?? []) {
    context[`aws:ResourceTag/${key}`] = value;
    context[`iam:ResourceTag/${key}`] = value;
  }
  return context;
}

function roleOf(state: IamState, roleArn: string): Role | undefined {
  const role = state.roles.get(roleArn.slice(roleArn.lastIndexOf("/") + 1));
  return role?.arn === roleArn ? role : undefined;
}

function checkRoleArn(arn: string | undefined): string {
  if (arn === undefined) throw validationError(constraintMessage("roleArn", arn, "not be null"), "sts");
  if (arn.length < 20) throw validationError(constraintMessage("roleArn", arn, "have length greater than or equal to 20"), "sts");
  if (!/^arn:aws[\w-]*:iam::\d{12}:role\/.+$/.test(arn)) throw validationError(`${arn} is invalid`, "sts");
  return arn;
}

function checkSessionName(name: string | undefined): string {
  const fail = (constraint: string): Error => validationError(constraintMessage("roleSessionName", name, constraint), "sts");
  if (name === undefined) throw fail("not be null");
  if (name.length < 2) throw fail("have length greater than or equal to 2");
  if (name.length > 64) throw fail("have length less than or equal to 64");
  if (!/^[\w+=,.@-]*$/.test(name)) throw fail("satisfy regular expression pattern: [\\w+=,.@-]*");
  return name;
}

/** In seconds. A role's own limit and that of role chaining come after the general bounds. */
function checkDuration({ caller }: OperationContext<IamState>, wanted: number | undefined, role: Role | undefined): number {
  const seconds = wanted ?? DEFAULT_SESSION_SECONDS;
  if (seconds < LEAST_SESSION_SECONDS) throw validationError(constraintMessage("durationSeconds", seconds, `have value greater than or equal to ${LEAST_SESSION_SECONDS}`), "sts");
  if (seconds > MOST_SESSION_SECONDS) throw validationError(constraintMessage("durationSeconds", seconds, `have value less than or equal to ${MOST_SESSION_SECONDS}`), "sts");
  if (caller.kind === "role-session" && seconds > MAX_CHAINED_SESSION_SECONDS) {
    throw validationError("The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining.", "sts");
  }
  if (role !== undefined && seconds > role.maxSessionDurationSeconds) throw validationError("The requested DurationSeconds exceeds the MaxSessionDuration set for this role.", "sts");
  return seconds;
}

/** The policies that cut the session down: the one given, and the managed ones named. */
function checkSessionPolicies(state: IamState, { Policy, PolicyArns = [] }: AssumeRoleRequest): readonly string[] {
  const policies: string[] = [];
  if (Policy !== undefined) {
    const fault = policyFault(Policy, "identity");
    if (fault !== undefined) throw stsError("MalformedPolicyDocumentException", fault);
    if (Policy.length > MAX_SESSION_POLICY_CHARACTERS) throw validationError(constraintMessage("policy", Policy, `have length less than or equal to ${MAX_SESSION_POLICY_CHARACTERS}`), "sts");
    policies.push(Policy);
  }
  for (const { arn = "" } of PolicyArns) {
    const text = managedPolicyText(state, arn);
    if (text === undefined) throw stsError("MalformedPolicyDocumentException", `Invalid policy arn: ${arn}`);
    policies.push(text);
  }
  return policies;
}

/** A percentage of what AWS lets the packed policies take. */
function packedPolicySize(policies: readonly string[]): number {
  const characters = policies.reduce((sum, { length }) => sum + length, 0);
  return Math.max(1, Math.min(100, Math.ceil((characters * 100) / MAX_SESSION_POLICY_CHARACTERS)));
}

/** The condition keys that the session's own calls will carry. */
function sessionContext({ nowMs }: OperationContext<IamState>, { Tags = [], SourceIdentity }: AssumeRoleRequest): Record<string, string> {
  const context: Record<string, string> = { "aws:TokenIssueTime": new Date(nowMs).toISOString() };
  for (const { Key = "", Value = "" } of Tags) context[`aws:PrincipalTag/${Key}`] = Value;
  if (SourceIdentity !== undefined) context["aws:SourceIdentity"] = SourceIdentity;
  return context;
}
