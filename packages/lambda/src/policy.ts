import type { AddPermissionCommandInput } from "@aws-sdk/client-lambda";
import { parseArn } from "@sandstack/core";
import { aliasNotFound } from "./aliases.js";
import type { FunctionReference } from "./function-name.js";
import { functionNotFound, functionOf, LATEST, qualified } from "./functions.js";
import type { FunctionState, LambdaState, PolicyStatement } from "./state.js";

/** A function's resource policy as the API shows it and IAM evaluates it. */
export function policyText(statements: readonly PolicyStatement[]): string {
  return JSON.stringify({ Version: "2012-10-17", Id: "default", Statement: statements });
}

/** All resource policies of a function. Each statement names what it is on, the function or a version or alias: IAM reads those that fit. */
export function policiesOf({ policies }: FunctionState): string[] {
  return [...policies.values()].map(policyText);
}

/** What carries a resource policy: a function, or a version or alias of it. */
export interface PolicyHolder {
  readonly fn: FunctionState;
  /** Under which the function keeps the policy. */
  readonly key: string;
  /** The revision changes with the policy. */
  readonly revised: { revisionId: string };
}

/** @throws ResourceNotFoundException (404), which for an alias has another text than elsewhere */
export function policyHolderOf(state: LambdaState, { qualifier, ...reference }: FunctionReference): PolicyHolder {
  const fn = functionOf(state, { ...reference, qualifier: undefined });
  if (qualifier === undefined || qualifier === LATEST) return { fn, key: LATEST, revised: fn };
  const revised = fn.aliases.get(qualifier) ?? fn.versions.get(qualifier);
  if (revised !== undefined) return { fn, key: qualifier, revised };
  const arn = qualified(fn.arn, qualifier);
  throw /^\d+$/.test(qualifier) ? functionNotFound(arn) : aliasNotFound(arn);
}

/** The statement that AddPermission writes for its input. `functionArn` carries the qualifier, if one was given. */
export function statementOf(input: AddPermissionCommandInput, functionArn: string): PolicyStatement {
  const { StatementId = "", Action = "", Principal = "" } = input;
  const Condition = conditionOf(input);
  return { Sid: StatementId, Effect: "Allow", Principal: principalOf(Principal), Action, Resource: functionArn, ...(Condition === undefined ? {} : { Condition }) };
}

function principalOf(principal: string): PolicyStatement["Principal"] {
  if (principal === "*") return "*";
  if (/^\d{12}$/.test(principal)) return { AWS: `arn:aws:iam::${principal}:root` };
  return parseArn(principal) === undefined ? { Service: principal } : { AWS: principal };
}

function conditionOf({ SourceArn, SourceAccount, PrincipalOrgID, EventSourceToken, FunctionUrlAuthType }: AddPermissionCommandInput): PolicyStatement["Condition"] {
  const equals: Record<string, string> = {};
  if (SourceAccount !== undefined) equals["AWS:SourceAccount"] = SourceAccount;
  if (PrincipalOrgID !== undefined) equals["aws:PrincipalOrgID"] = PrincipalOrgID;
  if (EventSourceToken !== undefined) equals["lambda:EventSourceToken"] = EventSourceToken;
  if (FunctionUrlAuthType !== undefined) equals["lambda:FunctionUrlAuthType"] = FunctionUrlAuthType;
  const condition: Record<string, Record<string, string>> = {};
  if (Object.keys(equals).length > 0) condition["StringEquals"] = equals;
  // A source ARN may have wildcards, which StringEquals would take by the letter.
  if (SourceArn !== undefined) condition["ArnLike"] = { "AWS:SourceArn": SourceArn };
  return Object.keys(condition).length === 0 ? undefined : condition;
}
