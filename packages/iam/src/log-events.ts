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
  "iam.role.created": sentence<"iam.role.created">(({ principal, roleArn }) => `${principal ?? "somebody"} created the role ${roleArn}`),
  "iam.role.deleted": sentence<"iam.role.deleted">(({ principal, roleArn }) => `${principal ?? "somebody"} deleted the role ${roleArn}`),
  "iam.user.created": sentence<"iam.user.created">(({ principal, userArn }) => `${principal ?? "somebody"} created the user ${userArn}`),
  "iam.user.deleted": sentence<"iam.user.deleted">(({ principal, userArn }) => `${principal ?? "somebody"} deleted the user ${userArn}`),
};

export const stsSentences: Sentences = {
  "sts.role.assumed": sentence<"sts.role.assumed">(
    ({ principal, roleArn, sessionArn, expiresAtMs }) => `${principal ?? "somebody"} took on the role ${roleArn} as ${sessionArn}, until ${new Date(expiresAtMs).toISOString()}`,
  ),
};
