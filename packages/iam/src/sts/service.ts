import type { ServiceDefinition } from "@sandstack/core";
import { stsAccessDenied } from "../errors.js";
import { stsSentences } from "../log-events.js";
import { emptyIamState, type IamState } from "../state.js";
import * as operations from "./operations/index.js";

/** AWS STS: works on IAM's roles, keys and sessions. */
export const stsService: ServiceDefinition<IamState> = {
  id: "sts",
  reach: "account",
  sharesStateWith: "iam",
  wire: { protocols: ["awsQuery"], queryVersion: "2011-06-15", xmlNamespace: "https://sts.amazonaws.com/doc/2011-06-15/" },
  emptyState: emptyIamState,
  operations: Object.values(operations),
  describe: stsSentences,
  accessDenied: stsAccessDenied,
};
