import type { CreatePolicyRequest, CreatePolicyResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { checkName, checkPath, checkTags, tagsOutput } from "../checks.js";
import { iamError } from "../errors.js";
import { identityArn, requestTags } from "../identities.js";
import { uniqueId } from "../identifiers.js";
import { checkManagedDocument, policySummary } from "../policies.js";
import type { IamState, ManagedPolicy } from "../state.js";

/** Makes a managed policy. @throws EntityAlreadyExistsException (409), MalformedPolicyDocumentException (400), LimitExceededException (409) */
export const createPolicy = operation<IamState, CreatePolicyRequest, CreatePolicyResponse>({
  name: "CreatePolicy",
  authorize: {
    questions({ scope }, { PolicyName = "", Path = "/", Tags }) {
      const resource = identityArn(scope.accountId, "policy", Path, PolicyName);
      const create = { action: "iam:CreatePolicy", resource, context: requestTags(Tags) };
      return Tags === undefined || Tags.length === 0 ? create : [create, { action: "iam:TagPolicy", resource, context: requestTags(Tags) }];
    },
  },
  run({ state, scope, random, nowMs }, input) {
    const name = checkName("policy", input.PolicyName);
    const path = checkPath(input.Path);
    const document = checkManagedDocument(input.PolicyDocument);
    const tags = checkTags(input.Tags);
    const isTaken = [...state.policies.values()].some((other) => other.name.toLowerCase() === name.toLowerCase());
    if (isTaken) throw iamError("EntityAlreadyExistsException", `A policy called ${name} already exists. Duplicate names are not allowed.`);
    const policy: ManagedPolicy = {
      name,
      path,
      id: uniqueId(random, "policy"),
      arn: identityArn(scope.accountId, "policy", path, name),
      ...(input.Description !== undefined && { description: input.Description }),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      tags,
      versions: new Map([["v1", { document, createdAtMs: nowMs }]]),
      defaultVersionId: "v1",
      lastVersionNumber: 1,
    };
    state.policies.set(policy.arn, policy);
    return { Policy: { ...policySummary(state, policy), ...(tags.size > 0 && { Tags: tagsOutput(tags) }) } };
  },
});
