import { LOG_CAPACITY, SimLog, withPeriod, type LogFilter, type LogRecord } from "@sandstack/core";
import { appendToLog, emptyLog, recordsOf } from "../src/log.js";

function numbered(count: number): { log: ReturnType<typeof emptyLog>; ids: () => number[] } {
  const log = emptyLog();
  for (let id = 1; id <= count; id++) appendToLog(log, { id, atMs: id, kind: "clock.advanced", fromMs: 0 });
  return { log, ids: () => recordsOf(log).map((record) => record.id) };
}

test.each([
  { name: "none", count: 0, first: undefined, kept: 0 },
  { name: "one less than it holds", count: LOG_CAPACITY - 1, first: 1, kept: LOG_CAPACITY - 1 },
  { name: "as many as it holds", count: LOG_CAPACITY, first: 1, kept: LOG_CAPACITY },
  { name: "one more: the oldest goes", count: LOG_CAPACITY + 1, first: 2, kept: LOG_CAPACITY },
  { name: "more than twice over", count: 2 * LOG_CAPACITY + 7, first: LOG_CAPACITY + 8, kept: LOG_CAPACITY },
])("the log keeps its newest records in order: $name", ({ count, first, kept }) => {
  const { log, ids } = numbered(count);
  expect(log.appended).toBe(count);
  expect(ids()).toEqual(Array.from({ length: kept }, (_, index) => (first ?? 0) + index));
});

const queueArn = "arn:aws:sqs:us-east-1:111111111111:orders";
const deadLetterQueueArn = "arn:aws:sqs:us-east-1:111111111111:orders-dead";
const functionArn = "arn:aws:lambda:us-east-1:111111111111:function:consumer";

/** Records with the members that services give theirs. */
const records = [
  { id: 1, kind: "sqs.message.sent", queueArn, messageId: "m1", principal: "arn:aws:iam::111111111111:user/alice" },
  { id: 2, kind: "sqs.message.sent", queueArn: `${queueArn}-2`, messageId: "m2" },
  { id: 3, kind: "lambda.invocation.started", functionArn, messageIds: ["m1", "m2"] },
  { id: 4, kind: "sqs.message.moved", queueArn, deadLetterQueueArn, messageId: "m1" },
  { id: 5, kind: "cloudformation.stack.created", stackName: "shop", principal: "cloudformation.amazonaws.com" },
  { id: 6, kind: "lambda.mapping.created", functionArn: "arn:aws:lambda:us-east-1:111111111111:function:billing:live" },
].map((record) => ({ atMs: Date.UTC(2026, 0, 1, 0, 0, record.id), ...record }) as unknown as LogRecord); // kinds of services, which core does not know

const log = new SimLog(records, (record) => `${record.kind} happened`);

test.each<{ name: string; filter: object; ids: number[] }>([
  { name: "nothing asked", filter: {}, ids: [1, 2, 3, 4, 5, 6] },
  { name: "a message, alone and in a batch", filter: { message: "m1" }, ids: [1, 3, 4] },
  { name: "a queue by name, as source and as dead-letter queue", filter: { queue: "orders" }, ids: [1, 4] },
  { name: "a queue by ARN", filter: { queue: `${queueArn}-2` }, ids: [2] },
  { name: "a queue by URL, whatever its host", filter: { queue: "http://localhost:4566/111111111111/orders-dead" }, ids: [4] },
  { name: "a function by name", filter: { function: "consumer" }, ids: [3] },
  { name: "a function by ARN", filter: { function: functionArn }, ids: [3] },
  { name: "a function that is recorded with its qualifier", filter: { function: "billing" }, ids: [6] },
  { name: "a stack", filter: { stack: "shop" }, ids: [5] },
  { name: "a user", filter: { principal: "arn:aws:iam::111111111111:user/alice" }, ids: [1] },
  { name: "a service", filter: { principal: "cloudformation.amazonaws.com" }, ids: [5] },
  { name: "one kind", filter: { kind: "sqs.message.sent" }, ids: [1, 2] },
  { name: "two kinds", filter: { kind: ["sqs.message.sent", "sqs.message.moved"] }, ids: [1, 2, 4] },
  { name: "no kind at all", filter: { kind: [] }, ids: [] },
  { name: "everything at once", filter: { kind: "sqs.message.moved", queue: "orders", message: "m1" }, ids: [4] },
  { name: "a part of a name", filter: { queue: "order" }, ids: [] },
])("filter: $name", ({ filter, ids }) => {
  const found = log.filter(filter as LogFilter); // kinds of services, as above
  expect([...found].map(({ id }) => id)).toEqual(ids);
});

test.each([
  { text: "No queue is there", sentence: "No queue is there." },
  { text: "The queue does not exist.", sentence: "The queue does not exist." },
  { text: "Why?", sentence: "Why?" },
])("a message ends in a period once: $text", ({ text, sentence }) => {
  expect(withPeriod(text)).toBe(sentence);
});

test("a log reads as lines with the sandbox's time, filtered or not", () => {
  expect(String(log.filter({ message: "m2" }))).toBe("2026-01-01T00:00:02.000Z  sqs.message.sent happened\n2026-01-01T00:00:03.000Z  lambda.invocation.started happened");
  expect(String(log.filter({ message: "nobody" }))).toBe("");
});
