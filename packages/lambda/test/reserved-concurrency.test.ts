import { DeleteFunctionConcurrencyCommand, InvokeCommand, PutFunctionConcurrencyCommand, type CreateEventSourceMappingCommandInput } from "@aws-sdk/client-lambda";
import type { SimAws } from "sandstack";
import { counts, createCode, createQueue, functionWorld, invoke, map, queueArn, receive, send } from "./function-world.js";

const START_MS = Date.parse("2026-01-01T00:00:00Z");

interface Consumers {
  readonly reserved: number;
  /** How long each invocation takes. */
  readonly seconds: number;
  readonly queue?: Record<string, string>;
  readonly mapping?: Partial<CreateEventSourceMappingCommandInput>;
  readonly bodies: readonly string[];
}

/** A queue with messages, consumed one by one by a function with reserved concurrency that takes its time. */
async function world({ reserved, seconds, queue, mapping, bodies }: Consumers): Promise<SimAws> {
  const simAws = await functionWorld();
  await createQueue(simAws, "dlq");
  await createQueue(simAws, "q", queue);
  await createCode(simAws, "fn", `exports.handler = () => new Promise((resolve) => setTimeout(resolve, ${seconds * 1000}));`, { Timeout: Math.max(1, Math.ceil(seconds)) + 1 });
  await reserve(simAws, reserved);
  await send(simAws, "q", ...bodies);
  await map(simAws, "fn", "q", { BatchSize: 1, ...mapping });
  return simAws;
}

async function reserve(simAws: SimAws, ReservedConcurrentExecutions: number): Promise<void> {
  await simAws.lambda().putFunctionConcurrency(new PutFunctionConcurrencyCommand({ FunctionName: "fn", ReservedConcurrentExecutions }));
}

function startedAtSeconds(simAws: SimAws): number[] {
  return simAws.log().filter({ kind: "lambda.invocation.started" }).records.map(({ atMs }) => (atMs - START_MS) / 1000);
}

function logged(simAws: SimAws, kind: "lambda.batch.throttled" | "lambda.batch.dropped"): number {
  return simAws.log().filter({ kind }).records.length;
}

test("batches beyond it are received and wait, and are invoked as soon as there is some to spare", async () => {
  const simAws = await world({ reserved: 1, seconds: 1, bodies: ["a", "b", "c"] });
  await simAws.backgroundTasksComplete();
  expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 3 });
  expect(logged(simAws, "lambda.batch.throttled")).toBe(2);
  await simAws.clock().advanceBy({ seconds: 2 });
  expect(startedAtSeconds(simAws)).toEqual([0, 1, 2]);
  await simAws.clock().advanceBy({ minutes: 5 });
  expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 0 });
  expect(startedAtSeconds(simAws)).toHaveLength(3);
  expect(logged(simAws, "lambda.batch.dropped")).toBe(0);
});

test("a batch that finds none while its messages are hidden is dropped: they come back received once more, and may end as dead letters that no invocation saw", async () => {
  const simAws = await world({
    reserved: 1,
    seconds: 25,
    queue: { VisibilityTimeout: "30", RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn("dlq"), maxReceiveCount: 1 }) },
    bodies: ["a", "b", "c"],
  });
  await simAws.clock().advanceBy({ milliseconds: 29_999 });
  expect(logged(simAws, "lambda.batch.dropped")).toBe(0);
  expect(await counts(simAws, "dlq")).toEqual({ visible: 0, inFlight: 0 });
  await simAws.clock().advanceBy({ milliseconds: 1 });
  expect(logged(simAws, "lambda.batch.dropped")).toBe(1);
  expect(startedAtSeconds(simAws)).toEqual([0, 25]);
  // The second began when five of its thirty seconds were left.
  expect((await receive(simAws, "dlq")).map(({ Body, Attributes }) => [Body, Attributes!["ApproximateReceiveCount"]])).toEqual([["b", "2"], ["c", "2"]]);
  expect(String(simAws.log().filter({ function: "fn", kind: ["lambda.batch.throttled", "lambda.batch.dropped"] }))).toMatch(
    /Function fn had no reserved concurrency to spare for message [0-9a-f-]+, which waits for some\.\n.*\n.*Function fn stayed throttled for message [0-9a-f-]+, which goes back to queue q\.$/,
  );
});

test("MaximumConcurrency leaves the rest on the queue, unreceived", async () => {
  const simAws = await world({ reserved: 2, seconds: 25, mapping: { ScalingConfig: { MaximumConcurrency: 2 } }, bodies: ["a", "b", "c", "d"] });
  await simAws.backgroundTasksComplete();
  expect(await counts(simAws, "q")).toEqual({ visible: 2, inFlight: 2 });
  await simAws.clock().advanceBy({ seconds: 50 });
  expect(startedAtSeconds(simAws)).toEqual([0, 0, 25, 25]);
  expect(logged(simAws, "lambda.batch.throttled")).toBe(0);
});

test("a batch of a window is hidden since its first message was received", async () => {
  const simAws = await world({ reserved: 0, seconds: 1, queue: { VisibilityTimeout: "30" }, mapping: { BatchSize: 10, MaximumBatchingWindowInSeconds: 20 }, bodies: ["a"] });
  await simAws.clock().advanceBy({ seconds: 10 });
  await send(simAws, "q", "b");
  await simAws.clock().advanceBy({ milliseconds: 19_999 });
  expect(logged(simAws, "lambda.batch.throttled")).toBe(1);
  expect(logged(simAws, "lambda.batch.dropped")).toBe(0);
  await simAws.clock().advanceBy({ milliseconds: 1 });
  expect(logged(simAws, "lambda.batch.dropped")).toBe(1);
});

test.each([
  { name: "more of it", free: (simAws: SimAws) => reserve(simAws, 3) },
  { name: "no bound any more", free: (simAws: SimAws) => simAws.lambda().deleteFunctionConcurrency(new DeleteFunctionConcurrencyCommand({ FunctionName: "fn" })) },
])("with $name what waits is invoked at once", async ({ free }) => {
  const simAws = await world({ reserved: 0, seconds: 1, bodies: ["a", "b"] });
  await simAws.clock().advanceBy({ seconds: 5 });
  expect(startedAtSeconds(simAws)).toEqual([]);
  await free(simAws);
  await simAws.backgroundTasksComplete();
  expect(startedAtSeconds(simAws)).toEqual([5, 5]);
});

test("invocations from elsewhere use it up as well, and are refused beyond it", async () => {
  const simAws = await world({ reserved: 1, seconds: 10, bodies: [] });
  const invoked = invoke(simAws, "fn");
  await expect(simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" }))).rejects.toMatchObject({ name: "TooManyRequestsException", message: "Rate Exceeded.", Reason: "ReservedFunctionConcurrentInvocationLimitExceeded", $metadata: { httpStatusCode: 429 } });
  await send(simAws, "q", "a");
  await invoked;
  await simAws.backgroundTasksComplete();
  expect(startedAtSeconds(simAws)).toEqual([0, 10]);
});
