import type { StackEvent } from "@aws-sdk/client-cloudformation";
import type { SimAws } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";
import { matchError, matchText, type ErrorExpectation } from "../expectation.js";
import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import { match, type Mismatch } from "../matching.js";
import { lackIn, lackInMessage, Unavailable } from "../unavailable.js";
import { generate, valueAt } from "../values.js";

interface StackExpectation {
  /** The request itself is refused. */
  readonly error?: ErrorExpectation;
  /** Default: complete, and not rolled back. */
  readonly status?: unknown;
  /** Being refused with one of these is as good as `status`. */
  readonly orError?: readonly string[];
  readonly outputs?: unknown;
  readonly resources?: { readonly $exactIds: readonly string[] };
  readonly reason?: string;
  readonly reasonOf?: Readonly<Record<string, unknown>>;
  readonly order?: readonly string[];
  readonly minVirtualSeconds?: number;
  readonly maxVirtualSeconds?: number;
  readonly warnings?: unknown;
  readonly oneOf?: readonly StackExpectation[];
}

interface DeployStep {
  readonly deploy: {
    readonly stack: string;
    readonly template: object | string;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly expect?: StackExpectation;
    readonly save?: Readonly<Record<string, string>>;
  };
  readonly instance?: string;
}

interface DeleteStackStep {
  readonly deleteStack: { readonly stack: string; readonly expect?: StackExpectation };
  readonly instance?: string;
}

/** How a request for a stack ended: it was refused, or the stack came to rest. */
type StackOutcome = { readonly virtualSeconds: number } & ({ readonly refusal: unknown } | { readonly stack: SimStack; readonly events: readonly StackEvent[] });

/** How long a stack may take, in virtual seconds. */
const LONGEST_DEPLOYMENT_SECONDS = 7_200;

/** Creates a stack, or updates the one that is there, and waits until it rests. */
export async function runDeploy(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  // A template has `${…}` of its own and is taken as it stands.
  const { template } = (step as unknown as DeployStep).deploy; // told by the step's key
  const { deploy, instance } = run.filled<DeployStep>({ ...step, deploy: { ...(step["deploy"] as object), template: undefined } }); // as above
  const { stack: stackName, expect = {}, save = {} } = deploy;
  const { simAws } = run.instance(instance);
  const parameters = generate(deploy.parameters ?? {}) as Record<string, string>; // the format's README
  const outcome = await stackOutcome(simAws, stackName, async (existing) => {
    // Strict, because cases say what AWS does.
    if (existing === undefined) return simAws.cloudFormation().deployTemplate({ stackName, template, parameters, strict: true });
    await updateStack(simAws, stackName, template, parameters);
    return existing;
  });
  refuseWhatIsLacking(outcome);
  const mismatch = matchStack(expect, outcome);
  if (mismatch !== undefined) return mismatch;
  for (const [variable, path] of Object.entries(save)) run.variables.set(variable, "stack" in outcome ? valueAt({ outputs: outcome.stack.outputs }, path) : undefined);
  return undefined;
}

/** As AWS updates: parameters that are not given take their defaults, where `updateTemplate` keeps their values. */
async function updateStack(simAws: SimAws, StackName: string, template: object | string, parameters: Readonly<Record<string, string>>): Promise<void> {
  await simAws.cloudFormation().updateStack({
    input: {
      StackName,
      TemplateBody: typeof template === "string" ? template : JSON.stringify(template),
      Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue })),
      Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
    },
  });
}

/** Deletes a stack and waits until it rests. */
export async function runDeleteStack(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { deleteStack, instance } = run.filled<DeleteStackStep>(step);
  const { stack: StackName, expect = {} } = deleteStack;
  const { simAws } = run.instance(instance);
  const outcome = await stackOutcome(simAws, StackName, async (stack) => {
    if (stack === undefined) throw new Error(`The case has deployed no stack ${StackName}.`);
    await simAws.cloudFormation().deleteStack({ input: { StackName } });
    return stack;
  });
  return matchStack({ status: "DELETE_COMPLETE", ...expect }, outcome);
}

/** Makes a request for a stack and moves the clock, second by second, until the stack rests. */
async function stackOutcome(simAws: SimAws, stackName: string, request: (existing: SimStack | undefined) => Promise<SimStack>): Promise<StackOutcome> {
  const clock = simAws.clock();
  const startedMs = clock.now().getTime();
  const virtualSeconds = (): number => (clock.now().getTime() - startedMs) / 1000;
  const existing = simAws.cloudFormation().findStack(stackName);
  const earlierEvents = existing?.events.length ?? 0;
  let stack: SimStack;
  try {
    stack = await request(existing);
  } catch (error) {
    if (lackIn(error) !== undefined) throw error;
    return { refusal: error, virtualSeconds: virtualSeconds() };
  }
  await simAws.backgroundTasksComplete();
  while (!isAtRest(stack) && virtualSeconds() < LONGEST_DEPLOYMENT_SECONDS) await clock.advanceBy({ seconds: 1 });
  // CloudFormation lists the newest first.
  return { stack, events: stack.events.toReversed().slice(earlierEvents), virtualSeconds: virtualSeconds() };
}

/** @throws Unavailable for a custom resource, which is passed over, and for a resource that failed because the sandbox lacks what it is made with */
function refuseWhatIsLacking(outcome: StackOutcome): void {
  if ("refusal" in outcome) return;
  const custom = outcome.stack.skippedResources.find(({ type }) => type.startsWith("Custom::") || type === "AWS::CloudFormation::CustomResource");
  if (custom !== undefined) throw new Unavailable(`custom resources (${custom.type})`);
  for (const reason of reasonsOf(outcome.events)) {
    const lacks = lackInMessage(reason);
    if (lacks !== undefined) throw new Unavailable(lacks);
  }
}

function isAtRest({ status }: SimStack): boolean {
  return /_(COMPLETE|FAILED)$/.test(status);
}

function matchStack(expected: StackExpectation, outcome: StackOutcome): Mismatch | undefined {
  if (expected.oneOf === undefined) return matchOneStack(expected, outcome);
  const mismatches = expected.oneOf.map((alternative) => matchStack(alternative, outcome));
  return mismatches.includes(undefined) ? undefined : mismatches[0];
}

function matchOneStack(expected: StackExpectation, outcome: StackOutcome): Mismatch | undefined {
  if ("refusal" in outcome) return matchRefusal(expected, outcome.refusal);
  const { stack, events, virtualSeconds } = outcome;
  if (expected.error !== undefined) return { path: "error", expected: expected.error, actual: stack.status };
  const { status = { $regex: "^(?!.*ROLLBACK).*_COMPLETE$" }, minVirtualSeconds = 0, maxVirtualSeconds = Number.POSITIVE_INFINITY } = expected;
  // Why a stack failed is the better half of the message.
  const wrongStatus = match(status, stack.status, "status");
  if (wrongStatus !== undefined) return { ...wrongStatus, actual: `${stack.status} (${reasonsOf(events).join("; ")})` };
  if (virtualSeconds < minVirtualSeconds || virtualSeconds > maxVirtualSeconds) return { path: "virtualSeconds", expected: [minVirtualSeconds, maxVirtualSeconds], actual: virtualSeconds };
  return matchContent(expected, stack, events);
}

function matchRefusal({ error, orError, reason }: StackExpectation, refusal: unknown): Mismatch | undefined {
  if (error === undefined && orError === undefined) return { path: "status", expected: "a deployment", actual: refusal };
  return matchError(error ?? { ...(orError && { name: orError }), ...(reason !== undefined && { message: reason }) }, refusal, "cloudformation");
}

function matchContent({ outputs, resources, reason, reasonOf = {}, order, warnings }: StackExpectation, stack: SimStack, events: readonly StackEvent[]): Mismatch | undefined {
  const parts: readonly (readonly [path: string, pattern: unknown, actual: () => unknown])[] = [
    ["outputs", outputs, () => stack.outputs],
    ["resources", resources && { $unordered: resources.$exactIds }, () => completeIdsOf(stack)],
    ["order", order && { $subsequence: order }, () => completionOrderOf(stack, events)],
    ["warnings", warnings, () => warningsOf(stack)],
  ];
  for (const [path, pattern, actual] of parts) {
    const mismatch = pattern === undefined ? undefined : match(pattern, actual(), path);
    if (mismatch !== undefined) return mismatch;
  }
  if (reason !== undefined && !reasonsOf(events).some((text) => text.toLowerCase().includes(reason.toLowerCase()))) return { path: "reason", expected: reason, actual: reasonsOf(events) };
  for (const [logicalId, expected] of Object.entries(reasonOf)) {
    const reasons = reasonsOf(events, logicalId);
    const mismatches = (reasons.length === 0 ? [undefined] : reasons).map((text) => matchText(expected, text, `reasonOf.${logicalId}`));
    if (!mismatches.includes(undefined)) return mismatches[0];
  }
  return undefined;
}

/** Why things happened, as the events say; for one resource or for all. */
function reasonsOf(events: readonly StackEvent[], logicalId?: string): string[] {
  return events
    .filter(({ LogicalResourceId }) => logicalId === undefined || LogicalResourceId === logicalId)
    .flatMap(({ ResourceStatusReason }) => (ResourceStatusReason === undefined ? [] : [ResourceStatusReason]));
}

/** The logical ids of the resources that are there. */
function completeIdsOf({ resources }: SimStack): string[] {
  return resources.filter(({ status }) => status.endsWith("_COMPLETE") && status !== "DELETE_COMPLETE").map(({ logicalId }) => logicalId);
}

/** The logical ids in the order in which they came to rest for good. */
function completionOrderOf({ stackName }: SimStack, events: readonly StackEvent[]): (string | undefined)[] {
  const ids = events.filter(({ ResourceStatus, LogicalResourceId }) => ResourceStatus?.endsWith("_COMPLETE") === true && LogicalResourceId !== stackName).map(({ LogicalResourceId }) => LogicalResourceId);
  return ids.filter((id, index) => ids.lastIndexOf(id) === index);
}

/** What the stack was deployed without, as lines. */
function warningsOf({ ignoredProperties, skippedResources }: SimStack): string[] {
  return [
    ...skippedResources.map(({ logicalId, type, skippedReason }) => `${logicalId} (${type}): ${skippedReason}`),
    ...ignoredProperties.map(({ logicalId, resourceType, path, reason }) => `${logicalId} (${resourceType}) ${path}: ${reason}`),
  ];
}
