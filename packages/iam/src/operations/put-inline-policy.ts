import type { PutGroupPolicyRequest, PutRolePolicyRequest, PutUserPolicyRequest } from "@aws-sdk/client-iam";
import { operation, type Operation } from "@sandstack/core";
import { checkName } from "../checks.js";
import { checkDocument, documentCharacters } from "../documents.js";
import { iamError } from "../errors.js";
import { identityNamed, onIdentity, type IdentityKind } from "../identities.js";
import { MAX_INLINE_CHARACTERS } from "../limits.js";
import type { IamState } from "../state.js";

interface InlinePolicyInput {
  readonly PolicyName: string | undefined;
  readonly PolicyDocument: string | undefined;
}

/** @throws NoSuchEntityException (404), MalformedPolicyDocumentException (400), LimitExceededException (409) */
function putInlinePolicy<Input extends InlinePolicyInput>(name: string, kind: IdentityKind, nameOf: (input: Input) => string | undefined): Operation<IamState, Input, void> {
  return operation({
    name,
    authorize: onIdentity(`iam:${name}`, kind, nameOf),
    run({ state }, input) {
      const identity = identityNamed(state, kind, nameOf(input));
      const policyName = checkName("policy", input.PolicyName);
      const document = checkDocument("policyDocument", input.PolicyDocument, "identity");
      let characters = documentCharacters(document);
      for (const [other, text] of identity.inlinePolicies) if (other !== policyName) characters += documentCharacters(text);
      const most = MAX_INLINE_CHARACTERS[kind];
      if (characters > most) throw iamError("LimitExceededException", `Maximum policy size of ${most} bytes exceeded for ${kind} ${identity.name}`);
      identity.inlinePolicies.set(policyName, document);
    },
  });
}

/** Puts a policy into a user, in place of one of the same name. */
export const putUserPolicy = putInlinePolicy<PutUserPolicyRequest>("PutUserPolicy", "user", ({ UserName }) => UserName);
/** Puts a policy into a group, in place of one of the same name. */
export const putGroupPolicy = putInlinePolicy<PutGroupPolicyRequest>("PutGroupPolicy", "group", ({ GroupName }) => GroupName);
/** Puts a policy into a role, in place of one of the same name. */
export const putRolePolicy = putInlinePolicy<PutRolePolicyRequest>("PutRolePolicy", "role", ({ RoleName }) => RoleName);
