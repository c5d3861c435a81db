import type {
  CreatePolicyVersionRequest,
  CreatePolicyVersionResponse,
  DeletePolicyVersionRequest,
  GetPolicyVersionRequest,
  GetPolicyVersionResponse,
  ListPolicyVersionsRequest,
  ListPolicyVersionsResponse,
  PolicyVersion as PolicyVersionOutput,
  SetDefaultPolicyVersionRequest,
} from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import type { AwsManagedPolicy } from "../aws-managed-policies.js";
import { iamError } from "../errors.js";
import { encodedDocument } from "../identities.js";
import { MAX_POLICY_VERSIONS } from "../limits.js";
import { pageOf } from "../paging.js";
import { checkManagedDocument, onPolicy, ownPolicy, policyWithArn } from "../policies.js";
import type { IamState, ManagedPolicy } from "../state.js";
import { timestamp } from "../timestamps.js";

/** Adds a version, and makes it the one in force if asked to. @throws NoSuchEntityException (404), LimitExceededException (409), MalformedPolicyDocumentException (400) */
export const createPolicyVersion = operation<IamState, CreatePolicyVersionRequest, CreatePolicyVersionResponse>({
  name: "CreatePolicyVersion",
  authorize: onPolicy("iam:CreatePolicyVersion"),
  run({ state, nowMs }, { PolicyArn, PolicyDocument, SetAsDefault = false }) {
    const policy = ownPolicy(state, PolicyArn);
    const document = checkManagedDocument(PolicyDocument);
    if (policy.versions.size >= MAX_POLICY_VERSIONS) {
      throw iamError("LimitExceededException", `A managed policy can have up to ${MAX_POLICY_VERSIONS} versions. Before you create a new version, you must delete an existing version.`);
    }
    policy.lastVersionNumber += 1;
    const versionId = `v${policy.lastVersionNumber}`;
    policy.versions.set(versionId, { document, createdAtMs: nowMs });
    policy.updatedAtMs = nowMs;
    if (SetAsDefault) policy.defaultVersionId = versionId;
    return { PolicyVersion: versionOutput(policy, versionId) };
  },
});

/** One version with its document, percent-encoded as on AWS. @throws NoSuchEntityException (404) */
export const getPolicyVersion = operation<IamState, GetPolicyVersionRequest, GetPolicyVersionResponse>({
  name: "GetPolicyVersion",
  authorize: onPolicy("iam:GetPolicyVersion"),
  run({ state }, { PolicyArn, VersionId = "" }) {
    const policy = policyWithArn(state, PolicyArn);
    const document = "versions" in policy ? policy.versions.get(VersionId)?.document : policy.versionId === VersionId ? policy.document : undefined;
    if (document === undefined) throw noSuchVersion(policy.arn, VersionId);
    return { PolicyVersion: { Document: encodedDocument(document), ...versionOutput(policy, VersionId) } };
  },
});

/** A policy's versions, newest first. @throws NoSuchEntityException (404) */
export const listPolicyVersions = operation<IamState, ListPolicyVersionsRequest, ListPolicyVersionsResponse>({
  name: "ListPolicyVersions",
  authorize: onPolicy("iam:ListPolicyVersions"),
  run({ state }, { PolicyArn, ...paging }) {
    const policy = policyWithArn(state, PolicyArn);
    const ids = "versions" in policy ? [...policy.versions.keys()].reverse() : [policy.versionId];
    const { items, more } = pageOf(ids, paging);
    return { Versions: items.map((id) => versionOutput(policy, id)), ...more };
  },
});

/** Deletes a version that is not in force. @throws NoSuchEntityException (404), DeleteConflictException (409) */
export const deletePolicyVersion = operation<IamState, DeletePolicyVersionRequest, void>({
  name: "DeletePolicyVersion",
  authorize: onPolicy("iam:DeletePolicyVersion"),
  run({ state, nowMs }, { PolicyArn, VersionId = "" }) {
    const policy = ownPolicy(state, PolicyArn);
    if (!policy.versions.has(VersionId)) throw noSuchVersion(policy.arn, VersionId);
    if (policy.defaultVersionId === VersionId) throw iamError("DeleteConflictException", "Cannot delete the default version of a policy.");
    policy.versions.delete(VersionId);
    policy.updatedAtMs = nowMs;
  },
});

/** Puts a version in force. @throws NoSuchEntityException (404) */
export const setDefaultPolicyVersion = operation<IamState, SetDefaultPolicyVersionRequest, void>({
  name: "SetDefaultPolicyVersion",
  authorize: onPolicy("iam:SetDefaultPolicyVersion"),
  run({ state, nowMs }, { PolicyArn, VersionId = "" }) {
    const policy = ownPolicy(state, PolicyArn);
    if (!policy.versions.has(VersionId)) throw noSuchVersion(policy.arn, VersionId);
    policy.defaultVersionId = VersionId;
    policy.updatedAtMs = nowMs;
  },
});

function noSuchVersion(arn: string, versionId: string): Error {
  return iamError("NoSuchEntityException", `Policy ${arn} version ${versionId} does not exist or is not attachable.`);
}

function versionOutput(policy: ManagedPolicy | AwsManagedPolicy, VersionId: string): PolicyVersionOutput {
  const isOwn = "versions" in policy;
  const createdAtMs = isOwn ? (policy.versions.get(VersionId)?.createdAtMs ?? policy.createdAtMs) : policy.createdAtMs;
  return { VersionId, IsDefaultVersion: (isOwn ? policy.defaultVersionId : policy.versionId) === VersionId, CreateDate: timestamp(createdAtMs) };
}
