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

/** What is lacking, when that is what `error` says: the sandbox's own error, or the form that it has on the wire. */
export function lackIn(error: unknown): string | undefined {
  if (error instanceof Unavailable) return error.what;
  const { name, message } = error as { name?: unknown; message?: unknown }; // whatever was thrown may be asked
  return name === "SimUnsupported" || name === "NotImplemented" ? lackInMessage(String(message)) ?? String(message) : undefined;
}

/** What is lacking, from the first sentence of the sandbox's message. */
export function lackInMessage(message: string): string | undefined {
  return /^The sandbox has not got (?:the service )?(.+?)\.(?:\s|$)/.exec(message)?.[1];
}

/** The SDK's package of a service. @throws Unavailable when it is not installed, as for the services the sandbox has not got */
export function clientOf(service: string): Readonly<Record<string, unknown>> {
  const client = loadClient(service);
  if (client === undefined) throw new Unavailable(service);
  return client;
}
