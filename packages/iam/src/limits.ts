// The numbers AWS sets (IAM User Guide, "IAM and AWS STS quotas"; API references of IAM and STS).

/** Characters in the name of a user, and of a role. */
export const MAX_NAME_LENGTH = { user: 64, role: 64, group: 128, policy: 128 } as const;

/** Managed policies attached to one user, group or role. */
export const MAX_ATTACHED_POLICIES = 10;

/** Groups that one user is in. */
export const MAX_GROUPS_PER_USER = 10;

/** Access keys of one user, active or not. */
export const MAX_ACCESS_KEYS_PER_USER = 2;

/** Versions of one managed policy. */
export const MAX_POLICY_VERSIONS = 5;

/** Tags on one entity. */
export const MAX_TAGS = 50;

/** Characters of a managed policy, white space not counted. */
export const MAX_MANAGED_POLICY_CHARACTERS = 6_144;

/** Characters of all inline policies of one entity, white space not counted. */
export const MAX_INLINE_CHARACTERS = { user: 2_048, group: 5_120, role: 10_240 } as const;

/** Characters of a role's trust policy, white space not counted. */
export const MAX_TRUST_POLICY_CHARACTERS = 2_048;

/** Items of one page of a list, and the most one may ask for. */
export const DEFAULT_PAGE_ITEMS = 100;
export const MAX_PAGE_ITEMS = 1_000;

/** A role's longest session, in seconds: the default and the bounds. */
export const DEFAULT_MAX_SESSION_SECONDS = 3_600;
export const LEAST_MAX_SESSION_SECONDS = 3_600;
export const MOST_SESSION_SECONDS = 43_200;

/** AssumeRole: how long credentials are good for, in seconds. */
export const DEFAULT_SESSION_SECONDS = 3_600;
export const LEAST_SESSION_SECONDS = 900;

/** The longest session of a role that was taken on by a session of a role, in seconds. */
export const MAX_CHAINED_SESSION_SECONDS = 3_600;

/** GetSessionToken: how long credentials are good for, in seconds. */
export const DEFAULT_SESSION_TOKEN_SECONDS = 43_200;
export const MOST_SESSION_TOKEN_SECONDS = 129_600;
export const MOST_ROOT_SESSION_TOKEN_SECONDS = 3_600;

/** The sandbox's own: temporary credentials remembered per account, expired ones included, so that they can be told from unknown ones. */
export const MAX_SESSIONS = 10_000;

/** The sandbox's own: callers whose recognition is remembered. */
export const MAX_KNOWN_CALLERS = 1_000;
