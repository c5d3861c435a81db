import type { Policy as PolicyOutput } from "@aws-sdk/client-iam";
import type { CallContext, ConditionContext, Question } from "@sandstack/core";
import { awsManagedPolicy, isAwsManaged, type AwsManagedPolicy } from "./aws-managed-policies.js";
import { checkPolicyArn, tagsOutput } from "./checks.js";
import { checkDocument, documentCharacters } from "./documents.js";
import { iamError } from "./errors.js";
import { MAX_MANAGED_POLICY_CHARACTERS } from "./limits.js";
import type { IamState, ManagedPolicy } from "./state.js";
import { timestamp } from "./timestamps.js";

/** @throws NoSuchEntityException in the words of those operations that look a policy up */
export function policyWithArn(state: IamState, value: string | undefined): ManagedPolicy | AwsManagedPolicy {
  const arn = checkPolicyArn(value);
  const policy = state.policies.get(arn) ?? awsManagedPolicy(arn);
  if (policy === undefined) throw iamError("NoSuchEntityException", `Policy ${arn} was not found.`);
  return policy;
}

/** A policy that the account may change. @throws NoSuchEntityException, and for AWS's own InvalidInputException */
export function ownPolicy(state: IamState, value: string | undefined): ManagedPolicy {
  const arn = checkPolicyArn(value);
  if (isAwsManaged(arn)) throw iamError("InvalidInputException", `Policy ${arn} is an AWS managed policy and cannot be changed.`);
  const policy = state.policies.get(arn);
  if (policy === undefined) throw iamError("NoSuchEntityException", `Policy ${arn} was not found.`);
  return policy;
}

/** The ARN of a policy that can be attached. @throws NoSuchEntityException, PolicyNotAttachableException */
export function attachableArn(state: IamState, value: string | undefined, member = "policyArn"): string {
  const arn = checkPolicyArn(value, member);
  if (state.policies.has(arn)) return arn;
  const policy = awsManagedPolicy(arn);
  if (policy === undefined) throw iamError("NoSuchEntityException", `Policy ${arn} does not exist or is not attachable.`);
  if (!policy.isAttachable) throw iamError("PolicyNotAttachableException", `Cannot attach a Service Role Policy to a Customer Role.`);
  return arn;
}

/** A managed policy's text, checked. @throws ValidationError, MalformedPolicyDocumentException, LimitExceededException */
export function checkManagedDocument(document: string | undefined): string {
  const text = checkDocument("policyDocument", document, "identity", { requireVersion: true });
  if (documentCharacters(text) > MAX_MANAGED_POLICY_CHARACTERS) throw iamError("LimitExceededException", `Cannot exceed quota for PolicySize: ${MAX_MANAGED_POLICY_CHARACTERS}`);
  return text;
}

/** The name of a policy is the end of its ARN. */
export function policyNameOf(arn: string): string {
  return arn.slice(arn.lastIndexOf("/") + 1);
}

/** How many users, groups and roles a policy is attached to, and how many it bounds. */
export function policyUses(state: IamState, arn: string): { attachments: number; boundaries: number } {
  const bounded = [...state.users.values(), ...state.roles.values()];
  const all = [...bounded, ...state.groups.values()];
  return {
    attachments: all.filter(({ attachedPolicyArns }) => attachedPolicyArns.includes(arn)).length,
    boundaries: bounded.filter(({ permissionsBoundaryArn }) => permissionsBoundaryArn === arn).length,
  };
}

/** A policy as lists show it. */
export function policySummary(state: IamState, policy: ManagedPolicy | AwsManagedPolicy): PolicyOutput {
  const { attachments, boundaries } = policyUses(state, policy.arn);
  const isOwn = "versions" in policy;
  return {
    PolicyName: policy.name,
    PolicyId: isOwn ? policy.id : idOfAwsPolicy(policy.name),
    Arn: policy.arn,
    Path: policy.path,
    DefaultVersionId: isOwn ? policy.defaultVersionId : policy.versionId,
    AttachmentCount: attachments,
    PermissionsBoundaryUsageCount: boundaries,
    IsAttachable: isOwn ? true : policy.isAttachable,
    CreateDate: timestamp(policy.createdAtMs),
    UpdateDate: timestamp(isOwn ? policy.updatedAtMs : policy.createdAtMs),
  };
}

/** A policy as GetPolicy and CreatePolicy show it. */
export function policyDetails(state: IamState, policy: ManagedPolicy | AwsManagedPolicy): PolicyOutput {
  if (!("versions" in policy)) return { ...policySummary(state, policy), Tags: [] };
  return { ...policySummary(state, policy), ...(policy.description !== undefined && { Description: policy.description }), Tags: tagsOutput(policy.tags) };
}

/** A stable stand-in for the id of a policy of AWS's, made of its name. */
function idOfAwsPolicy(name: string): string {
  return `ANPA${name.toUpperCase().replace(/[^A-Z0-9]/g, "").padEnd(17, "A").slice(0, 17)}`;
}

/** Asks about an action on a managed policy that is named in the input by its ARN. */
export function onPolicy<Input extends { PolicyArn: string | undefined }>(action: string, contextOf?: (input: Input) => ConditionContext) {
  return {
    questions({ state }: CallContext<IamState>, input: Input): Question {
      const tags: Record<string, string> = {};
      for (const [key, value] of state.policies.get(input.PolicyArn ?? "")?.tags ?? []) tags[`aws:ResourceTag/${key}`] = value;
      return { action, resource: input.PolicyArn ?? "*", context: { ...tags, ...contextOf?.(input) } };
    },
  };
}
