import type { CreateFunctionCommandInput, FunctionConfiguration } from "@aws-sdk/client-lambda";
import { operation, simError, uuid } from "@sandstack/core";
import { onFunction } from "../authorize.js";
import { readCode } from "../code.js";
import { invalidParameter, lambdaError } from "../errors.js";
import { functionArn, newFunctionName } from "../function-name.js";
import { configurationOf, keptMembers, LATEST } from "../functions.js";
import { DEFAULT_MEMORY_MEGABYTES, DEFAULT_TIMEOUT_SECONDS } from "../limits.js";
import { checkDeadLetterRole, checkExecutionRole } from "../role.js";
import type { FunctionState, LambdaState } from "../state.js";
import { checkConfiguration, checkGiven } from "../validation.js";
import { publishVersionOf } from "../versions.js";

/**
 * Creates a function. The answer says `Pending`, as AWS's does; it can be invoked at once, and any later look finds it `Active`.
 *
 * Code: real zip bytes, an in-process handler (`makeLambdaZipFileInput`), or a published asset by bucket and key.
 * An in-process handler needs no `Runtime` and `Handler`. Any runtime of AWS's families is accepted; invocations of functions
 * that are not Node.js's fail, saying so. `Publish: true` publishes version 1.
 *
 * @throws ResourceConflictException (409) when the function exists
 * @throws InvalidParameterValueException (400) for bad code, a role that Lambda cannot assume, reserved environment variables
 * @throws ValidationException (400) for values outside their range or pattern
 */
export const createFunction = operation<LambdaState, CreateFunctionCommandInput, FunctionConfiguration>({
  name: "CreateFunction",
  httpStatusCode: 201,
  authorize: onFunction("lambda:CreateFunction"),
  run(ctx, input) {
    const name = newFunctionName(ctx.callScope, input.FunctionName);
    checkGiven("role", input.Role);
    checkGiven("code", input.Code);
    checkConfiguration(input);
    if (input.PackageType === "Image") throw simError("SimUnsupported", `The sandbox runs functions from zip archives; ${name} has PackageType Image. Bind it to an in-process handler instead.`);
    const code = readCode(ctx.assets, input.Code);
    if (code.kind === "archive" && (input.Runtime === undefined || input.Handler === undefined)) {
      throw invalidParameter("Runtime and Handler are mandatory parameters for functions created with deployment packages.");
    }
    if (ctx.state.functions.has(name)) throw lambdaError("ResourceConflictException", `Function already exist: ${name}`);
    const roleArn = input.Role!; // checked above
    checkExecutionRole(ctx, roleArn);
    const deadLetterTargetArn = input.DeadLetterConfig?.TargetArn || undefined;
    if (deadLetterTargetArn !== undefined) checkDeadLetterRole(ctx, { roleArn, name }, deadLetterTargetArn);

    const revisionId = uuid(ctx.random);
    const fn: FunctionState = {
      name,
      arn: functionArn(ctx.scope, name),
      version: LATEST,
      runtime: input.Runtime ?? "nodejs22.x",
      handler: input.Handler ?? "index.handler",
      roleArn,
      description: input.Description ?? "",
      timeoutSeconds: input.Timeout ?? DEFAULT_TIMEOUT_SECONDS,
      memorySizeMegabytes: input.MemorySize ?? DEFAULT_MEMORY_MEGABYTES,
      environment: input.Environment === undefined ? undefined : { ...input.Environment.Variables },
      deadLetterTargetArn,
      kept: keptMembers(input),
      code,
      tags: { ...input.Tags },
      policies: new Map(),
      versions: new Map(),
      lastPublished: undefined,
      aliases: new Map(),
      reservedConcurrency: undefined,
      runningCount: 0,
      changeId: revisionId,
      revisionId,
      modifiedAtMs: ctx.nowMs,
    };
    ctx.state.functions.set(name, fn);
    ctx.record({ kind: "lambda.function.created", functionArn: fn.arn });
    // AWS answers the version that was published, under the ARN of the function.
    return configurationOf(input.Publish === true ? publishVersionOf(ctx, fn) : fn, { transition: "creating" });
  },
});
