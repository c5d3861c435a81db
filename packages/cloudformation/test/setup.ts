import { SimAws, type SimAwsOptions } from "sandstack";
import type { DeployTemplateOptions, SimStack } from "sandstack/cloudformation";

export const START = new Date("2024-05-01T12:00:00.000Z");

export function makeWorld(options: SimAwsOptions = {}): SimAws {
  return new SimAws({ startTime: START, ...options });
}

/** Deploys a template and waits for it. */
export async function deploy(simAws: SimAws, template: object | string, options: Partial<DeployTemplateOptions> = {}): Promise<SimStack> {
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template, ...options });
  return stack.waitForDeployComplete();
}

/** Updates the stack and waits for it. */
export async function update(simAws: SimAws, template: object | string, options: Partial<DeployTemplateOptions> = {}): Promise<SimStack> {
  const stack = await simAws.cloudFormation().updateTemplate({ stackName: "shop", template, ...options });
  return stack.waitForDeployComplete();
}

/** Names of the queues that there are. */
export async function queueNames(simAws: SimAws): Promise<string[]> {
  const { QueueUrls = [] } = await simAws.sqs().listQueues({ input: {} });
  return QueueUrls.map((url) => url.slice(url.lastIndexOf("/") + 1)).sort();
}

/** The events oldest first, each as `<logical id> <status>` with what follows. */
export function eventLines(stack: SimStack): string[] {
  return stack.events.toReversed().map(({ LogicalResourceId, ResourceStatus, ResourceStatusReason = "" }) => `${LogicalResourceId} ${ResourceStatus} ${ResourceStatusReason}`.trim());
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error; // what is rejected with here are errors
  }
  throw new Error("it was not rejected");
}
