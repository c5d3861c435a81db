import { frames, type World } from "@sandstack/core";

/**
 * What the SDK's waiters ask again and again until a state is reached (`waitUntilStackCreateComplete`, `waitUntilFunctionActive`, …), and
 * what deploy tools poll, by service.
 */
const WAITED_FOR: Readonly<Record<string, ReadonlySet<string>>> = {
  cloudformation: new Set(["DescribeStacks", "DescribeStackEvents", "DescribeChangeSet"]),
  lambda: new Set(["GetFunction", "GetFunctionConfiguration"]),
};

/**
 * Before a question that a waiter repeats, runs what is runnable now: with a manual clock nobody else does while the client waits in real time.
 * The clock stays where it is.
 */
export async function runWhatIsWaitedFor(world: World, serviceId: string, operationName: string): Promise<void> {
  if (world.clockMode === "live" || WAITED_FOR[serviceId]?.has(operationName) !== true) return;
  // Inside an invocation the background is waiting for the one who asks.
  if (frames.getStore()?.work === undefined) await world.background.settle();
}
