import type { ResourceContext } from "@sandstack/core";

/** Puts a policy on queues, or takes it off them where `document` is left out. */
export async function setPolicy(ctx: ResourceContext, queueUrls: readonly string[], document?: object | string): Promise<void> {
  const Policy = typeof document === "object" ? JSON.stringify(document) : (document ?? "");
  // Taking the policy off a queue that is already gone is done; putting one on it is the template's mistake.
  const ignore = document === undefined ? ["QueueDoesNotExist"] : [];
  for (const QueueUrl of queueUrls) await ctx.call("sqs", "SetQueueAttributes", { QueueUrl, Attributes: { Policy } }, { ignore });
}
