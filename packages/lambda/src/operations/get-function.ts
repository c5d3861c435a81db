import type { GetFunctionCommandInput, GetFunctionResponse } from "@aws-sdk/client-lambda";
import { operation, urlSuffixOf } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { functionReference } from "../function-name.js";
import { configurationOf, targetOf } from "../functions.js";
import type { LambdaState } from "../state.js";

/**
 * Gives a function's configuration, its code's place, its tags and its reserved concurrency.
 * `Code.Location` reads as on AWS; nothing is served there.
 *
 * @throws ResourceNotFoundException (404)
 */
export const getFunction = operation<LambdaState, GetFunctionCommandInput, GetFunctionResponse>({
  name: "GetFunction",
  authorize: onFunction("lambda:GetFunction"),
  run(ctx, { FunctionName, Qualifier }) {
    const reference = functionReference(ctx.callScope, FunctionName, Qualifier);
    const { region, accountId } = reference.scope;
    const { fn, version } = targetOf(ctx.state, reference);
    return {
      Configuration: configurationOf(version, { qualifier: reference.qualifier }),
      Code: { RepositoryType: "S3", Location: `https://awslambda-${region}-tasks.s3.${region}.${urlSuffixOf(region)}/snapshots/${accountId}/${fn.name}-${version.revisionId}` },
      ...(Object.keys(fn.tags).length === 0 ? {} : { Tags: { ...fn.tags } }),
      ...(fn.reservedConcurrency === undefined ? {} : { Concurrency: { ReservedConcurrentExecutions: fn.reservedConcurrency } }),
    };
  },
});
