import type { FunctionConfiguration, GetFunctionConfigurationCommandInput } from "@aws-sdk/client-lambda";
import { operation } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { functionReference } from "../function-name.js";
import { configurationOf, targetOf } from "../functions.js";
import type { LambdaState } from "../state.js";

/** Gives a function's configuration. @throws ResourceNotFoundException (404) */
export const getFunctionConfiguration = operation<LambdaState, GetFunctionConfigurationCommandInput, FunctionConfiguration>({
  name: "GetFunctionConfiguration",
  authorize: onFunction("lambda:GetFunctionConfiguration"),
  run(ctx, { FunctionName, Qualifier }) {
    const reference = functionReference(ctx.callScope, FunctionName, Qualifier);
    return configurationOf(targetOf(ctx.state, reference).version, { qualifier: reference.qualifier });
  },
});
