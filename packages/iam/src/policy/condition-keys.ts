import type { ConditionContext } from "@sandstack/core";

/** A condition key's value in a request: one, several, or `undefined` for a key the request has not got. */
export type KeyValue = string | readonly string[] | undefined;

/** The condition keys of one request. */
export interface ConditionKeys {
  /** @param key in lower case: names of condition keys are not distinguished by case */
  valueOf(key: string): KeyValue;
}

/** Looks a key up in a context as its author wrote it. @param key in lower case */
export function valueInContext(context: ConditionContext | undefined, key: string): KeyValue {
  if (context === undefined) return undefined;
  for (const name in context) {
    if (name.length === key.length && name.toLowerCase() === key) return context[name];
  }
  return undefined;
}
