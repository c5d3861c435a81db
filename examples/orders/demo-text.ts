import { styleText } from "node:util";
import type { LogRecord, SimLog } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";

const INDENT = "   ";
const isTerminal = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;

export function heading(text: string): void {
  process.stdout.write(`\n${isTerminal ? styleText("bold", text) : text}\n`);
}

export function line(text: string): void {
  process.stdout.write(`${text.replace(/^/gm, INDENT)}\n`);
}

const timings: { readonly what: string; readonly ms: number }[] = [];

/** Runs `run` and notes how long it took in real time. */
export async function took<T>(what: string, run: () => T | Promise<T>): Promise<T> {
  const startMs = performance.now();
  const result = await run();
  timings.push({ what, ms: performance.now() - startMs });
  return result;
}

took.report = (): void => {
  for (const { what, ms } of timings) line(`${ms.toFixed(1).padStart(8)} ms  ${what}`);
};

/** Tells what happened to the orders: the records of the log in the shop's words. */
export function story(log: SimLog, stack: SimStack, orderIds: ReadonlyMap<string, string>): void {
  const tell = teller(stack, orderIds);
  for (const record of log) {
    const sentence = tell(record);
    if (sentence !== undefined) line(`${new Date(record.atMs).toISOString().slice(11, 23)}  ${sentence}`);
  }
}

function teller(stack: SimStack, orderIds: ReadonlyMap<string, string>): (record: LogRecord) => string | undefined {
  const names = new Map(["Orders", "FailedOrders", "Shipments", "Consumer"].map((name) => [String(stack.getResource(`Orders/${name}`).attributes["Arn"]), name]));
  const named = (arn: string): string => names.get(arn) ?? arn;
  const order = (messageId: string): string => orderIds.get(messageId) ?? "a shipment";
  const who = (principal: string | undefined): string => (principal?.includes("Shop") ? "The shop" : "Consumer");
  return (record) => {
    switch (record.kind) {
      case "sqs.message.sent":
        return `${who(record.principal)} sent ${order(record.messageId)} to ${named(record.queueArn)}`;
      case "sqs.message.returned":
        return `${order(record.messageId)} came back to ${named(record.queueArn)}: nobody deleted it in time`;
      case "sqs.message.deleted":
        return `${order(record.messageId)} is done and gone from ${named(record.queueArn)}`;
      case "sqs.message.moved":
        return `${order(record.messageId)} was moved to ${named(record.deadLetterQueueArn)}, after ${record.receiveCount} tries`;
      case "lambda.invocation.started":
        return `${named(record.functionArn)} was invoked with ${(record.messageIds ?? []).map(order).join(", ")}`;
      case "lambda.invocation.succeeded":
        return `${named(record.functionArn)} succeeded`;
      case "lambda.invocation.failed":
        return `${named(record.functionArn)} failed: ${record.errorType}: ${record.errorMessage}`;
      default:
        return undefined;
    }
  };
}
