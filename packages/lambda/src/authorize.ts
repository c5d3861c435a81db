import type { Authorization, Question, ResourceAccess, Scope } from "@sandstack/core";
import { functionArn, functionReference, mappingArn } from "./function-name.js";
import { LATEST } from "./functions.js";
import { policiesOf } from "./policy.js";
import type { LambdaState } from "./state.js";

/** Authorizes an action on the function that `FunctionName` names, wherever it is. */
export function onFunction(action: string): Authorization<LambdaState, { FunctionName: string | undefined; Qualifier?: string | undefined }> {
  return {
    scope: (callScope, { FunctionName }) => functionReference(callScope, FunctionName).scope,
    questions({ state, callScope }, { FunctionName, Qualifier }): Question {
      const { name, arn, qualifier } = functionReference(callScope, FunctionName, Qualifier);
      const fn = state.functions.get(name);
      const resource = qualifier === undefined || qualifier === LATEST ? arn : `${arn}:${qualifier}`;
      return { action, resource, resourcePolicies: fn && policiesOf(fn) };
    },
  };
}

/** The access to a function, whatever its qualifier, for those who ask IAM without a call. Other resources have no policies. */
export function accessTo(state: LambdaState, arn: string): ResourceAccess {
  const [, , , , , type, name = ""] = arn.split(":");
  if (type !== "function") return { policies: [] };
  const fn = state.functions.get(name);
  if (fn === undefined) return { policies: undefined };
  return { policies: policiesOf(fn) };
}

/** Authorizes an action that has no resource of its own. */
export function onAnything<Input>(action: string): Authorization<LambdaState, Input> {
  return { questions: () => ({ action, resource: "*" }) };
}

/** Authorizes an action on a mapping; the function it feeds is the condition key `lambda:FunctionArn`. */
export function onMapping(action: string): Authorization<LambdaState, { UUID: string | undefined }> {
  return {
    questions({ state, scope }, { UUID = "" }): Question {
      return { action, resource: mappingArn(scope, UUID), context: { "lambda:FunctionArn": functionArnOfMapping(state, scope, UUID) } };
    },
  };
}

function functionArnOfMapping(state: LambdaState, scope: Scope, uuid: string): string | undefined {
  const mapping = state.mappings.get(uuid);
  return mapping === undefined ? undefined : functionArn(scope, mapping.functionName);
}
