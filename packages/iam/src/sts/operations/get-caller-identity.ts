import type { GetCallerIdentityRequest, GetCallerIdentityResponse } from "@aws-sdk/client-sts";
import { accountOf, operation, principalName } from "@sandstack/core";
import { missingAuthenticationToken } from "../../errors.js";
import type { IamState } from "../../state.js";

/**
 * Who calls. It needs no permission, and an explicit deny does not refuse it (STS API reference).
 *
 * @throws MissingAuthenticationToken (403) for the anonymous
 */
export const getCallerIdentity = operation<IamState, GetCallerIdentityRequest, GetCallerIdentityResponse>({
  name: "GetCallerIdentity",
  run({ caller, scope }) {
    if (caller.kind === "anonymous") throw missingAuthenticationToken();
    const Account = accountOf(caller) ?? scope.accountId;
    return { UserId: "userId" in caller ? caller.userId : principalName(caller), Account, Arn: principalName(caller) };
  },
});
