import type { GetPolicyCommandInput, GetPolicyResponse } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { lambdaError } from "../errors.js";
import { functionReference } from "../function-name.js";
import { policyHolderOf, policyText } from "../policy.js";
import type { LambdaState } from "../state.js";

/** Gives the resource policy of a function, a version or an alias as JSON text. @throws ResourceNotFoundException (404) for an unknown function, and when there is no policy */
export const getPolicy = operation<LambdaState, GetPolicyCommandInput, GetPolicyResponse>({
  name: "GetPolicy",
  authorize: onFunction("lambda:GetPolicy"),
  run(ctx, { FunctionName, Qualifier }) {
    const { fn, key, revised } = policyHolderOf(ctx.state, functionReference(ctx.callScope, FunctionName, Qualifier));
    const statements = fn.policies.get(key);
    if (statements === undefined) throw lambdaError("ResourceNotFoundException", "The resource you requested does not exist.");
    return { Policy: policyText(statements), RevisionId: revised.revisionId };
  },
});
