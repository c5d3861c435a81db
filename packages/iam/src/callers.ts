import { parseArn, simError, unknownCaller, type Caller, type Credentials, type Principal, type Scope } from "@sandstack/core";
import { expiredToken, invalidClientToken, signatureDoesNotMatch } from "./errors.js";
import { accountOfAccessKey, idOfUnknown } from "./identifiers.js";
import { MAX_KNOWN_CALLERS } from "./limits.js";
import type { IamState, Role, Session } from "./state.js";

/** The session name of a caller who is given as a role's ARN. */
const UNNAMED_SESSION = "sandstack";

/** What recognising callers needs of the world. */
export interface KnownAccounts {
  stateOf(accountId: string): IamState;
  readonly nowMs: number;
}

/** A user, or a session of a role, as it was when it was recognised: users and roles come and go. */
interface KnownIdentity {
  readonly principal: Principal;
  /** The unique id of the user or role; `undefined` for one that is not there. */
  readonly id: string | undefined;
}

type RoleSessionPrincipal = Extract<Principal, { kind: "role-session" }>;

/** Recognises callers, and remembers them: the hot path makes no objects. */
export class Callers {
  readonly #accounts: KnownAccounts;
  readonly #roots = new Map<string, Principal>();
  readonly #services = new Map<string, Principal>();
  /** By ARN. */
  readonly #identities = new Map<string, KnownIdentity>();
  /** Sessions of roles, by access key. */
  readonly #sessions = new Map<string, Principal>();

  constructor(accounts: KnownAccounts) {
    this.#accounts = accounts;
  }

  /**
   * @throws SimUnknownCaller for an ARN that is of no kind that makes calls
   * @throws InvalidClientTokenId, SignatureDoesNotMatch, ExpiredTokenException for credentials
   */
  resolve(caller: Caller | undefined, scope: Scope): Principal {
    if (caller === undefined) return this.#rootOf(scope.accountId);
    if (caller === null) throw unknownCaller(caller);
    switch (caller.kind) {
      case "anonymous":
        return ANONYMOUS;
      case "service":
        if (typeof caller.service !== "string") throw unknownCaller(caller);
        return remembered(this.#services, caller.service, () => ({ kind: "service", service: caller.service }));
      case "arn":
        if (typeof caller.arn !== "string") throw unknownCaller(caller);
        return this.#ofArn(caller.arn);
      case "credentials":
        if (typeof caller.credentials?.accessKeyId !== "string") throw unknownCaller(caller);
        return this.#ofCredentials(caller.credentials);
      default:
        throw unknownCaller(caller);
    }
  }

  credentialsOf(accessKeyId: string): Credentials | undefined {
    const state = this.#stateOfKey(accessKeyId);
    const session = state?.sessions.get(accessKeyId);
    if (session !== undefined) return { accessKeyId, secretAccessKey: session.secret, sessionToken: session.token };
    const key = state?.accessKeys.get(accessKeyId);
    return key === undefined ? undefined : { accessKeyId, secretAccessKey: key.secret };
  }

  #rootOf(accountId: string): Principal {
    return remembered(this.#roots, accountId, () => ({ kind: "root", accountId, arn: `arn:aws:iam::${accountId}:root`, userId: accountId }));
  }

  #ofArn(arn: string): Principal {
    const known = this.#identities.get(arn);
    if (known !== undefined && this.#idOf(known.principal) === known.id) return known.principal;
    const principal = this.#readArn(arn);
    remember(this.#identities, arn, { principal, id: this.#idOf(principal) });
    return principal;
  }

  /** The unique id of the user or role that a principal is, if it is there. */
  #idOf(principal: Principal): string | undefined {
    if (principal.kind === "user") return this.#accounts.stateOf(principal.accountId).users.get(principal.userName)?.id;
    return principal.kind === "role-session" ? this.#roleOf(principal.accountId, principal.roleName)?.id : undefined;
  }

  #readArn(arn: string): Principal {
    if (/^\d{12}$/.test(arn)) return this.#rootOf(arn);
    const { service, accountId = "", resource = "" } = parseArn(arn) ?? {};
    const [type, ...path] = resource.split("/");
    const name = path.at(-1) ?? "";
    if (/^\d{12}$/.test(accountId)) {
      if (service === "iam" && resource === "root") return this.#rootOf(accountId);
      if (service === "iam" && type === "user" && name !== "") return this.#userPrincipal(accountId, name, arn);
      if (service === "iam" && type === "role" && name !== "") return this.#sessionOf(accountId, name, UNNAMED_SESSION, arn);
      const [roleName, sessionName, ...more] = path;
      if (service === "sts" && type === "assumed-role" && roleName && sessionName && more.length === 0) return this.#sessionOf(accountId, roleName, sessionName);
    }
    throw simError(
      "SimUnknownCaller",
      `The caller "${arn}" is none that makes calls: an ARN of an account's root, a user, a role or a role's session (arn:aws:sts::<account>:assumed-role/<role>/<session>), or an account's id.`,
    );
  }

  #sessionOf(accountId: string, roleName: string, sessionName: string, givenRoleArn = `arn:aws:iam::${accountId}:role/${roleName}`): RoleSessionPrincipal {
    const role = this.#roleOf(accountId, roleName);
    const roleArn = role?.arn ?? givenRoleArn;
    return roleSession(accountId, { roleName, roleArn, roleId: role?.id ?? idOfUnknown("role", roleArn), sessionName });
  }

  #roleOf(accountId: string, roleName: string): Role | undefined {
    return this.#accounts.stateOf(accountId).roles.get(roleName);
  }

  #userPrincipal(accountId: string, userName: string, arn: string): Principal {
    const userId = this.#accounts.stateOf(accountId).users.get(userName)?.id ?? idOfUnknown("user", arn);
    return { kind: "user", accountId, arn, userId, userName };
  }

  #ofCredentials({ accessKeyId, secretAccessKey, sessionToken }: Credentials): Principal {
    const accountId = accountOfAccessKey(accessKeyId);
    const state = this.#stateOfKey(accessKeyId);
    if (accountId === undefined || state === undefined) throw invalidClientToken();
    const session = state.sessions.get(accessKeyId);
    if (session !== undefined) {
      if (session.token !== sessionToken) throw invalidClientToken();
      if (session.secret !== secretAccessKey) throw signatureDoesNotMatch();
      if (this.#accounts.nowMs >= session.expiresAtMs) throw expiredToken();
      return this.#ofSession(accountId, session);
    }
    const key = state.accessKeys.get(accessKeyId);
    if (key === undefined || !key.isActive || sessionToken !== undefined) throw invalidClientToken();
    if (key.secret !== secretAccessKey) throw signatureDoesNotMatch();
    return this.#ofUser(accountId, key.userName);
  }

  #ofSession(accountId: string, { accessKeyId, secret, token, of }: Session): Principal {
    if (of.kind === "root") return this.#rootOf(accountId);
    if (of.kind === "user") return this.#ofUser(accountId, of.userName);
    return remembered(this.#sessions, accessKeyId, () => ({ ...roleSession(accountId, of, of.policies, of.context), credentials: { accessKeyId, secretAccessKey: secret, sessionToken: token } }));
  }

  #ofUser(accountId: string, userName: string): Principal {
    const user = this.#accounts.stateOf(accountId).users.get(userName);
    // A user is deleted after its keys, yet GetSessionToken's credentials may outlive it.
    if (user === undefined) throw invalidClientToken();
    return this.#ofArn(user.arn);
  }

  #stateOfKey(accessKeyId: string): IamState | undefined {
    const accountId = accountOfAccessKey(accessKeyId);
    return accountId === undefined ? undefined : this.#accounts.stateOf(accountId);
  }
}

const ANONYMOUS: Principal = { kind: "anonymous" };

function roleSession(
  accountId: string,
  { roleName, roleArn, roleId, sessionName }: { roleName: string; roleArn: string; roleId: string; sessionName: string },
  sessionPolicies?: readonly string[],
  sessionContext?: Readonly<Record<string, string>>,
): RoleSessionPrincipal {
  const arn = `arn:aws:sts::${accountId}:assumed-role/${roleName}/${sessionName}`;
  return { kind: "role-session", accountId, arn, userId: `${roleId}:${sessionName}`, roleArn, roleName, sessionName, sessionPolicies, sessionContext };
}

function remembered(known: Map<string, Principal>, key: string, make: () => Principal): Principal {
  const found = known.get(key);
  if (found !== undefined) return found;
  const principal = make();
  remember(known, key, principal);
  return principal;
}

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  if (known.size >= MAX_KNOWN_CALLERS) known.clear();
  known.set(key, value);
}
