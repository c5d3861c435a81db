import type { LogRecord } from "sandstack";
import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import { resetInstance } from "../instance.js";
import { match, type Mismatch } from "../matching.js";

interface HistoryStep {
  readonly history: { readonly messageId: string; readonly expect: unknown };
  readonly instance?: string;
}

interface PeekStep {
  readonly peek: { readonly queueUrl: string; readonly expect: unknown };
  readonly instance?: string;
}

/** The sandbox's own account of one message. */
export async function runHistory(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { history, instance } = run.filled<HistoryStep>(step);
  const records = [...run.instance(instance).simAws.log().filter({ message: history.messageId })];
  return match(history.expect, records.map(eventOf).filter((event) => event !== undefined), "history");
}

/** The members that records of messages have, each as far as its kind has it. */
interface MessageRecord {
  readonly queueArn?: string;
  readonly deadLetterQueueArn?: string;
  readonly receiveCount?: number;
}

/** A record under the name that the cases have for it; `undefined` for those they do not speak of. */
function eventOf(record: LogRecord): object | undefined {
  const { queueArn, deadLetterQueueArn, receiveCount } = record as MessageRecord; // each kind has some of these
  const queue = queueName(queueArn);
  switch (record.kind) {
    case "sqs.message.sent":
      return { event: "sent", queue };
    case "sqs.message.received":
      return { event: "received", queue, receiveCount };
    case "sqs.message.returned":
      return { event: "visible-again", queue };
    case "sqs.message.deleted":
      return { event: "deleted", queue };
    case "sqs.message.expired":
      return { event: "expired", queue };
    case "sqs.message.moved":
      return { event: "moved", from: queue, to: queueName(deadLetterQueueArn) };
    case "sqs.message.redriven":
      return { event: "moved", from: queueName(deadLetterQueueArn), to: queue };
    default:
      return undefined;
  }
}

function queueName(arn: string | undefined): string | undefined {
  return arn?.slice(arn.lastIndexOf(":") + 1);
}

/** The messages of a queue, without receiving them. */
export async function runPeek(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { peek, instance } = run.filled<PeekStep>(step);
  return match(peek.expect, run.instance(instance).simAws.sqs().messages(peek.queueUrl), "messages");
}

export async function runReset(run: CaseRun, step: Step): Promise<undefined> {
  const { reset } = run.filled<{ reset: { instance?: string } }>(step);
  resetInstance(run.instance(reset.instance));
}
