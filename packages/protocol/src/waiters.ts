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
 * True for a question that a waiter repeats, before which what is runnable now has to run: with a manual clock nobody else sees to it while the
 * client waits in real time. The clock stays where it is.
 */
export function isPolled(world: World, serviceId: string, operationName: string): boolean {
  // Inside an invocation the background is waiting for the one who asks.
  return world.clockMode === "manual" && WAITED_FOR[serviceId]?.has(operationName) === true && frames.getStore()?.work === undefined;
}
