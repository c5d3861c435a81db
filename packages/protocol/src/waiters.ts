import { frames, type World } from "@sandstack/core";
import type { WireService } from "./services.js";

/**
 * True for a question that a waiter repeats, before which what is runnable now has to run: with a manual clock nobody else sees to it while the
 * client waits in real time. The clock stays where it is.
 */
export function isPolled(world: World, { polledOperations = [] }: WireService, operationName: string): boolean {
  // Inside an invocation the background is waiting for the one who asks.
  return world.clockMode === "manual" && polledOperations.includes(operationName) && frames.getStore()?.work === undefined;
}
