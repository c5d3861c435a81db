import type { GetUserRequest, GetUserResponse, User as UserOutput } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onIdentity, userNamed } from "../identities.js";
import type { IamState } from "../state.js";
import { ownUserName, userDetails, userNameOrOwn } from "../users.js";

const onUser = onIdentity<GetUserRequest>("iam:GetUser", "user", ({ UserName }) => UserName);

/** A user; without a name the one who calls. @throws NoSuchEntityException (404), ValidationError when a session names nobody */
export const getUser = operation<IamState, GetUserRequest, GetUserResponse>({
  name: "GetUser",
  authorize: { questions: (call, { UserName = ownUserName(call.caller) }) => onUser.questions(call, { UserName }) },
  run(ctx, { UserName }) {
    const { caller, state } = ctx;
    if (UserName === undefined && caller.kind === "root") {
      // AWS describes the root as a user without a name.
      return { User: { UserId: caller.userId, Arn: caller.arn, CreateDate: new Date(0) } as UserOutput };
    }
    return { User: userDetails(userNamed(state, userNameOrOwn(ctx, UserName))) };
  },
});
