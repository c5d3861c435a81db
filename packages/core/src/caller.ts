import { simError } from "./errors.js";
import { isPlainObject, shown } from "./options.js";
import type { Scope } from "./scope.js";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Who makes a call, as the user says it. Left out, it is the root of the account called. */
export type Caller =
  | { readonly kind: "arn"; readonly arn: string }
  | { readonly kind: "service"; readonly service: string }
  | { readonly kind: "credentials"; readonly credentials: Credentials }
  | { readonly kind: "anonymous" };

/** @throws SimUnknownCaller for what has none of a caller's forms. Whether there is such a user or role is asked when it calls */
export function checkCaller(caller: unknown): void {
  if (!isCaller(caller)) throw unknownCaller(caller);
}

function isCaller(caller: unknown): caller is Caller {
  if (!isPlainObject(caller)) return false;
  switch (caller["kind"]) {
    case "anonymous":
      return true;
    case "arn":
      return typeof caller["arn"] === "string";
    case "service":
      return typeof caller["service"] === "string";
    case "credentials": {
      const { credentials } = caller;
      return isPlainObject(credentials) && typeof credentials["accessKeyId"] === "string" && typeof credentials["secretAccessKey"] === "string";
    }
    default:
      return false;
  }
}

export function unknownCaller(caller: unknown): Error {
  // What somebody takes for a caller may be real credentials: of objects the members' names are enough.
  const given = !isPlainObject(caller) ? shown(caller) : `an object with ${Object.keys(caller).join(", ") || "no members"}${caller["kind"] === undefined ? "" : ` of the kind ${shown(caller["kind"])}`}`;
  return simError(
    "SimUnknownCaller",
    'A caller is { kind: "arn", arn }, { kind: "service", service }, { kind: "credentials", credentials: { accessKeyId, secretAccessKey, sessionToken } } ' +
      `or { kind: "anonymous" }, and left out it is the account's root; it was given as ${given}.`,
  );
}

/** What may go with a call beside its input. */
export interface CallOptions {
  readonly caller?: Caller | undefined;
  /** The resource on whose behalf a service calls: the condition key `aws:SourceArn`. */
  readonly sourceArn?: string | undefined;
  /** The account of that resource: the condition key `aws:SourceAccount`. */
  readonly sourceAccount?: string | undefined;
}

/** Credentials that the sandbox made so that SDK clients can sign as a caller. */
export interface MintedCredentials {
  readonly credentials: Credentials;
  /** Whom they stand for; `undefined`: nobody named, so the account's root, or whom `runAs` says. */
  readonly caller: Caller | undefined;
  /** The account that is called with them. */
  readonly accountId: string;
}

/** A caller whom IAM has recognised. */
export type Principal =
  | { readonly kind: "root"; readonly accountId: string; readonly arn: string; readonly userId: string }
  | { readonly kind: "user"; readonly accountId: string; readonly arn: string; readonly userId: string; readonly userName: string }
  | {
      readonly kind: "role-session";
      readonly accountId: string;
      /** `arn:aws:sts::<account>:assumed-role/<role>/<session>` */
      readonly arn: string;
      /** `<role id>:<session name>` */
      readonly userId: string;
      readonly roleArn: string;
      readonly roleName: string;
      readonly sessionName: string;
      /** The policies given at AssumeRole, as JSON text: they can only take away. */
      readonly sessionPolicies?: readonly string[] | undefined;
      /** Condition keys the session carries, such as `aws:PrincipalTag/team`. */
      readonly sessionContext?: Readonly<Record<string, string | readonly string[]>> | undefined;
      /** What it signs with, where it was recognised by that: its ARN alone says nothing of its policies and keys. */
      readonly credentials?: Credentials | undefined;
    }
  | { readonly kind: "service"; readonly service: string }
  | { readonly kind: "anonymous" };

/** How a principal is named in texts and records. */
export function principalName(principal: Principal): string {
  switch (principal.kind) {
    case "service":
      return principal.service;
    case "anonymous":
      return "anonymous";
    default:
      return principal.arn;
  }
}

/** The account a principal belongs to; services and strangers belong to none. */
export function accountOf(principal: Principal): string | undefined {
  return principal.kind === "service" || principal.kind === "anonymous" ? undefined : principal.accountId;
}

/** Condition keys with their values; a key that is absent is absent from the request. */
export type ConditionContext = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * What a question without a call takes for the resource's policies: those given with it, or those the world has under its ARN. It may
 * have no such resource, or no word on such resources' policies.
 */
export type PoliciesAre = "given" | "found" | "of-no-resource" | "unknown";

/** One question to IAM: may this principal do this to that? */
export interface AuthorizationRequest {
  readonly principal: Principal;
  /** `sqs:SendMessage` */
  readonly action: string;
  /** The ARN, or `*` for actions without a resource. */
  readonly resource: string;
  /** Whose resource it is. */
  readonly resourceAccountId: string;
  /** The policies on the resource, as JSON text. */
  readonly resourcePolicies?: readonly string[] | undefined;
  /** Where the policies come from, for questions that are asked without a call; left out, they are those of the call's resource. */
  readonly policiesAre?: PoliciesAre | undefined;
  /** True where AWS never opens the action to other accounts, whatever the policies say. */
  readonly ownerOnly?: boolean | undefined;
  readonly region?: string | undefined;
  readonly context?: ConditionContext | undefined;
}

export type DecisionValue = "Allow" | "ExplicitDeny" | "ImplicitDeny";

/** IAM's answer to a request. */
export interface Decision {
  readonly value: DecisionValue;
  readonly isAllowed: boolean;
  readonly isDenied: boolean;
  readonly isExplicitDeny: boolean;
  readonly isImplicitDeny: boolean;
  /** The end of AWS's access-denied message: `because no identity-based policy allows the sqs:sendmessage action`. */
  readonly because: string;
  /** A short text saying which statement decided, or what was missing. */
  explain(): string;
}

/** What the IAM service gives to the door. */
export interface Authorizer {
  /**
   * Recognises a caller.
   *
   * @throws AWS's error for unknown or expired credentials
   */
  resolve(caller: Caller | undefined, scope: Scope): Principal;
  /** The credentials that an access key belongs to, for checking what was signed with them; `undefined` for a key that IAM gave nobody. */
  credentialsOf?(accessKeyId: string): Credentials | undefined;
  authorize(request: AuthorizationRequest): Decision;
}
