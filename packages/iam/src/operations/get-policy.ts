import type { GetPolicyRequest, GetPolicyResponse } from "@aws-sdk/client-iam";
import { operation } from "@sandstack/core";
import { onPolicy, policyDetails, policyWithArn } from "../policies.js";
import type { IamState } from "../state.js";

/** A managed policy, the account's own or AWS's, without its document. @throws NoSuchEntityException (404) */
export const getPolicy = operation<IamState, GetPolicyRequest, GetPolicyResponse>({
  name: "GetPolicy",
  authorize: onPolicy("iam:GetPolicy"),
  run: ({ state }, { PolicyArn }) => ({ Policy: policyDetails(state, policyWithArn(state, PolicyArn)) }),
});
