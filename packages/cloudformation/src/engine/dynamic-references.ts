import { validationError } from "../errors.js";
import type { ParameterStore } from "../template/parameters.js";
import { isObject } from "../template/template.js";

const DYNAMIC_REFERENCE = /\{\{resolve:(ssm|ssm-secure|secretsmanager):([^}]*)\}\}/g;

/**
 * Puts the values of dynamic references (`{{resolve:ssm:/name}}`) into evaluated properties.
 *
 * @throws ValidationError for what the store does not hold; the sandbox has no secrets
 */
export function resolveDynamicReferences(value: unknown, store: ParameterStore): unknown {
  if (typeof value === "string") return value.includes("{{resolve:") ? resolveText(value, store) : value;
  if (Array.isArray(value)) return value.map((item) => resolveDynamicReferences(item, store));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolveDynamicReferences(member, store)]));
}

function resolveText(text: string, store: ParameterStore): string {
  return text.replace(DYNAMIC_REFERENCE, (_reference, service: string, rest: string) => {
    if (service === "secretsmanager") throw validationError("Secrets Manager can't find the specified secret.");
    const name = rest.replace(/:\d+$/, "");
    const stored = store(name);
    if (stored === undefined) throw validationError(`Unable to fetch parameters [${name}] from parameter store for this account.`);
    return stored;
  });
}
