import type { CallContext, Question } from "@sandstack/core";
import { iamError } from "./errors.js";
import { onIdentity } from "./identities.js";
import type { AccessKey, IamState } from "./state.js";
import { ownUserName } from "./users.js";

/** A user's key. @throws NoSuchEntityException */
export function accessKeyOf(state: IamState, userName: string, id: string | undefined): AccessKey {
  const key = state.accessKeys.get(id ?? "");
  if (key === undefined || key.userName !== userName) throw iamError("NoSuchEntityException", `The Access Key with id ${id ?? ""} cannot be found.`);
  return key;
}

/** Asks about an action on the keys of a user, or of the one who calls. */
export function onOwnKeys(action: string) {
  const onUser = onIdentity<{ UserName?: string | undefined }>(action, "user", ({ UserName }) => UserName);
  return {
    questions: (call: CallContext<IamState>, { UserName = ownUserName(call.caller) }: { UserName?: string | undefined }): Question => onUser.questions(call, { UserName }),
  };
}
