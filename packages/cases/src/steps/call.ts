import type { Step } from "../case.js";
import { callerOf, type CaseRun } from "../case-run.js";
import { matchOutcome, type Expectation } from "../expectation.js";
import { ACCOUNT_ID, REGION } from "../instance.js";
import type { Mismatch } from "../matching.js";
import { generate, isPlainObject, valueAt } from "../values.js";

interface CallStep {
  readonly service: string;
  readonly operation: string;
  readonly input: object;
  /** A principal's name, or credentials. Default: an administrator of the account. */
  readonly as?: unknown;
  readonly region?: string;
  readonly account?: string;
  readonly instance?: string;
  readonly expect?: Expectation;
  /** Variables with the paths of their values in the output. */
  readonly save?: Readonly<Record<string, string>>;
  /** The label under which the call is left open. */
  readonly start?: string;
}

export async function runCall(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { service, operation, input, as, region = REGION, account = ACCOUNT_ID, instance: instanceName, expect, save = {}, start } = run.filled<CallStep>(step);
  const instance = run.instance(instanceName);
  const call = { service, operation, input: withBlobs(generate(input)) as object, caller: callerOf(instance, as), accountId: account, region }; // an object stays one
  if (start !== undefined) {
    await run.start(start, instance, call);
    return undefined;
  }
  const outcome = await run.outcomeOf(instance, call);
  const mismatch = matchOutcome(expect, outcome, service);
  if (mismatch !== undefined) return mismatch;
  if ("output" in outcome) for (const [variable, path] of Object.entries(save)) run.variables.set(variable, valueAt(outcome.output, path));
  return undefined;
}

/** Members that the SDK takes as bytes: the format allows text for them. */
const BLOB_MEMBERS: ReadonlySet<string> = new Set(["BinaryValue", "Payload", "ZipFile"]);

function withBlobs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBlobs);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, typeof member === "string" && BLOB_MEMBERS.has(name) ? new Uint8Array(Buffer.from(member, "utf8")) : withBlobs(member)]),
  );
}
