import type { GetAccessKeyInfoRequest, GetAccessKeyInfoResponse } from "@aws-sdk/client-sts";
import { operation } from "@sandstack/core";
import { constraintMessage } from "../../checks.js";
import { validationError } from "../../errors.js";
import { accountOfAccessKey } from "../../identifiers.js";
import { onEverything } from "../../identities.js";
import type { IamState } from "../../state.js";

/** The account that an access key id holds, whether or not the key exists. @throws ValidationError (400) for an id that holds none */
export const getAccessKeyInfo = operation<IamState, GetAccessKeyInfoRequest, GetAccessKeyInfoResponse>({
  name: "GetAccessKeyInfo",
  authorize: onEverything("sts:GetAccessKeyInfo"),
  run(_ctx, { AccessKeyId }) {
    if (AccessKeyId === undefined) throw validationError(constraintMessage("accessKeyId", AccessKeyId, "not be null"), "sts");
    const Account = accountOfAccessKey(AccessKeyId);
    if (Account === undefined) throw validationError(`Invalid access key id: ${AccessKeyId}`, "sts");
    return { Account };
  },
});
