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
      return `${scope.accountId}/${scope.region}`;
    case "account":
      return scope.accountId;
    case "partition":
      return "";
  }
}
