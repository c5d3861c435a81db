// The kinds of all services narrow to their own members.
import { SimAws, type LogRecord } from "sandstack";

export function told(record: LogRecord): string | undefined {
  switch (record.kind) {
    case "sqs.message.sent":
      return record.messageId;
    case "lambda.invocation.failed":
      return `${record.errorType}: ${record.errorMessage}`;
    case "cloudformation.stack.changed":
      return record.stackName;
    case "call.denied":
      return record.explanation;
    // @ts-expect-error there is no such kind
    case "lambda.invocation.faild":
      return undefined;
    default:
      return undefined;
  }
}

const failures = new SimAws().log().filter({ kind: "lambda.invocation.failed" });
export const messages: string[] = failures.records.map(({ errorMessage }) => errorMessage);
// @ts-expect-error a filter that there is not
new SimAws().log().filter({ mesage: "m" });
