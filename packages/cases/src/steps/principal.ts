import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import { makeRole, makeUser, trustIn } from "../identities.js";
import { ACCOUNT_ID } from "../instance.js";

interface PrincipalStep {
  readonly principal: {
    readonly name: string;
    readonly type: "user" | "role";
    readonly policies?: readonly object[];
    /** Default for a role: its own account. */
    readonly trust?: object;
    readonly boundary?: object;
  };
  readonly instance?: string;
}

/** Makes a user with an access key, or a role, whom later steps name by `as`. */
export async function runPrincipal(run: CaseRun, step: Step): Promise<undefined> {
  const { principal, instance: instanceName } = run.filled<PrincipalStep>(step);
  const { name, type, policies = [], boundary, trust = trustIn({ AWS: ACCOUNT_ID }) } = principal;
  const { simAws, principals } = run.instance(instanceName);
  principals.set(name, type === "user" ? await makeUser(simAws, { name, policies, boundary }) : { kind: "arn", arn: await makeRole(simAws, { name, policies, boundary, trust }) });
}
