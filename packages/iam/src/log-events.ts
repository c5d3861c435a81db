import type { LogEventKind, LogRecord } from "@sandstack/core";

declare module "@sandstack/core" {
  interface LogEvents {
    "iam.role.created": { roleArn: string };
    "iam.role.deleted": { roleArn: string };
    "iam.user.created": { userArn: string };
    "iam.user.deleted": { userArn: string };
    /** A role was taken on: temporary credentials were made. */
    "sts.role.assumed": { roleArn: string; sessionArn: string; expiresAtMs: number };
  }
}

type Sentences = { readonly [Kind in LogEventKind]?: (record: LogRecord) => string };

function sentence<Kind extends LogEventKind>(tell: (record: Extract<LogRecord, { kind: Kind }>) => string): (record: LogRecord) => string {
  return (record) => tell(record as Extract<LogRecord, { kind: Kind }>); // the log asks each sentence about its own kind only
}

export const iamSentences: Sentences = {
  "iam.role.created": sentence<"iam.role.created">(({ principal, roleArn }) => `Role ${roleArn} was created${by(principal)}.`),
  "iam.role.deleted": sentence<"iam.role.deleted">(({ principal, roleArn }) => `Role ${roleArn} was deleted${by(principal)}.`),
  "iam.user.created": sentence<"iam.user.created">(({ principal, userArn }) => `User ${userArn} was created${by(principal)}.`),
  "iam.user.deleted": sentence<"iam.user.deleted">(({ principal, userArn }) => `User ${userArn} was deleted${by(principal)}.`),
};

export const stsSentences: Sentences = {
  "sts.role.assumed": sentence<"sts.role.assumed">(
    ({ principal, roleArn, sessionArn, expiresAtMs }) => `Role ${roleArn} was taken on${by(principal)}, as ${sessionArn}, until ${new Date(expiresAtMs).toISOString()}.`,
  ),
};

function by(principal: string | undefined): string {
  return principal === undefined ? "" : ` by ${principal}`;
}
