import type { AuthorizationRequest, Principal } from "@sandstack/core";
import { valueInContext, type ConditionKeys, type KeyValue } from "./policy/condition-keys.js";

const PRINCIPAL_TAG = "aws:principaltag/";

/**
 * The condition keys of one request: those the call came with, then the global ones as AWS fills them (IAM User Guide, "AWS
 * global condition context keys"). Nothing is computed before it is asked for.
 */
export class RequestKeys implements ConditionKeys {
  readonly #request: AuthorizationRequest;
  readonly #nowMs: number;
  /** The tags of the user or role. */
  readonly #tags: ReadonlyMap<string, string> | undefined;

  constructor(request: AuthorizationRequest, nowMs: number, tags: ReadonlyMap<string, string> | undefined) {
    this.#request = request;
    this.#nowMs = nowMs;
    this.#tags = tags;
  }

  valueOf(key: string): KeyValue {
    return valueInContext(this.#request.context, key) ?? this.#requestValue(key) ?? this.#principalValue(key, this.#request.principal);
  }

  #requestValue(key: string): KeyValue {
    switch (key) {
      case "aws:securetransport":
        return "true";
      case "aws:currenttime":
        return new Date(this.#nowMs).toISOString();
      case "aws:epochtime":
        return String(Math.floor(this.#nowMs / 1000));
      case "aws:requestedregion":
        return this.#request.region;
      case "aws:resourceaccount":
        return this.#request.resourceAccountId;
      case "aws:viaawsservice":
        return "false";
      default:
        return undefined;
    }
  }

  #principalValue(key: string, principal: Principal): KeyValue {
    if (key === "aws:principalisawsservice") return String(principal.kind === "service");
    switch (principal.kind) {
      case "service":
        return key === "aws:principalservicename" ? principal.service : key === "aws:principalservicenameslist" ? [principal.service] : undefined;
      case "anonymous":
        return key === "aws:sourceip" ? "127.0.0.1" : key === "aws:principaltype" || key === "aws:userid" ? "anonymous" : undefined;
      default:
        return this.#accountPrincipalValue(key, principal);
    }
  }

  #accountPrincipalValue(key: string, principal: Extract<Principal, { accountId: string }>): KeyValue {
    switch (key) {
      case "aws:principalarn":
        return principal.kind === "role-session" ? principal.roleArn : principal.arn;
      case "aws:principalaccount":
        return principal.accountId;
      case "aws:principaltype":
        return PRINCIPAL_TYPE[principal.kind];
      case "aws:userid":
        return principal.userId;
      case "aws:username":
        return principal.kind === "user" ? principal.userName : undefined;
      case "aws:sourceip":
        return "127.0.0.1";
      case "aws:multifactorauthpresent":
        // Present for temporary credentials only.
        return principal.kind === "role-session" ? "false" : undefined;
      default:
        return this.#taggedValue(key, principal);
    }
  }

  #taggedValue(key: string, principal: Principal): KeyValue {
    const carried = principal.kind === "role-session" ? valueInContext(principal.sessionContext, key) : undefined;
    if (carried !== undefined || this.#tags === undefined || !key.startsWith(PRINCIPAL_TAG)) return carried;
    const tagKey = key.slice(PRINCIPAL_TAG.length);
    for (const [name, value] of this.#tags) if (name.toLowerCase() === tagKey) return value;
    return undefined;
  }
}

const PRINCIPAL_TYPE = { root: "Account", user: "User", "role-session": "AssumedRole" } as const;
