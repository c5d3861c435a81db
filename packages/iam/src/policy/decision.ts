import type { Decision, DecisionValue } from "@sandstack/core";
import type { Statement } from "./compile.js";
import { evaluate, type PolicySets, type Side, type SourcedPolicy, type Verdict } from "./evaluate.js";
import { explain } from "./explain.js";
import { mismatchOf, type PolicyRequest } from "./statement.js";

/** A statement that applies to a request. */
export interface MatchingStatement {
  readonly effect: "Allow" | "Deny";
  readonly sid: string | undefined;
  /** Its place in the policy, from 0. */
  readonly index: number;
  /** The name of an inline or managed policy. */
  readonly policyName: string | undefined;
  /** The ARN of a managed policy. */
  readonly policyArn: string | undefined;
}

/** The statements that apply to a request, allowing and denying, by side. */
export type MatchingStatements = { readonly [On in Side]: readonly MatchingStatement[] };

/** A decision that names the statements it rests on. */
export interface PolicyDecision extends Decision {
  readonly matchingStatements: MatchingStatements;
}

const SIDES: readonly Side[] = ["identity", "resource", "boundary", "session"];

/**
 * Decides a request.
 *
 * @param notes what more there is to say to one who asks why, such as that the role does not exist
 */
export function decide(request: PolicyRequest, policies: PolicySets, notes: readonly string[] = []): PolicyDecision {
  return new EvaluatedDecision(request, policies, evaluate(request, policies), notes);
}

/** The verdict at once; the account of it when it is asked for, from the policies and keys as they were. */
class EvaluatedDecision implements PolicyDecision {
  readonly value: DecisionValue;
  readonly #request: PolicyRequest;
  readonly #policies: PolicySets;
  readonly #verdict: Verdict;
  readonly #notes: readonly string[];

  constructor(request: PolicyRequest, policies: PolicySets, verdict: Verdict, notes: readonly string[]) {
    this.value = verdict.value;
    this.#request = request;
    this.#policies = policies;
    this.#verdict = verdict;
    this.#notes = notes;
  }

  get isAllowed(): boolean {
    return this.value === "Allow";
  }
  get isDenied(): boolean {
    return this.value !== "Allow";
  }
  get isExplicitDeny(): boolean {
    return this.value === "ExplicitDeny";
  }
  get isImplicitDeny(): boolean {
    return this.value === "ImplicitDeny";
  }

  get because(): string {
    return becauseOf(this.#verdict, this.#request, this.#policies);
  }

  get matchingStatements(): MatchingStatements {
    const [identity, resource, boundary, session] = SIDES.map((side) => matchingOn(side, this.#request, this.#policies[side]));
    return { identity: identity ?? [], resource: resource ?? [], boundary: boundary ?? [], session: session ?? [] };
  }

  explain(): string {
    return explain(this.#request, this.#policies, this.#verdict, this.#notes);
  }
}

function matchingOn(side: Side, request: PolicyRequest, policies: readonly SourcedPolicy[]): readonly MatchingStatement[] {
  return policies.flatMap((source) =>
    source.policy.statements
      .filter((statement) => mismatchOf(statement, request, side === "resource") === undefined)
      .map(({ effect, sid, index }) => ({ effect, sid, index, policyName: source.name, policyArn: source.arn })),
  );
}

const POLICY_TYPE: Readonly<Record<Side, string>> = {
  identity: "identity-based policy",
  resource: "resource-based policy",
  boundary: "permissions boundary",
  session: "session policy",
};

/** The end of AWS's access-denied message (IAM User Guide, "Troubleshoot access denied error messages"). */
function becauseOf({ value, by }: Verdict, request: PolicyRequest, policies: PolicySets): string {
  if (value === "Allow") return "";
  // What AWS opens to no other account, no policy on the resource allows.
  const side: Side = by === "owner" || by === "root" ? "resource" : by;
  if (value === "ImplicitDeny") return `because no ${POLICY_TYPE[side]} allows the ${request.action} action`;
  const article = side === "identity" ? "an" : "a";
  const arn = denyingPolicy(request, policies, side)?.arn;
  return `with an explicit deny in ${article} ${POLICY_TYPE[side]}${arn === undefined ? "" : `: ${arn}`}`;
}

function denyingPolicy(request: PolicyRequest, policies: PolicySets, side: Side): SourcedPolicy | undefined {
  const isDenying = (statement: Statement): boolean => statement.effect === "Deny" && mismatchOf(statement, request, side === "resource") === undefined;
  return policies[side].find(({ policy }) => policy.statements.some(isDenying));
}
