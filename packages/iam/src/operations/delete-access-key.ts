import type { DeleteAccessKeyRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { accessKeyOf, onOwnKeys } from "../access-keys.js";
import { userNamed } from "../identities.js";
import type { IamState } from "../state.js";
import { userNameOrOwn } from "../users.js";

/** Deletes an access key; calls signed with it fail from now on. @throws NoSuchEntityException (404) */
export const deleteAccessKey = operation<IamState, DeleteAccessKeyRequest, void>({
  name: "DeleteAccessKey",
  authorize: onOwnKeys("iam:DeleteAccessKey"),
  run(ctx, { UserName, AccessKeyId }) {
    const user = userNamed(ctx.state, userNameOrOwn(ctx, UserName));
    ctx.state.accessKeys.delete(accessKeyOf(ctx.state, user.name, AccessKeyId).id);
  },
});
