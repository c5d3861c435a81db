import type { ServiceDefinition } from "@sandstack/core";
import { makeAuthorizer } from "./authorizer.js";
import { iamAccessDenied } from "./errors.js";
import { iamSentences } from "./log-events.js";
import * as operations from "./operations/index.js";
import { emptyIamState, type IamState } from "./state.js";

/** AWS IAM: users, groups, roles, keys and policies of an account, and the say in the door. */
export const iamService: ServiceDefinition<IamState> = {
  id: "iam",
  reach: "account",
  emptyState: emptyIamState,
  operations: Object.values(operations),
  describe: iamSentences,
  accessDenied: iamAccessDenied,
  authorizer: makeAuthorizer,
};
