import { loadClient } from "./sdk-client.js";

/** Something a case uses and the sandbox has not got: the case is skipped, never failed. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  /** What is lacking: `sns`, `sqs:ListMessageMoveTasks`, `peek`. */
  readonly what: string;

  constructor(what: string) {
    super(`The sandbox has not got ${what}.`);
    this.what = what;
  }
}

/** What is lacking, when that is what `error` says. */
export function lackIn(error: unknown): string | undefined {
  if (error instanceof Unavailable) return error.what;
  const { name, message } = error as { name?: unknown; message?: unknown };
  if (name !== "SimUnsupported") return undefined;
  return /has not got ([^.]*(?:\.(?!\s|$)[^.]*)*)/.exec(String(message))?.[1] ?? String(message);
}

/** The SDK's package of a service. @throws Unavailable when it is not installed, as for the services the sandbox has not got */
export function clientOf(service: string): Readonly<Record<string, unknown>> {
  const client = loadClient(service);
  if (client === undefined) throw new Unavailable(service);
  return client;
}
