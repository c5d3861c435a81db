import { validationError } from "../errors.js";
import { evaluateCondition } from "../intrinsics/conditions.js";
import type { EvaluationScope } from "../intrinsics/evaluate.js";
import type { RuleDeclaration } from "./template.js";

/**
 * Evaluates a template's rules; they come before everything else.
 *
 * @throws ValidationError with the descriptions of the assertions that do not hold
 */
export function checkRules(rules: Readonly<Record<string, RuleDeclaration>>, scope: EvaluationScope): void {
  for (const [name, { RuleCondition, Assertions }] of Object.entries(rules)) {
    if (RuleCondition !== undefined && !evaluateCondition(RuleCondition, scope)) continue;
    const broken = Assertions.filter(({ Assert }) => !evaluateCondition(Assert, scope));
    if (broken.length === 0) continue;
    const descriptions = broken.map(({ AssertDescription }) => AssertDescription ?? "Template assertion failed.");
    throw validationError(`Template error: Rule ${name} failed to satisfy constraint: ${descriptions.join("; ")}`);
  }
}
