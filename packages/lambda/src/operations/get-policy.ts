import type { GetPolicyCommandInput, GetPolicyResponse } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { functionOf } from "../functions.js";
import { policyText } from "../policy.js";
import type { LambdaState } from "../state.js";

/** Gives a function's resource policy as JSON text. @throws ResourceNotFoundException (404) for an unknown function, and when there is no policy */
export const getPolicy = operation<LambdaState, GetPolicyCommandInput, GetPolicyResponse>({
  name: "GetPolicy",
  authorize: onFunction("lambda:GetPolicy"),
  run(ctx, { FunctionName, Qualifier }) {
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, FunctionName, Qualifier));
    if (fn.policy.length === 0) throw lambdaError("ResourceNotFoundException", "The resource you requested does not exist.");
    return { Policy: policyText(fn.policy), RevisionId: fn.revisionId };
  },
});
