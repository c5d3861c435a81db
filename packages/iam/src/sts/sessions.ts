import type { Credentials as CredentialsOutput } from "@aws-sdk/client-sts";
import type { OperationContext } from "@sandstack/core";
import { accessKeyId, secretAccessKey, sessionToken } from "../identifiers.js";
import { MAX_SESSIONS } from "../limits.js";
import type { IamState, Session } from "../state.js";
import { timestamp } from "../timestamps.js";

/** Makes temporary credentials. The oldest go when there are too many. */
export function startSession(ctx: OperationContext<IamState>, of: Session["of"], durationSeconds: number): CredentialsOutput {
  const { state, random, scope, nowMs } = ctx;
  const session: Session = {
    accessKeyId: accessKeyId(random, "ASIA", scope.accountId),
    secret: secretAccessKey(random),
    token: sessionToken(random),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + durationSeconds * 1_000,
    of,
  };
  for (const oldest of state.sessions.keys()) {
    if (state.sessions.size < MAX_SESSIONS) break;
    state.sessions.delete(oldest);
  }
  state.sessions.set(session.accessKeyId, session);
  return { AccessKeyId: session.accessKeyId, SecretAccessKey: session.secret, SessionToken: session.token, Expiration: timestamp(session.expiresAtMs) };
}
