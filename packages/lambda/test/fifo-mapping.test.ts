import { UpdateEventSourceMappingCommand, type CreateEventSourceMappingCommandInput } from "@aws-sdk/client-lambda";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import fc from "fast-check";
import type { SimAws } from "sandstack";
import type { SimLambdaSqsEvent } from "sandstack/lambda";
import { bodiesOf, counts, createCode, createHandler, createQueue, functionWorld, map, queueUrl, receive } from "./function-world.js";

const FIFO = { FifoQueue: "true", ContentBasedDeduplication: "true" };

/** Sends messages one after the other, each to the group its body begins with: `a1` to `a`. */
async function sendAll(simAws: SimAws, ...bodies: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const MessageBody of bodies) ids.push((await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: queueUrl("q.fifo"), MessageBody, MessageGroupId: MessageBody[0] }))).MessageId!);
  return ids;
}

/** A world whose function records its batches' bodies and then does what `act` says. */
async function consumerWorld(act: (bodies: string[], event: SimLambdaSqsEvent) => unknown = () => undefined, attributes: Record<string, string> = {}): Promise<{ simAws: SimAws; batches: string[][] }> {
  const simAws = await functionWorld();
  const batches: string[][] = [];
  await createQueue(simAws, "q.fifo", { ...FIFO, ...attributes });
  await createHandler(simAws, "fn", async (event: SimLambdaSqsEvent) => {
    batches.push(bodiesOf(event));
    return act(bodiesOf(event), event);
  });
  return { simAws, batches };
}

describe("batches", () => {
  test("hold a group's messages in their order, and each message comes once", async () => {
    const { simAws, batches } = await consumerWorld();
    await sendAll(simAws, "a1", "b1", "a2", "a3", "b2");
    await map(simAws, "fn", "q.fifo", { BatchSize: 2 });
    await simAws.backgroundTasksComplete();
    expect(batches.flat().filter((body) => body.startsWith("a"))).toEqual(["a1", "a2", "a3"]);
    expect(batches.flat().filter((body) => body.startsWith("b"))).toEqual(["b1", "b2"]);
    expect(batches[0]).toEqual(["a1", "a2"]);
    expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 0 });
  });

  test("carry the attributes of FIFO queues", async () => {
    let event: SimLambdaSqsEvent | undefined;
    const { simAws } = await consumerWorld((_, received) => void (event = received));
    await map(simAws, "fn", "q.fifo");
    await sendAll(simAws, "a1");
    await simAws.backgroundTasksComplete();
    expect(event!.Records[0]!.attributes).toEqual({
      ApproximateReceiveCount: "1",
      SentTimestamp: expect.stringMatching(/^\d{13}$/),
      SequenceNumber: expect.stringMatching(/^\d{20}$/),
      MessageGroupId: "a",
      SenderId: expect.any(String),
      MessageDeduplicationId: expect.stringMatching(/^[0-9a-f]{64}$/),
      ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
    });
  });

  test.each<{ name: string; input: Partial<CreateEventSourceMappingCommandInput>; message: string }>([
    { name: "a window", input: { MaximumBatchingWindowInSeconds: 1 }, message: "Batching window is not supported for FIFO queues" },
    { name: "11 messages", input: { BatchSize: 11 }, message: "BatchSize must be between 1 and 10 for FIFO SQS" },
  ])("of $name are refused, for a new mapping and an old one", async ({ input, message }) => {
    const { simAws, batches } = await consumerWorld();
    const refusal = { name: "InvalidParameterValueException", message, $metadata: { httpStatusCode: 400 } };
    await expect(map(simAws, "fn", "q.fifo", input)).rejects.toMatchObject(refusal);
    await sendAll(simAws, "a1");
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([]);
    const UUID = await map(simAws, "fn", "q.fifo", { BatchSize: 10 });
    await expect(simAws.lambda().updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, ...input }))).rejects.toMatchObject(refusal);
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([["a1"]]);
  });
});

test("there is one invocation at a time for a group, while groups run side by side", async () => {
  const simAws = await functionWorld();
  await createQueue(simAws, "q.fifo", FIFO);
  await createCode(simAws, "fn", "exports.handler = () => new Promise((resolve) => setTimeout(resolve, 2_000));");
  const ids = await sendAll(simAws, "a1", "a2", "b1", "a3", "b2");
  await map(simAws, "fn", "q.fifo", { BatchSize: 1 });
  await simAws.clock().advanceBy({ seconds: 10 });
  const bodyOf = new Map(["a1", "a2", "b1", "a3", "b2"].map((body, index) => [ids[index], body]));
  const startMs = Date.parse("2026-01-01T00:00:00Z");
  const starts = simAws.log().filter({ kind: "lambda.invocation.started" }).records.map(({ atMs, messageIds = [] }) => [(atMs - startMs) / 1000, ...messageIds.map((id) => bodyOf.get(id))]);
  expect(starts).toEqual([[0, "a1"], [0, "b1"], [2, "a2"], [2, "b2"], [4, "a3"]]);
  expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 0 });
});

test("messages that no filter wants are deleted, and do not hold up their group", async () => {
  const { simAws, batches } = await consumerWorld();
  await sendAll(simAws, "a1", "b1", "a2", "a3", "b2");
  await map(simAws, "fn", "q.fifo", { BatchSize: 2, FilterCriteria: { Filters: [{ Pattern: JSON.stringify({ body: ["a2", "a3", "b2"] }) }] } });
  await simAws.backgroundTasksComplete();
  expect(batches.flat().filter((body) => body.startsWith("a"))).toEqual(["a2", "a3"]);
  expect(batches.flat().filter((body) => body.startsWith("b"))).toEqual(["b2"]);
  expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 0 });
});

test("MaximumConcurrency bounds the groups that run side by side", async () => {
  const simAws = await functionWorld();
  await createQueue(simAws, "q.fifo", FIFO);
  await createCode(simAws, "fn", "exports.handler = () => new Promise((resolve) => setTimeout(resolve, 2_000));");
  await sendAll(simAws, "a1", "b1", "c1");
  await map(simAws, "fn", "q.fifo", { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } });
  await simAws.backgroundTasksComplete();
  expect(await counts(simAws, "q.fifo")).toEqual({ visible: 1, inFlight: 2 });
  await simAws.clock().advanceBy({ seconds: 4 });
  expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 0 });
});

/** A message `a2:1:1500`: of group a, worked off at its second time, which takes 1.5 s. */
const WORK = `exports.handler = async ({ Records }) => {
  const failed = new Map();
  let ms = 0;
  for (const { messageId, body, attributes: { ApproximateReceiveCount, MessageGroupId } } of Records) {
    const [, failures, takes] = body.split(":").map(Number);
    ms += takes;
    // As the developer guide advises: what follows a failed message of its group has failed as well.
    if (failed.has(MessageGroupId) || Number(ApproximateReceiveCount) <= failures) failed.set(MessageGroupId, [...(failed.get(MessageGroupId) ?? []), { itemIdentifier: messageId }]);
  }
  await new Promise((resolve) => setTimeout(resolve, ms));
  return { batchItemFailures: [...failed.values()].flat() };
};`;

test("whatever fails and however long it takes, each group is worked off in its order, one invocation at a time", async () => {
  const messages = fc.array(fc.record({ group: fc.constantFrom("a", "b", "c"), failures: fc.integer({ min: 0, max: 2 }), ms: fc.integer({ min: 0, max: 900 }) }), { minLength: 1, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(messages, fc.integer({ min: 1, max: 10 }), fc.boolean(), async (sent, BatchSize, isMappedFirst) => {
      const simAws = await functionWorld();
      await createQueue(simAws, "q.fifo", { ...FIFO, VisibilityTimeout: "15" });
      await createCode(simAws, "fn", WORK, { Timeout: 15 });
      const mapped = () => map(simAws, "fn", "q.fifo", { BatchSize, FunctionResponseTypes: ["ReportBatchItemFailures"] });
      if (isMappedFirst) await mapped();
      const ids = await sendAll(simAws, ...sent.map(({ group, failures, ms }, index) => `${group}${index}:${failures}:${ms}`));
      if (!isMappedFirst) await mapped();
      await simAws.clock().advanceBy({ minutes: 20 });

      const groupOf = new Map(ids.map((id, index) => [id, sent[index]!.group]));
      expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 0 });
      const deleted = simAws.log().filter({ kind: "sqs.message.deleted" }).records.map(({ messageId }) => messageId);
      const running = new Map<string, string>();
      for (const record of simAws.log().filter({ kind: ["lambda.invocation.started", "lambda.invocation.succeeded"] })) {
        for (const group of new Set(record.messageIds!.map((id) => groupOf.get(id)!))) {
          if (record.kind === "lambda.invocation.succeeded") running.delete(group);
          else expect(running.has(group)).toBe(false);
          if (record.kind === "lambda.invocation.started") running.set(group, record.requestId);
        }
      }
      for (const group of ["a", "b", "c"]) {
        const ofGroup = (messageIds: readonly string[]): string[] => messageIds.filter((id) => groupOf.get(id) === group);
        expect(ofGroup(deleted)).toEqual(ofGroup(ids));
      }
    }),
    { numRuns: 25 },
  );
});

describe("when a batch fails", () => {
  test("its group waits for the visibility timeout and comes again in the same order; other groups go on", async () => {
    let isBroken = true;
    const { simAws, batches } = await consumerWorld((bodies) => {
      if (isBroken && bodies.includes("a1")) throw new Error("not yet");
    });
    await map(simAws, "fn", "q.fifo", { BatchSize: 2 });
    await sendAll(simAws, "a1", "a2");
    await simAws.backgroundTasksComplete();
    await sendAll(simAws, "a3", "b1");
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([["a1", "a2"], ["b1"]]);
    isBroken = false;
    await simAws.clock().advanceBy({ milliseconds: 29_999 });
    expect(batches).toHaveLength(2);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(batches.slice(2)).toEqual([["a1", "a2"], ["a3"]]);
  });

  test("in part, what was worked off goes and the rest comes back in order", async () => {
    const failures = [["a2", "a3"], []];
    const { simAws, batches } = await consumerWorld((_, { Records }) => {
      const failed = failures.shift() ?? [];
      return { batchItemFailures: Records.filter(({ body }) => failed.includes(body)).map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await sendAll(simAws, "a1", "a2", "a3");
    await map(simAws, "fn", "q.fifo", { FunctionResponseTypes: ["ReportBatchItemFailures"] });
    await simAws.backgroundTasksComplete();
    expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 2 });
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(batches).toEqual([["a1", "a2", "a3"], ["a2", "a3"]]);
    expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 0 });
  });

  test("in part, of several groups, only the groups of what failed wait", async () => {
    const failures = [["a1", "c2"], []];
    const { simAws, batches } = await consumerWorld((_, { Records }) => {
      const failed = failures.shift() ?? [];
      return { batchItemFailures: Records.filter(({ body }) => failed.includes(body)).map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await sendAll(simAws, "a1", "b1", "c1", "c2");
    await map(simAws, "fn", "q.fifo", { FunctionResponseTypes: ["ReportBatchItemFailures"] });
    await simAws.backgroundTasksComplete();
    await sendAll(simAws, "a2", "b2", "c3");
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([["a1", "b1", "c1", "c2"], ["b2"]]);
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(batches.slice(2).flat().filter((body) => body.startsWith("a"))).toEqual(["a1", "a2"]);
    expect(batches.slice(2).flat().filter((body) => body.startsWith("c"))).toEqual(["c2", "c3"]);
    expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 0 });
  });

  test("by its time-out, its group waits for the visibility timeout", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "q.fifo", { ...FIFO, VisibilityTimeout: "10" });
    await createCode(simAws, "fn", "exports.handler = ({ Records: [{ attributes }] }) => attributes.ApproximateReceiveCount === '1' && new Promise((resolve) => setTimeout(resolve, 60_000));", { Timeout: 2 });
    await map(simAws, "fn", "q.fifo", { BatchSize: 1 });
    await sendAll(simAws, "a1", "a2");
    await simAws.clock().advanceBy({ milliseconds: 9_999 });
    expect(simAws.log().filter({ kind: "lambda.invocation.failed" }).records).toMatchObject([{ errorType: "Sandbox.Timedout" }]);
    expect(await counts(simAws, "q.fifo")).toEqual({ visible: 1, inFlight: 1 });
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(simAws.log().filter({ kind: "lambda.invocation.started" }).records).toHaveLength(4);
    expect(await counts(simAws, "q.fifo")).toEqual({ visible: 0, inFlight: 0 });
  });

  test("too often, its messages go to the dead-letter queue in order, and the group goes on", async () => {
    const simAws = await functionWorld();
    const batches: string[][] = [];
    await createQueue(simAws, "dlq.fifo", FIFO);
    await createQueue(simAws, "q.fifo", { ...FIFO, RedrivePolicy: JSON.stringify({ deadLetterTargetArn: "arn:aws:sqs:us-east-1:888888888888:dlq.fifo", maxReceiveCount: 2 }) });
    await createHandler(simAws, "fn", async (event: SimLambdaSqsEvent) => {
      batches.push(bodiesOf(event));
      if (bodiesOf(event).includes("a1")) throw new Error("poison");
    });
    await map(simAws, "fn", "q.fifo", { BatchSize: 2 });
    await sendAll(simAws, "a1", "a2");
    await simAws.backgroundTasksComplete();
    await sendAll(simAws, "a3");
    await simAws.clock().advanceBy({ seconds: 60 });
    expect(batches).toEqual([["a1", "a2"], ["a1", "a2"], ["a3"]]);
    expect((await receive(simAws, "dlq.fifo")).map(({ Body }) => Body)).toEqual(["a1", "a2"]);
  });
});
