import type { ListAccessKeysRequest, ListAccessKeysResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onOwnKeys } from "../access-keys.js";
import { userNamed } from "../identities.js";
import { pageOf } from "../paging.js";
import type { IamState } from "../state.js";
import { timestamp } from "../timestamps.js";
import { userNameOrOwn } from "../users.js";

/** The access keys of a user, or of the one who calls, without their secrets. @throws NoSuchEntityException (404) */
export const listAccessKeys = operation<IamState, ListAccessKeysRequest, ListAccessKeysResponse>({
  name: "ListAccessKeys",
  authorize: onOwnKeys("iam:ListAccessKeys"),
  run(ctx, input) {
    const user = userNamed(ctx.state, userNameOrOwn(ctx, input.UserName));
    const keys = [...ctx.state.accessKeys.values()].filter(({ userName }) => userName === user.name);
    const { items, more } = pageOf(keys, input);
    const AccessKeyMetadata = items.map(({ id, userName, isActive, createdAtMs }) => ({
      UserName: userName,
      AccessKeyId: id,
      Status: isActive ? ("Active" as const) : ("Inactive" as const),
      CreateDate: timestamp(createdAtMs),
    }));
    return { AccessKeyMetadata, ...more };
  },
});
