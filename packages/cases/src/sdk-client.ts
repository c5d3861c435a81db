import { createRequire } from "node:module";

// `require` gives the classes that the sandbox's own errors are instances of, also inside jest.
const requireClient = createRequire(import.meta.url);

/** The exports of `@aws-sdk/client-<service>`, or `undefined` when it is not installed. */
export function loadClient(service: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return requireClient(`@aws-sdk/client-${service}`) as Record<string, unknown>; // a module's exports
  } catch (error) {
    if ((error as { code?: string }).code === "MODULE_NOT_FOUND") return undefined; // Node's errors of loading have a code
    throw error;
  }
}
