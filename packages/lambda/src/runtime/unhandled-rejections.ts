import { frames, type InFlightWork } from "@sandstack/core";

/** What to do when code of an invocation leaves a rejection to nobody, by the invocation's work. */
const owners = new WeakMap<InFlightWork, (reason: unknown) => void>();
let isListening = false;

/**
 * Has rejections that a function's code leaves to nobody end its invocation, as Lambda does, and not the process that the sandbox runs in.
 * Rejections of anybody else end as they would have without this.
 */
export function ownUnhandledRejections(work: InFlightWork, onRejection: (reason: unknown) => void): void {
  owners.set(work, onRejection);
  if (isListening) return;
  isListening = true;
  process.on("unhandledRejection", (reason) => {
    const work = frames.getStore()?.work;
    const owner = work === undefined ? undefined : owners.get(work);
    if (owner !== undefined) owner(reason);
    // Node's own answer where nobody listens; a listener must not change it for others.
    else if (process.listenerCount("unhandledRejection") === 1) throw reason;
  });
}
