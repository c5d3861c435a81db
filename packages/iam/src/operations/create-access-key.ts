import type { CreateAccessKeyRequest, CreateAccessKeyResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onOwnKeys } from "../access-keys.js";
import { iamError } from "../errors.js";
import { userNamed } from "../identities.js";
import { accessKeyId, secretAccessKey } from "../identifiers.js";
import { MAX_ACCESS_KEYS_PER_USER } from "../limits.js";
import type { IamState } from "../state.js";
import { timestamp } from "../timestamps.js";
import { userNameOrOwn } from "../users.js";

/** Makes an access key of a user, or of the one who calls. The secret is told here only. @throws NoSuchEntityException (404), LimitExceededException (409) */
export const createAccessKey = operation<IamState, CreateAccessKeyRequest, CreateAccessKeyResponse>({
  name: "CreateAccessKey",
  authorize: onOwnKeys("iam:CreateAccessKey"),
  run(ctx, input) {
    const { state, scope, random, nowMs } = ctx;
    const user = userNamed(state, userNameOrOwn(ctx, input.UserName));
    const count = [...state.accessKeys.values()].filter(({ userName }) => userName === user.name).length;
    if (count >= MAX_ACCESS_KEYS_PER_USER) throw iamError("LimitExceededException", `Cannot exceed quota for AccessKeysPerUser: ${MAX_ACCESS_KEYS_PER_USER}`);
    const key = { id: accessKeyId(random, "AKIA", scope.accountId), secret: secretAccessKey(random), userName: user.name, isActive: true, createdAtMs: nowMs };
    state.accessKeys.set(key.id, key);
    return { AccessKey: { UserName: user.name, AccessKeyId: key.id, Status: "Active", SecretAccessKey: key.secret, CreateDate: timestamp(nowMs) } };
  },
});
