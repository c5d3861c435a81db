import { actionFault, isMisspelt } from "./actions.js";
import type { Statement } from "./compile.js";
import type { Condition } from "./condition.js";
import { lackingSides, type PolicySets, type Side, type SourcedPolicy, type Verdict } from "./evaluate.js";
import type { PolicyPrincipal } from "./principal.js";
import { mismatchOf, type Mismatch, type PolicyRequest } from "./statement.js";

/** The most statements told of that nearly applied. */
const MAX_NEAR_MISSES = 3;

/** A text whose only variables are `${*}`, `${?}` and `${$}`, which need no value. */
const LITERALS_ONLY = /^([^$]|\$(?!\{)|\$\{[*?$]\})*$/;

/** A short text saying which statement decided a request, or what was missing and what came near. */
export function explain(request: PolicyRequest, policies: PolicySets, verdict: Verdict, notes: readonly string[]): string {
  if (verdict.value !== "ImplicitDeny") return [outcome(request, policies, verdict), ...notes].join(" ");
  const lacking = lackingSides(request, policies, verdict);
  const sentences = [outcome(request, policies, verdict), ...lacking.slice(1).map((side) => furtherLack(request, policies, side)), ...notes];
  const fault = actionFault(request.action, request.resource);
  if (fault !== undefined) sentences.push(fault);
  const lookedAt = resourceSideText(request, policies);
  if (lookedAt !== undefined && verdict.by !== "owner") sentences.push(lookedAt);
  // Inside an account a policy on the resource would do as well.
  const sides: readonly Side[] = lacking.includes("identity") && !lacking.includes("resource") ? [...lacking, "resource"] : lacking;
  return [...sentences, ...nearMisses(request, policies, sides)].join(" ");
}

/** A side that would have to allow as well, beside the one that decided. */
function furtherLack(request: PolicyRequest, policies: PolicySets, side: Side): string {
  if (side === "resource") return `Nor does a policy on the resource, of account ${request.resourceAccount}: across accounts both sides must allow.`;
  return side === "session" ? "Nor do the session's own policies, which limit it." : `Nor does ${policies[side].map(sourceText).join(", ")}, which limits it.`;
}

/** What was taken for the resource's policies, where the question did not come with a call. */
function resourceSideText({ policiesAre, resource }: PolicyRequest, { resource: policies }: PolicySets): string | undefined {
  switch (policiesAre) {
    case undefined:
      return undefined;
    case "given":
      return "In place of the resource's own policies those given with the question were looked at.";
    case "found":
      return policies.length === 0 ? "The resource has no policy." : "The resource's own policy was looked at.";
    case "of-no-resource":
      return `The sandbox has no ${resource}, so there was no policy of it to look at.`;
    case "unknown":
      return "Policies on the resource were not looked at, since the sandbox does not know any of its kind: give them as resourcePolicies.";
  }
}

function outcome(request: PolicyRequest, policies: PolicySets, { value, by }: Verdict): string {
  const who = nameOf(request.principal);
  const what = `${request.action} on ${request.resource} for ${who}`;
  if (by === "root") return `Allowed: ${who} may do everything in its account that no policy denies.`;
  if (by === "owner") return `Denied: ${request.action} is never open to other accounts, whatever the policies say; ${who} is not of account ${request.resourceAccount}.`;
  if (value === "Allow") return `Allowed: ${deciding(request, policies, by, "Allow")} allows ${what}.`;
  if (value === "ExplicitDeny") return `Denied: ${deciding(request, policies, by, "Deny")} denies ${what}.`;
  return `Denied: ${missing(request, policies, by)} allows ${what}.`;
}

function nameOf({ type, arn }: PolicyPrincipal): string {
  if (type === "anonymous") return "an anonymous caller";
  return type === "service" ? `the service ${arn}` : arn;
}

/** The statement that decided, and the conditions that it applied under. */
function deciding(request: PolicyRequest, policies: PolicySets, side: Side, effect: "Allow" | "Deny"): string {
  for (const source of policies[side]) {
    const statement = source.policy.statements.find((one) => one.effect === effect && mismatchOf(one, request, side === "resource") === undefined);
    if (statement === undefined) continue;
    const met = statement.conditions.map((condition) => `${conditionText(condition)} holds, the request has ${valueText(condition, request)}`);
    return `${statementText(statement)} of ${sourceText(source)}${met.length === 0 ? "" : ` (${met.join("; ")})`}`;
  }
  return `the ${side} policy`;
}

function missing(request: PolicyRequest, policies: PolicySets, side: Side): string {
  switch (side) {
    case "identity":
      return policies.identity.length === 0 ? "no identity-based policy is attached; none" : "no identity-based policy";
    case "resource": {
      const isNoneThere = policies.resource.length === 0 && request.policiesAre === undefined;
      const there = isNoneThere ? "the resource has no policy; none" : "no resource-based policy";
      const isAcross = request.principal.account !== undefined && request.principal.account !== request.resourceAccount;
      return isAcross ? `across accounts both sides must allow, and ${there} of account ${request.resourceAccount}` : there;
    }
    case "boundary":
      return `${policies.boundary.map(sourceText).join(", ")} limits it, and no statement of it`;
    case "session":
      return "the session's own policies limit it, and none of them";
  }
}

/** Statements that would have allowed the request but for one element. */
function nearMisses(request: PolicyRequest, policies: PolicySets, sides: readonly Side[]): readonly string[] {
  const misses: string[] = [];
  for (const side of sides) {
    for (const source of policies[side]) {
      for (const statement of source.policy.statements) {
        if (statement.effect !== "Allow") continue;
        const mismatch = mismatchOf(statement, request, side === "resource");
        const misspelt = mismatch === "action" ? statement.actions.find(({ source: text }) => !statement.isNotAction && isMisspelt(text, request.action, request.resource)) : undefined;
        if (misspelt !== undefined) misses.push(`${capital(statementText(statement))} of ${sourceText(source)} allows ${misspelt.source}, which is no action of AWS's; ${request.action} may be meant.`);
        else if (mismatch !== undefined && mismatch !== "action") misses.push(missText(statement, source, mismatch, request));
      }
    }
  }
  return misses.slice(0, MAX_NEAR_MISSES);
}

function missText(statement: Statement, source: SourcedPolicy, mismatch: Exclude<Mismatch, "action">, request: PolicyRequest): string {
  const which = `${capital(statementText(statement))} of ${sourceText(source)} allows ${request.action}, but`;
  if (mismatch === "resource") {
    const resources = statement.resources ?? [];
    const isTooOld = resources.some(({ source: text, hasVariables }) => text.includes("${") && !hasVariables && !LITERALS_ONLY.test(text));
    const hint = isTooOld ? ' (taken as it stands: policy variables need "Version": "2012-10-17")' : "";
    return `${which} ${statement.isNotResource ? "not on" : "on"} ${resources.map(({ source: text }) => text).join(", ")}${hint}.`;
  }
  if (mismatch === "principal") return `${which} not to ${nameOf(request.principal)}.`;
  return `${which} only when ${conditionText(mismatch)}; the request has ${valueText(mismatch, request)}.`;
}

function conditionText({ operator, key, values }: Condition): string {
  return `${operator} ${key} ${values.map((value) => JSON.stringify(value)).join(" or ")}`;
}

function valueText({ key, lowerCaseKey }: Condition, request: PolicyRequest): string {
  const value = request.keys.valueOf(lowerCaseKey);
  return value === undefined ? `no ${key}` : JSON.stringify(value);
}

function statementText({ sid, index }: Statement): string {
  return sid === undefined ? `statement ${index}` : `statement ${JSON.stringify(sid)}`;
}

function sourceText({ kind, name, arn, holder }: SourcedPolicy): string {
  const of = holder === undefined ? "" : ` of ${holder}`;
  switch (kind) {
    case "inline":
      return name === undefined ? `the identity policy${of}` : `the inline policy ${name}${of}`;
    case "managed":
      return `the managed policy ${arn ?? name ?? ""}${of}`;
    case "resource":
      return "the resource's policy";
    case "boundary":
      return `the permissions boundary${arn === undefined ? "" : ` ${arn}`}`;
    case "session":
      return "the session policy";
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
