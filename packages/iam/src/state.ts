/** What IAM and STS remember of an account. */
export interface IamState {
  /** By name. */
  readonly users: Map<string, User>;
  readonly groups: Map<string, Group>;
  readonly roles: Map<string, Role>;
  /** The account's own managed policies, by ARN. */
  readonly policies: Map<string, ManagedPolicy>;
  /** By access key id. */
  readonly accessKeys: Map<string, AccessKey>;
  /** Temporary credentials, by access key id; the newest `MAX_SESSIONS`. */
  readonly sessions: Map<string, Session>;
}

export function emptyIamState(): IamState {
  return { users: new Map(), groups: new Map(), roles: new Map(), policies: new Map(), accessKeys: new Map(), sessions: new Map() };
}

/** What users, groups and roles have in common. */
export interface Identity {
  readonly name: string;
  /** Begins and ends with a slash. */
  readonly path: string;
  /** The unique id: `AIDA…`, `AGPA…`, `AROA…`. */
  readonly id: string;
  readonly arn: string;
  readonly createdAtMs: number;
  /** JSON texts by policy name. */
  readonly inlinePolicies: Map<string, string>;
  readonly attachedPolicyArns: string[];
}

export interface User extends Identity {
  readonly tags: Map<string, string>;
  readonly groupNames: string[];
  permissionsBoundaryArn?: string;
}

export type Group = Identity;

export interface Role extends Identity {
  readonly tags: Map<string, string>;
  /** Who may take the role on, as JSON text. */
  trustPolicy: string;
  description?: string;
  maxSessionDurationSeconds: number;
  permissionsBoundaryArn?: string;
  lastUsedAtMs?: number;
  lastUsedRegion?: string;
}

export interface ManagedPolicy {
  readonly name: string;
  readonly path: string;
  /** `ANPA…` */
  readonly id: string;
  readonly arn: string;
  readonly description?: string;
  readonly createdAtMs: number;
  updatedAtMs: number;
  readonly tags: Map<string, string>;
  /** By version id (`v1`), oldest first. */
  readonly versions: Map<string, PolicyVersion>;
  defaultVersionId: string;
  /** Counts up: the number of a deleted version is not given again. */
  lastVersionNumber: number;
}

export interface PolicyVersion {
  /** JSON text. */
  readonly document: string;
  readonly createdAtMs: number;
}

export interface AccessKey {
  readonly id: string;
  readonly secret: string;
  readonly userName: string;
  isActive: boolean;
  readonly createdAtMs: number;
}

/** Temporary credentials of a role's session, or of a user (GetSessionToken). */
export interface Session {
  readonly accessKeyId: string;
  readonly secret: string;
  readonly token: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly of: { readonly kind: "user"; readonly userName: string } | { readonly kind: "root" } | RoleSession;
}

export interface RoleSession {
  readonly kind: "role";
  readonly roleName: string;
  readonly roleArn: string;
  readonly roleId: string;
  readonly sessionName: string;
  /** Policies given at AssumeRole, as JSON texts. */
  readonly policies: readonly string[];
  /** Condition keys the session carries: tags, source identity. */
  readonly context: Readonly<Record<string, string>>;
}
