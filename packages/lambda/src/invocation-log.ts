import { LOG_TAIL_BYTES } from "./limits.js";

/** The lines that one invocation leaves in its function's log group, as Lambda writes them. */
export class InvocationLog {
  readonly #requestId: string;
  readonly #lines: string[] = [];

  constructor(requestId: string, version: string) {
    this.#requestId = requestId;
    this.#lines.push(`START RequestId: ${requestId} Version: ${version}`);
  }

  /** `level` is absent for what was written to the streams themselves. */
  write(nowMs: number, level: string | undefined, text: string): void {
    this.#lines.push(level === undefined ? text : `${new Date(nowMs).toISOString()}\t${this.#requestId}\t${level}\t${text.replaceAll("\n", "\r")}`);
  }

  timedOut(nowMs: number, timeoutSeconds: number): void {
    this.#lines.push(`${new Date(nowMs).toISOString()} ${this.#requestId} Task timed out after ${timeoutSeconds.toFixed(2)} seconds`, "");
  }

  end(durationMs: number, memorySizeMegabytes: number): void {
    const billedMs = Math.max(1, Math.ceil(durationMs));
    this.#lines.push(
      `END RequestId: ${this.#requestId}`,
      `REPORT RequestId: ${this.#requestId}\tDuration: ${durationMs.toFixed(2)} ms\tBilled Duration: ${billedMs} ms\tMemory Size: ${memorySizeMegabytes} MB\tMax Memory Used: ${memorySizeMegabytes} MB\t`,
    );
  }

  /** `LogResult`: the last 4 KB, in base64. */
  tail(): string {
    const bytes = Buffer.from(`${this.#lines.join("\n")}\n`);
    return bytes.subarray(Math.max(0, bytes.length - LOG_TAIL_BYTES)).toString("base64");
  }
}
