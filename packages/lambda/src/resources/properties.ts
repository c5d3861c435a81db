import type { ResourceContext } from "@sandstack/core";

export type TagList = readonly { readonly Key: string; readonly Value: string }[];

/** A template may give a number as text. */
export function numberOf(value: number | string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** A template may give a boolean as text. */
export function booleanOf(value: boolean | string | undefined): boolean | undefined {
  return value === undefined ? undefined : String(value) === "true";
}

/** The stack's tags with the resource's own, which go before. */
export function tagsOf(ctx: ResourceContext, own: TagList | undefined): Record<string, string> {
  return { ...ctx.tags, ...Object.fromEntries((own ?? []).map(({ Key, Value }) => [Key, Value])) };
}
