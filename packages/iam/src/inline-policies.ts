import { checkName } from "./checks.js";
import { iamError } from "./errors.js";
import type { IdentityKind } from "./identities.js";
import type { Identity } from "./state.js";

/** The text of an inline policy. @throws NoSuchEntityException */
export function inlinePolicyNamed(identity: Identity, kind: IdentityKind, value: string | undefined): string {
  const policyName = checkName("policy", value);
  const text = identity.inlinePolicies.get(policyName);
  if (text === undefined) throw iamError("NoSuchEntityException", `The ${kind} policy with name ${policyName} cannot be found.`);
  return text;
}
