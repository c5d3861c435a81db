/** Where a resource lives or a call is made: one account and one region. */
export interface Scope {
  /** Twelve digits. */
  readonly accountId: string;
  /** For example `us-east-1`. */
  readonly region: string;
}

/** How far one copy of a service's state reaches: one per account and region, one per account, or one for all. */
export type Reach = "region" | "account" | "partition";

/** The key under which a service's state for `scope` is kept. */
export function scopeKey(reach: Reach, scope: Scope): string {
  switch (reach) {
    case "region":
      return regionKey(scope);
    case "account":
      return scope.accountId;
    case "partition":
      return "";
  }
}

/** How many accounts' keys are kept before all are forgotten. */
const KEPT_ACCOUNTS = 1_000;

/**
 * Keys by account and region. Every call asks for several, and a text joined anew is hashed anew where it is looked up by:
 * kept, they take a quarter of the time.
 */
const regionKeys = new Map<string, Map<string, string>>();

function regionKey({ accountId, region }: Scope): string {
  let keys = regionKeys.get(accountId);
  if (keys === undefined) {
    if (regionKeys.size >= KEPT_ACCOUNTS) regionKeys.clear();
    regionKeys.set(accountId, (keys = new Map()));
  }
  let key = keys.get(region);
  if (key === undefined) keys.set(region, (key = `${accountId}/${region}`));
  return key;
}
