import type { Concurrency, DeleteFunctionConcurrencyCommandInput, GetFunctionConcurrencyCommandInput, PutFunctionConcurrencyCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { invalidParameter } from "../errors.js";
import { functionReference } from "../function-name.js";
import { functionOf } from "../functions.js";
import { concurrencyFreed } from "../mapping-runner.js";
import type { LambdaState } from "../state.js";
import { checkGiven, checkRange } from "../validation.js";

/** Bounds how many invocations of a function run at once; further ones are refused with TooManyRequestsException, and the batches of mappings throttled. @throws ResourceNotFoundException (404) */
export const putFunctionConcurrency = operation<LambdaState, PutFunctionConcurrencyCommandInput, Concurrency>({
  name: "PutFunctionConcurrency",
  authorize: onFunction("lambda:PutFunctionConcurrency"),
  run(ctx, { FunctionName, ReservedConcurrentExecutions }) {
    checkGiven("reservedConcurrentExecutions", ReservedConcurrentExecutions);
    checkRange("reservedConcurrentExecutions", ReservedConcurrentExecutions, 0, Number.MAX_SAFE_INTEGER);
    const reference = functionReference(ctx.callScope, FunctionName);
    if (reference.qualifier !== undefined) {
      throw invalidParameter("This operation is permitted on Lambda functions only. Aliases and versions do not support this operation. Please specify either a function name or an unqualified function ARN.");
    }
    const fn = functionOf(ctx.state, reference);
    fn.reservedConcurrency = ReservedConcurrentExecutions;
    concurrencyFreed(ctx, { functionName: fn.name });
    return { ReservedConcurrentExecutions };
  },
});

/** Gives a function's bound, if it has one. @throws ResourceNotFoundException (404) */
export const getFunctionConcurrency = operation<LambdaState, GetFunctionConcurrencyCommandInput, Concurrency>({
  name: "GetFunctionConcurrency",
  authorize: onFunction("lambda:GetFunctionConcurrency"),
  run(ctx, { FunctionName }) {
    const { reservedConcurrency } = functionOf(ctx.state, functionReference(ctx.callScope, FunctionName));
    return reservedConcurrency === undefined ? {} : { ReservedConcurrentExecutions: reservedConcurrency };
  },
});

/** Takes a function's bound away. @throws ResourceNotFoundException (404) */
export const deleteFunctionConcurrency = operation<LambdaState, DeleteFunctionConcurrencyCommandInput, void>({
  name: "DeleteFunctionConcurrency",
  httpStatusCode: 204,
  authorize: onFunction("lambda:DeleteFunctionConcurrency"),
  run(ctx, { FunctionName }) {
    const fn = functionOf(ctx.state, functionReference(ctx.callScope, FunctionName));
    fn.reservedConcurrency = undefined;
    concurrencyFreed(ctx, { functionName: fn.name });
  },
});
