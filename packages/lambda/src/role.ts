import { isAwsError, parseArn, type Caller, type OperationContext, type ServiceContext } from "@sandstack/core";
import { invalidParameter, lambdaError } from "./errors.js";
import { queueUrlOf } from "./queue-url.js";
import type { FunctionVersion, LambdaState } from "./state.js";

const LAMBDA_PRINCIPAL = "lambda.amazonaws.com";

/** STS takes no shorter name for a session. */
const LEAST_SESSION_NAME_CHARACTERS = 2;

/** A function's session of its execution role: the caller that polls, deletes and sends for the function. */
export function roleCaller({ roleArn, name }: { readonly roleArn: string; readonly name: string }): Caller {
  const { partition = "aws", accountId = "" } = parseArn(roleArn) ?? {};
  const roleName = roleArn.slice(roleArn.lastIndexOf("/") + 1);
  return { kind: "arn", arn: `arn:${partition}:sts::${accountId}:assumed-role/${roleName}/${sessionName(name)}` };
}

function sessionName(functionName: string): string {
  return functionName.padEnd(LEAST_SESSION_NAME_CHARACTERS, "_");
}

/**
 * Checks that the caller may give the role to Lambda, and that Lambda may assume it.
 *
 * @throws AccessDeniedException (403) without `iam:PassRole`, and for a role of another account
 * @throws InvalidParameterValueException (400) when the role does not exist or does not trust Lambda
 */
export function checkExecutionRole(ctx: OperationContext<LambdaState>, roleArn: string): void {
  if (!ctx.isIamEnforced) return;
  if (parseArn(roleArn)?.accountId !== ctx.scope.accountId) throw lambdaError("AccessDeniedException", "Cross-account pass role is not allowed.");
  ctx.authorizeAlso({ action: "iam:PassRole", resource: roleArn, context: { "iam:PassedToService": LAMBDA_PRINCIPAL } });
  if (!canAssume(ctx, roleArn)) throw invalidParameter("The role defined for the function cannot be assumed by Lambda.");
}

function canAssume(ctx: ServiceContext<LambdaState>, RoleArn: string): boolean {
  return mayCall(() => ctx.isAllowed("sts", "AssumeRole", { RoleArn, RoleSessionName: "lambda" }, { caller: { kind: "service", service: LAMBDA_PRINCIPAL } }));
}

/** @throws InvalidParameterValueException (400) when the role may not send to the queue that is to be the function's dead-letter queue */
export function checkDeadLetterRole(ctx: OperationContext<LambdaState>, fn: { readonly roleArn: string; readonly name: string }, targetArn: string): void {
  const service = parseArn(targetArn)?.service;
  // Topics are the notification service's matter, and are asked when an event is sent to one.
  if (service !== "sqs" || !ctx.isIamEnforced) return;
  const maySend = mayCall(() => ctx.isAllowed("sqs", "SendMessage", { QueueUrl: queueUrlOf(targetArn), MessageBody: "-" }, { caller: roleCaller(fn) }));
  if (!maySend) throw invalidParameter("The provided execution role does not have permissions to call SendMessage on SQS");
}

/** What an execution session is given: its credentials, and until when they last. */
export interface ExecutionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** Epoch milliseconds. */
  readonly expiresAtMs: number;
}

/** Assumes the execution role for a new environment. @throws STS's error when the role no longer lets Lambda */
export async function assumeExecutionRole(ctx: ServiceContext<LambdaState>, { roleArn, name }: FunctionVersion): Promise<ExecutionCredentials> {
  const { Credentials } = await ctx.call("sts", "AssumeRole", { RoleArn: roleArn, RoleSessionName: sessionName(name) }, { caller: { kind: "service", service: LAMBDA_PRINCIPAL } });
  const { AccessKeyId = "", SecretAccessKey = "", SessionToken = "", Expiration } = Credentials ?? {};
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken, expiresAtMs: Expiration?.getTime() ?? Number.POSITIVE_INFINITY };
}

/** A question about what is not there is answered as a refusal. */
function mayCall(ask: () => boolean): boolean {
  try {
    return ask();
  } catch (error) {
    if (isAwsError(error)) return false;
    throw error;
  }
}
