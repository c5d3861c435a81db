import { makeLambdaZipFileInput } from "sandstack/lambda";
import { administer } from "../administer.js";
import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import { bodiesOf, handlerOf, type Behaviour, type RecordedFunction } from "../functions.js";
import { makeRole, trustIn } from "../identities.js";
import type { Instance } from "../instance.js";
import { match, type Mismatch } from "../matching.js";
import { Unavailable } from "../unavailable.js";
import { valueAt } from "../values.js";

interface LambdaStep {
  readonly lambda: {
    readonly name: string;
    readonly behaviour: Behaviour;
    /** Seconds. Default 3. */
    readonly timeout?: number;
    /** Documents of the execution role. Default: it may do everything. */
    readonly policies?: readonly object[];
    readonly deadLetterArn?: string;
  };
  readonly instance?: string;
}

const EVERYTHING = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] };

/** Makes a function, or gives one that is there another behaviour. */
export async function runLambda(run: CaseRun, step: Step): Promise<undefined> {
  const { lambda, instance: instanceName } = run.filled<LambdaStep>(step);
  if (typeof lambda.behaviour === "object" && "cfnResponse" in lambda.behaviour) throw new Unavailable("custom resources");
  const instance = run.instance(instanceName);
  const existing = instance.functions.get(lambda.name);
  if (existing === undefined) return makeFunction(instance, lambda);
  Object.assign(existing, { behaviour: lambda.behaviour, events: [], running: 0 } satisfies RecordedFunction);
  if (lambda.timeout !== undefined) await administer(instance.simAws, "lambda", "UpdateFunctionConfiguration", { FunctionName: lambda.name, Timeout: lambda.timeout });
}

async function makeFunction({ simAws, functions }: Instance, { name, behaviour, timeout = 3, policies = [EVERYTHING], deadLetterArn }: LambdaStep["lambda"]): Promise<undefined> {
  const recorded: RecordedFunction = { behaviour, events: [], running: 0 };
  functions.set(name, recorded);
  const Role = await makeRole(simAws, { name: `${name}-role`, policies, trust: trustIn({ Service: "lambda.amazonaws.com" }) });
  await administer(simAws, "lambda", "CreateFunction", {
    FunctionName: name,
    Runtime: "nodejs22.x",
    Handler: "index.handler",
    Role,
    Timeout: timeout,
    Code: { ZipFile: makeLambdaZipFileInput(handlerOf(recorded, simAws)) },
    ...(deadLetterArn === undefined ? {} : { DeadLetterConfig: { TargetArn: deadLetterArn } }),
  });
}

interface InvocationsStep {
  readonly invocations: {
    readonly lambda: string;
    readonly expect?: {
      /** How many have started. */
      readonly count?: unknown;
      /** For each, the bodies of its records. */
      readonly bodies?: unknown;
      readonly started?: unknown;
      /** The event of the latest. */
      readonly last?: unknown;
      readonly events?: unknown;
      /** How many have not ended. */
      readonly running?: unknown;
    };
    readonly save?: Readonly<Record<string, string>>;
  };
  readonly instance?: string;
}

/** Compares the calls that a function was given. */
export async function runInvocations(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { invocations, instance } = run.filled<InvocationsStep>(step);
  const recorded = run.instance(instance).functions.get(invocations.lambda);
  if (recorded === undefined) throw new Error(`The case has made no function ${invocations.lambda}.`);
  const { events, running } = recorded;
  const bodies = events.map(bodiesOf);
  const actual: Readonly<Record<string, unknown>> = { count: events.length, bodies, started: bodies, last: events.at(-1), events, running };
  for (const [key, pattern] of Object.entries(invocations.expect ?? {})) {
    const mismatch = match(pattern, actual[key], key);
    if (mismatch !== undefined) return mismatch;
  }
  for (const [variable, path] of Object.entries(invocations.save ?? {})) run.variables.set(variable, valueAt(actual, path));
  return undefined;
}
