import sandstack = require("sandstack");
import sqs = require("sandstack/sqs");

export const now: Date = new sandstack.SimAws().clock().now();

export function isMissing(error: unknown): boolean {
  return error instanceof sqs.SimSqsQueueDoesNotExist;
}
