import type { GetSessionTokenRequest, GetSessionTokenResponse } from "@aws-sdk/client-sts";
import { operation } from "@sandstack/core";
import { constraintMessage } from "../../checks.js";
import { stsAccessError, validationError } from "../../errors.js";
import { DEFAULT_SESSION_TOKEN_SECONDS, LEAST_SESSION_SECONDS, MOST_ROOT_SESSION_TOKEN_SECONDS, MOST_SESSION_TOKEN_SECONDS } from "../../limits.js";
import type { IamState } from "../../state.js";
import { startSession } from "../sessions.js";

/**
 * Temporary credentials of the user who calls, or of the root, whose last an hour at most. It needs no permission.
 *
 * @throws AccessDenied (403) for sessions, which have temporary credentials already
 */
export const getSessionToken = operation<IamState, GetSessionTokenRequest, GetSessionTokenResponse>({
  name: "GetSessionToken",
  run(ctx, { DurationSeconds: seconds = DEFAULT_SESSION_TOKEN_SECONDS }) {
    const { caller } = ctx;
    if (seconds < LEAST_SESSION_SECONDS) throw validationError(constraintMessage("durationSeconds", seconds, `have value greater than or equal to ${LEAST_SESSION_SECONDS}`), "sts");
    if (seconds > MOST_SESSION_TOKEN_SECONDS) throw validationError(constraintMessage("durationSeconds", seconds, `have value less than or equal to ${MOST_SESSION_TOKEN_SECONDS}`), "sts");
    if (caller.kind === "user") return { Credentials: startSession(ctx, { kind: "user", userName: caller.userName }, seconds) };
    if (caller.kind === "root") return { Credentials: startSession(ctx, { kind: "root" }, Math.min(seconds, MOST_ROOT_SESSION_TOKEN_SECONDS)) };
    throw stsAccessError("Cannot call GetSessionToken with session credentials");
  },
});
