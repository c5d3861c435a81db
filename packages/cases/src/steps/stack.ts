import type { SimStack } from "sandstack/cloudformation";
import { matchError, matchText, type ErrorExpectation } from "../expectation.js";
import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import type { Instance } from "../instance.js";
import { match, type Mismatch } from "../matching.js";
import { lackIn, Unavailable } from "../unavailable.js";
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
type StackOutcome = { readonly virtualSeconds: number } & ({ readonly refusal: unknown } | { readonly stack: SimStack });

/** How long a stack may take, in virtual seconds. */
const LONGEST_DEPLOYMENT_SECONDS = 7_200;

/** Creates a stack, or updates the one that is there, and waits until it rests. */
export async function runDeploy(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  // A template has `${…}` of its own and is taken as it stands.
  const { template } = (step as unknown as DeployStep).deploy; // told by the step's key
  const { deploy, instance: instanceName } = run.filled<DeployStep>({ ...step, deploy: { ...(step["deploy"] as object), template: undefined } });
  const instance = run.instance(instanceName);
  const cloudFormation = instance.simAws.cloudFormation();
  const request = { stackName: deploy.stack, template, parameters: generate(deploy.parameters ?? {}) as Record<string, string> }; // the format's README
  const outcome = await stackOutcome(instance, deploy.stack, () => (instance.stacks.has(deploy.stack) ? cloudFormation.updateTemplate(request) : cloudFormation.deployTemplate(request)));
  if ("stack" in outcome) {
    const custom = outcome.stack.skippedResources.find(({ type }) => type.startsWith("Custom::") || type === "AWS::CloudFormation::CustomResource");
    if (custom !== undefined) throw new Unavailable(`custom resources (${custom.type})`);
  }
  const mismatch = matchStack(deploy.expect ?? {}, outcome);
  if (mismatch !== undefined) return mismatch;
  for (const [variable, path] of Object.entries(deploy.save ?? {})) run.variables.set(variable, "stack" in outcome ? valueAt({ outputs: outputsOf(outcome.stack) }, path) : undefined);
  return undefined;
}

/** Deletes a stack and waits until it rests. */
export async function runDeleteStack(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { deleteStack, instance: instanceName } = run.filled<DeleteStackStep>(step);
  const instance = run.instance(instanceName);
  const { stack: stackName, expect = {} } = deleteStack;
  const stack = instance.stacks.get(stackName);
  if (stack === undefined) throw new Error(`The case has deployed no stack ${stackName}.`);
  const outcome = await stackOutcome(instance, stackName, async () => {
    await instance.simAws.cloudFormation().deleteStack({ input: { StackName: stackName } });
    return stack;
  });
  return matchStack({ status: "DELETE_COMPLETE", ...expect }, outcome);
}

/** Makes a request for a stack and moves the clock, second by second, until the stack rests. */
async function stackOutcome({ simAws, stacks }: Instance, stackName: string, request: () => Promise<SimStack>): Promise<StackOutcome> {
  const clock = simAws.clock();
  const startedMs = clock.now().getTime();
  const virtualSeconds = (): number => (clock.now().getTime() - startedMs) / 1000;
  let stack: SimStack;
  try {
    stack = await request();
  } catch (error) {
    if (lackIn(error) !== undefined) throw error;
    return { refusal: error, virtualSeconds: virtualSeconds() };
  }
  await simAws.backgroundTasksComplete();
  while (!isAtRest(stack) && virtualSeconds() < LONGEST_DEPLOYMENT_SECONDS) await clock.advanceBy({ seconds: 1 });
  if (stack.status === "DELETE_COMPLETE") stacks.delete(stackName);
  else stacks.set(stackName, stack);
  return { stack, virtualSeconds: virtualSeconds() };
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
  const { stack, virtualSeconds } = outcome;
  if (expected.error !== undefined) return { path: "error", expected: expected.error, actual: stack.status };
  const { status = { $regex: "^(?!.*ROLLBACK).*_COMPLETE$" }, minVirtualSeconds = 0, maxVirtualSeconds = Number.POSITIVE_INFINITY } = expected;
  // Why a stack failed is the better half of the message.
  const wrongStatus = match(status, stack.status, "status");
  if (wrongStatus !== undefined) return { ...wrongStatus, actual: `${stack.status} (${reasonsOf(stack).join("; ")})` };
  if (virtualSeconds < minVirtualSeconds || virtualSeconds > maxVirtualSeconds) return { path: "virtualSeconds", expected: [minVirtualSeconds, maxVirtualSeconds], actual: virtualSeconds };
  return matchContent(expected, stack);
}

function matchRefusal({ error, orError, reason }: StackExpectation, refusal: unknown): Mismatch | undefined {
  if (error === undefined && orError === undefined) return { path: "status", expected: "a deployment", actual: refusal };
  return matchError(error ?? { ...(orError && { name: orError }), ...(reason !== undefined && { message: reason }) }, refusal, "cloudformation");
}

function matchContent({ outputs, resources, reason, reasonOf = {}, order, warnings }: StackExpectation, stack: SimStack): Mismatch | undefined {
  const parts: readonly (readonly [path: string, pattern: unknown, actual: () => unknown])[] = [
    ["outputs", outputs, () => outputsOf(stack)],
    ["resources", resources && { $unordered: resources.$exactIds }, () => completeIdsOf(stack)],
    ["order", order && { $subsequence: order }, () => completionOrderOf(stack)],
    ["warnings", warnings, () => warningsOf(stack)],
  ];
  for (const [path, pattern, actual] of parts) {
    const mismatch = pattern === undefined ? undefined : match(pattern, actual(), path);
    if (mismatch !== undefined) return mismatch;
  }
  if (reason !== undefined && !reasonsOf(stack).some((text) => text.toLowerCase().includes(reason.toLowerCase()))) return { path: "reason", expected: reason, actual: reasonsOf(stack) };
  for (const [logicalId, expected] of Object.entries(reasonOf)) {
    const reasons = reasonsOf(stack, logicalId);
    const mismatches = (reasons.length === 0 ? [undefined] : reasons).map((text) => matchText(expected, text, `reasonOf.${logicalId}`));
    if (!mismatches.includes(undefined)) return mismatches[0];
  }
  return undefined;
}

function outputsOf(stack: SimStack): Readonly<Record<string, string>> {
  return stack.outputs;
}

/** Why things happened, as the events say; for one resource or for all. */
function reasonsOf({ events }: SimStack, logicalId?: string): string[] {
  return events
    .filter(({ LogicalResourceId }) => logicalId === undefined || LogicalResourceId === logicalId)
    .flatMap(({ ResourceStatusReason }) => (ResourceStatusReason === undefined ? [] : [ResourceStatusReason]));
}

/** The logical ids of the resources that are there. */
function completeIdsOf({ resources }: SimStack): string[] {
  return Object.values(resources)
    .filter(({ status }) => status.endsWith("_COMPLETE") && status !== "DELETE_COMPLETE")
    .map(({ logicalId }) => logicalId);
}

/** The logical ids in the order in which they came to rest. */
function completionOrderOf({ events }: SimStack): (string | undefined)[] {
  const complete = events.filter(({ ResourceStatus, LogicalResourceId, StackName }) => ResourceStatus?.endsWith("_COMPLETE") === true && LogicalResourceId !== StackName);
  return complete.map(({ LogicalResourceId }) => LogicalResourceId);
}

/** What the stack was deployed without, as lines. */
function warningsOf({ ignoredProperties, skippedResources }: SimStack): string[] {
  return [
    ...skippedResources.map(({ logicalId, type, skippedReason }) => `${logicalId} (${type}): ${skippedReason}`),
    ...ignoredProperties.map(({ logicalId, resourceType, path, reason }) => `${logicalId} (${resourceType}) ${path}: ${reason}`),
  ];
}
