import type { ServiceDefinition } from "@sandstack/core";
import { accessTo } from "./roles.js";
import { makeAuthorizer } from "./authorizer.js";
import { iamAccessDenied } from "./errors.js";
import { iamSentences } from "./log-events.js";
import * as operations from "./operations/index.js";
import { accessKey } from "./resources/access-key.js";
import { group } from "./resources/group.js";
import { managedPolicy } from "./resources/managed-policy.js";
import { policy } from "./resources/policy.js";
import { role } from "./resources/role.js";
import { user } from "./resources/user.js";
import { userToGroupAddition } from "./resources/user-to-group-addition.js";
import { emptyIamState, type IamState } from "./state.js";

/** AWS IAM: users, groups, roles, keys and policies of an account, and the say in the door. */
export const iamService: ServiceDefinition<IamState> = {
  id: "iam",
  reach: "account",
  wire: { protocols: ["awsQuery"], queryVersion: "2010-05-08", xmlNamespace: "https://iam.amazonaws.com/doc/2010-05-08/" },
  emptyState: emptyIamState,
  operations: Object.values(operations),
  resourceTypes: [role, policy, managedPolicy, user, group, accessKey, userToGroupAddition],
  describe: iamSentences,
  accessTo,
  accessDenied: iamAccessDenied,
  authorizer: makeAuthorizer,
};
