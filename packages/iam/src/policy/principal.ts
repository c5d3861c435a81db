import { isJsonObject, textsOf } from "./document.js";

/** Who makes a request, as policies see it. */
export interface PolicyPrincipal {
  readonly type: "root" | "user" | "session" | "role" | "service" | "federated" | "canonical" | "anonymous";
  /** A user's, a session's or a root's ARN; a service's name; an identity provider's ARN or host; a canonical user's id; empty for the anonymous. */
  readonly arn: string;
  /** Services and strangers have none. */
  readonly account?: string | undefined;
  /** A session's role. */
  readonly roleArn?: string | undefined;
  /** The unique id (`AIDA…`, `AROA…:session`), which policies may name in place of an ARN. */
  readonly userId?: string | undefined;
}

/** A `Principal` or `NotPrincipal` element, ready to be compared. */
export interface CompiledPrincipals {
  /** `"*"`, or `{ "AWS": "*" }`, which mean the same in AWS's evaluation. */
  readonly isAnyone: boolean;
  /** Account ids, also those written as the ARN of an account's root. */
  readonly accounts: ReadonlySet<string>;
  /** ARNs and unique ids of users, roles and sessions. */
  readonly identities: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
  readonly isAnyService: boolean;
  readonly federated: ReadonlySet<string>;
  readonly canonicalUsers: ReadonlySet<string>;
}

const ACCOUNT_ROOT = /^arn:[^:]+:iam::(\d{12}):root$/;
const ACCOUNT_ID = /^\d{12}$/;

export function compilePrincipals(element: unknown): CompiledPrincipals {
  const byType = isJsonObject(element) ? element : { AWS: element };
  const aws = textsOf(byType["AWS"]);
  const services = textsOf(byType["Service"]);
  const accounts = new Set<string>();
  const identities = new Set<string>();
  for (const text of aws) {
    const accountId = ACCOUNT_ROOT.exec(text)?.[1] ?? (ACCOUNT_ID.test(text) ? text : undefined);
    if (accountId !== undefined) accounts.add(accountId);
    else identities.add(text);
  }
  return {
    isAnyone: identities.delete("*"),
    accounts,
    identities,
    services: new Set(services),
    isAnyService: services.includes("*"),
    federated: new Set(textsOf(byType["Federated"])),
    canonicalUsers: new Set(textsOf(byType["CanonicalUser"])),
  };
}

/**
 * How closely a `Principal` element means a principal, which decides what else must allow the request:
 * - `named`: the user, the session, the service or everyone. What it is granted, no boundary and no session policy limits.
 * - `role`: the session's role. A boundary and session policies limit it.
 * - `account`: the whole account. It delegates to the account's own policies and grants nothing by itself.
 *
 * (IAM User Guide, "Policy evaluation logic".)
 */
export type PrincipalMatch = "named" | "role" | "account" | undefined;

export function matchPrincipal(principals: CompiledPrincipals, principal: PolicyPrincipal): PrincipalMatch {
  if (principals.isAnyone) return "named";
  switch (principal.type) {
    case "service":
      return principals.isAnyService || principals.services.has(principal.arn) ? "named" : undefined;
    case "federated":
      return principals.federated.has(principal.arn) ? "named" : undefined;
    case "canonical":
      return principals.canonicalUsers.has(principal.arn) ? "named" : undefined;
    case "anonymous":
      return undefined;
    default:
      return matchAwsPrincipal(principals, principal);
  }
}

function matchAwsPrincipal({ identities, accounts }: CompiledPrincipals, { type, arn, userId, roleArn, account }: PolicyPrincipal): PrincipalMatch {
  if (identities.size > 0) {
    if (type !== "role" && (identities.has(arn) || (userId !== undefined && identities.has(userId)))) return "named";
    const role = type === "role" ? arn : roleArn;
    if (role !== undefined && (identities.has(role) || identities.has(roleIdOf(userId)))) return "role";
  }
  return account !== undefined && accounts.has(account) ? "account" : undefined;
}

/** A session's user id is `<role id>:<session name>`. */
function roleIdOf(userId: string | undefined): string {
  return userId?.split(":", 1)[0] ?? "";
}

/**
 * Whether a `NotPrincipal` element spares a principal: it must name it and all that it acts through, a session's role and the
 * account (IAM User Guide, "AWS JSON policy elements: NotPrincipal").
 */
export function isSpared(principals: CompiledPrincipals, principal: PolicyPrincipal): boolean {
  if (principals.isAnyone) return true;
  const { type, account, arn, roleArn } = principal;
  if (type === "service" || type === "federated" || type === "canonical" || type === "anonymous") return matchPrincipal(principals, principal) !== undefined;
  if (account === undefined || !principals.accounts.has(account)) return false;
  if (type === "root") return true;
  return principals.identities.has(arn) && (roleArn === undefined || roleArn === arn || principals.identities.has(roleArn));
}
