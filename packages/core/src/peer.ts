import { createRequire } from "node:module";
import { simError } from "./errors.js";

// `require`, not `import()`: it gives the same class objects as the user's own import, also inside jest, where a dynamic import fails.
const requirePeer = createRequire(import.meta.url);

/**
 * Loads an optional peer dependency on first need.
 *
 * @param packageName for example `@aws-sdk/client-sqs`
 * @param neededFor what the user asked for, as the end of a sentence: "to deploy a CDK app"
 * @throws SimMissingPeer naming the package to install
 */
export function loadPeer<T = Record<string, unknown>>(packageName: string, neededFor: string): T {
  const peer = findPeer<T>(packageName);
  if (peer === undefined) {
    throw simError("SimMissingPeer", `${packageName} is needed ${neededFor} and is not installed. Install it: npm install --save-dev ${packageName}`);
  }
  return peer;
}

/** As `loadPeer`, but answers `undefined` when the package is not installed. */
export function findPeer<T = Record<string, unknown>>(packageName: string): T | undefined {
  try {
    return requirePeer(packageName) as T; // the caller names the package's own type
  } catch (error) {
    // Only "it is not there" is an answer; a peer that is there and fails to load is the user's to see.
    const { code } = error as { code?: string };
    if (code === "MODULE_NOT_FOUND" && String((error as Error).message).includes(packageName)) return undefined;
    throw error;
  }
}
