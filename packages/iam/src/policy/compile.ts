import { compileConditions, type Condition, type DocumentOptions } from "./condition.js";
import { readDocument, statementsOf, textsOf, type JsonObject } from "./document.js";
import { compilePattern, type Pattern } from "./pattern.js";
import { compilePrincipals, type CompiledPrincipals } from "./principal.js";

/** One statement, ready to be compared with requests. */
export interface Statement {
  /** Its place in the policy, from 0. */
  readonly index: number;
  readonly sid: string | undefined;
  readonly effect: "Allow" | "Deny";
  /** Of `Action` or `NotAction`, in lower case. */
  readonly actions: readonly Pattern[];
  readonly isNotAction: boolean;
  /** Of `Resource` or `NotResource`; `undefined` where the statement names none, as in trust policies: it is then about the policy's own resource. */
  readonly resources: readonly Pattern[] | undefined;
  readonly isNotResource: boolean;
  /** Of `Principal` or `NotPrincipal`; identity policies have none. */
  readonly principals: CompiledPrincipals | undefined;
  readonly isNotPrincipal: boolean;
  readonly conditions: readonly Condition[];
}

export interface CompiledPolicy {
  readonly statements: readonly Statement[];
}

/** The most policies kept compiled; the one compiled first goes first. */
const CACHE_CAPACITY = 5_000;

// Compiled policies depend on their text alone, so all worlds of a process share them.
const compiledByText = new Map<string, CompiledPolicy>();

/**
 * The compiled form of a policy's text, remembered: policies are evaluated on every call.
 *
 * @throws SimMalformedPolicy where the text is no JSON object
 */
export function compilePolicy(text: string): CompiledPolicy {
  let policy = compiledByText.get(text);
  if (policy !== undefined) return policy;
  policy = compileDocument(readDocument(text));
  if (compiledByText.size >= CACHE_CAPACITY) {
    for (const oldest of compiledByText.keys()) {
      compiledByText.delete(oldest);
      break;
    }
  }
  compiledByText.set(text, policy);
  return policy;
}

export function compileDocument(document: JsonObject): CompiledPolicy {
  // A document without a version is one of 2008-10-17, and policy variables came with 2012-10-17.
  const options = { variables: document["Version"] === "2012-10-17" };
  return { statements: statementsOf(document).map((statement, index) => compileStatement(statement, index, options)) };
}

function compileStatement(statement: JsonObject, index: number, options: DocumentOptions): Statement {
  const { Sid, Effect, Action, NotAction, Resource, NotResource, Principal, NotPrincipal, Condition: condition } = statement;
  const isNotAction = Action === undefined && NotAction !== undefined;
  const isNotResource = Resource === undefined && NotResource !== undefined;
  const isNotPrincipal = Principal === undefined && NotPrincipal !== undefined;
  const resources = isNotResource ? NotResource : Resource;
  const principals = isNotPrincipal ? NotPrincipal : Principal;
  return {
    index,
    sid: Sid === undefined || Sid === "" ? undefined : String(Sid),
    effect: Effect === "Allow" ? "Allow" : "Deny",
    actions: textsOf(isNotAction ? NotAction : Action).map((text) => compilePattern(text, { wildcards: true, variables: false, lowerCase: true })),
    isNotAction,
    resources: resources === undefined ? undefined : textsOf(resources).map((text) => compilePattern(text, { wildcards: true, ...options })),
    isNotResource,
    principals: principals === undefined ? undefined : compilePrincipals(principals),
    isNotPrincipal,
    conditions: compileConditions(condition, options),
  };
}
