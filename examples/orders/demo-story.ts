import { styleText } from "node:util";
import type { LogRecord, SimLog } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";

const isTerminal = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;

export function heading(text: string): void {
  process.stdout.write(`\n${isTerminal ? styleText("bold", text) : text}\n`);
}

export function line(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

const times: { readonly what: string; readonly ms: number }[] = [];

/** Runs `run` and notes how long it took. */
export async function took<T>(what: string, run: () => T | Promise<T>): Promise<T> {
  const startMs = performance.now();
  const result = await run();
  times.push({ what, ms: performance.now() - startMs });
  return result;
}

export function reportTimes(): void {
  for (const { what, ms } of times) line(`${ms.toFixed(1).padStart(7)} ms  ${what}`);
}

/** Tells the log in the shop's words. */
export class Story {
  readonly #namesByArn: ReadonlyMap<string, string>;
  readonly #namesByMessage = new Map<string, string>();

  constructor(stack: SimStack) {
    this.#namesByArn = new Map(["Orders", "FailedOrders", "Shipments", "Consumer"].map((name) => [String(stack.getResource(`Orders/${name}`).attributes["Arn"]), name]));
  }

  /** Gives a message the name that the story calls it by. */
  introduce(messageId: string | undefined, name: string): void {
    if (messageId !== undefined) this.#namesByMessage.set(messageId, name);
  }

  tell(log: SimLog): void {
    for (const record of log) {
      const sentence = this.#sentenceOf(record);
      if (sentence !== undefined) line(`${new Date(record.atMs).toISOString().slice(11, 23)}  ${sentence}`);
    }
  }

  #sentenceOf(record: LogRecord): string | undefined {
    switch (record.kind) {
      case "sqs.message.sent":
        return `${record.principal?.includes("Shop") ? "The shop" : "Consumer"} sent ${this.#message(record.messageId)} to ${this.#named(record.queueArn)}`;
      case "sqs.message.returned":
        return `${this.#message(record.messageId)} came back to ${this.#named(record.queueArn)}: its visibility timeout lapsed`;
      case "sqs.message.deleted":
        return `${this.#message(record.messageId)} is done and gone from ${this.#named(record.queueArn)}`;
      case "sqs.message.moved":
        return bad(`${this.#message(record.messageId)} was moved to ${this.#named(record.deadLetterQueueArn)}, after ${record.receiveCount} tries`);
      case "lambda.invocation.started":
        return `${this.#named(record.functionArn)} was invoked with ${this.#messages(record.messageIds)}`;
      case "lambda.invocation.succeeded":
        return `${this.#named(record.functionArn)} returned`;
      case "lambda.invocation.failed":
        return bad(`${this.#named(record.functionArn)} failed: ${record.errorMessage}`);
      case "lambda.batch.partly-failed":
        return bad(`${this.#named(record.functionArn)} reported ${this.#messages(record.messageIds)} as failed`);
      default:
        return undefined;
    }
  }

  #named(arn: string): string {
    return this.#namesByArn.get(arn) ?? arn;
  }

  #message(messageId: string): string {
    return this.#namesByMessage.get(messageId) ?? messageId;
  }

  #messages(messageIds: readonly string[] = []): string {
    return messageIds.map((messageId) => this.#message(messageId)).join(", ");
  }
}

function bad(text: string): string {
  return isTerminal ? styleText("red", text) : text;
}
