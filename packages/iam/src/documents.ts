import { iamError, validationError } from "./errors.js";
import { constraintMessage, required } from "./checks.js";
import { policyFault, type PolicyKind } from "./policy/validate.js";

/**
 * A policy's text, checked.
 *
 * @param options.requireVersion true for managed policies
 * @throws ValidationError when it is missing or empty
 * @throws MalformedPolicyDocumentException in IAM's words
 */
export function checkDocument(member: string, value: string | undefined, kind: PolicyKind, options: { requireVersion?: boolean } = {}): string {
  const text = required(member, value);
  if (text === "") throw validationError(constraintMessage(member, text, "have length greater than or equal to 1"));
  const fault = policyFault(text, kind, options);
  if (fault !== undefined) throw iamError("MalformedPolicyDocumentException", fault);
  return text;
}

/** How long a policy is by IAM's count, which leaves white space out. */
export function documentCharacters(text: string): number {
  return text.replace(/\s/g, "").length;
}
