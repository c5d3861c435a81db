// A character of Unicode's private use area: no template that means something holds it.
const MARK = "\uE000";

/** Stands for what a resource will give once it is made, while a template is looked at before that. */
export function pendingValue(logicalId: string, attribute = "Ref"): string {
  return `${MARK}${logicalId}.${attribute}${MARK}`;
}

/** True for a text that holds a value not yet known. */
export function isPending(value: unknown): value is string {
  return typeof value === "string" && value.includes(MARK);
}

/** Replaces values not yet known, for showing: AWS's own words for them. */
export function pendingAsShown(text: string): string {
  return text.replace(/\uE000[^\uE000]*\uE000/g, "{{changeSet:KNOWN_AFTER_APPLY}}");
}
