import type { UpdateAccessKeyRequest } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { accessKeyOf, onOwnKeys } from "../access-keys.js";
import { constraintMessage } from "../checks.js";
import { validationError } from "../errors.js";
import { userNamed } from "../identities.js";
import type { IamState } from "../state.js";
import { userNameOrOwn } from "../users.js";

/** Makes a key active or not; an inactive one is as if it were not there. @throws NoSuchEntityException (404), ValidationError (400) */
export const updateAccessKey = operation<IamState, UpdateAccessKeyRequest, void>({
  name: "UpdateAccessKey",
  authorize: onOwnKeys("iam:UpdateAccessKey"),
  run(ctx, { UserName, AccessKeyId, Status }) {
    const user = userNamed(ctx.state, userNameOrOwn(ctx, UserName));
    const key = accessKeyOf(ctx.state, user.name, AccessKeyId);
    if (Status !== "Active" && Status !== "Inactive") throw validationError(constraintMessage("status", Status, "satisfy enum value set: [Active, Inactive]"));
    key.isActive = Status === "Active";
  },
});
