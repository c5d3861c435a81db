import { CreateFunctionCommand, DeleteFunctionCommand, GetFunctionConfigurationCommand, InvokeCommand, UpdateFunctionConfigurationCommand } from "@aws-sdk/client-lambda";
import type { SimAws } from "sandstack";
import { makeLambdaZipFileInput, type SimLambdaSqsEvent } from "sandstack/lambda";
import { bodiesOf, counts, createCode, createHandler, createQueue, createRole, functionWorld, invoke, map, queueArn, receive, ROLE, send } from "./function-world.js";

const ISOLATED = `
  const { SQS } = require("@aws-sdk/client-sqs");
  const { randomUUID } = require("crypto");
  exports.handler = async ({ Records }, { awsRequestId, logStreamName }) => {
    console.log(awsRequestId, logStreamName, randomUUID(), Math.random(), Date.now(), process.env.AWS_ACCESS_KEY_ID);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await new SQS({}).sendMessage({ QueueUrl: process.env.OUT, MessageBody: Records.map(({ body }) => body).join() });
    if (Records.some(({ body }) => body === "poison")) throw new Error("poisoned");
  };`;

/** A story of isolated code and a handler in process, failures and dead letters; answers all that a test could compare. */
async function story(): Promise<string> {
  const simAws = await functionWorld();
  const OUT = await createQueue(simAws, "out");
  await createQueue(simAws, "dlq");
  await createQueue(simAws, "q", { VisibilityTimeout: "10", RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn("dlq"), maxReceiveCount: 2 }) });
  await createCode(simAws, "isolated", ISOLATED, { Environment: { Variables: { OUT } } });
  await createHandler(simAws, "in-process", async (event: SimLambdaSqsEvent) => void (await send(simAws, "dlq", ...bodiesOf(event))));
  await map(simAws, "isolated", "q", { BatchSize: 2 });
  await map(simAws, "in-process", "out");
  await send(simAws, "q", "a", "b", "poison", "c");
  await simAws.clock().advanceBy({ minutes: 1 });
  const configuration = await simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: "in-process" }));
  return `${JSON.stringify(configuration)}\n${String(simAws.log())}\n${JSON.stringify(await receive(simAws, "dlq"))}`;
}

test("the same seed and calls give the same log, ids, digests and handles, also side by side", async () => {
  const first = await story();
  expect(first).toContain("Error: poisoned (at exports.handler (/var/task/index.js:8:");
  expect(await story()).toBe(first);
  expect(await Promise.all([story(), story()])).toEqual([first, first]);
});

test("an in-process handler's digest is that of its text: equal for equal handlers, another for another", async () => {
  const simAws = await functionWorld();
  const digest = async (FunctionName: string, handler: () => unknown): Promise<unknown> => {
    const { CodeSha256, CodeSize } = await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName, Role: ROLE, Code: { ZipFile: makeLambdaZipFileInput(handler) } }));
    return [CodeSha256, CodeSize];
  };
  const make = (value: number) => () => value;
  const first = await digest("a", make(1));
  expect(first).toEqual([expect.stringMatching(/^[\w+/]{43}=$/), String(make(1)).length]);
  expect(await digest("b", make(2))).toEqual(first);
  expect(await digest("c", () => "another")).not.toEqual(first);
  expect([(await invoke(simAws, "a")).result, (await invoke(simAws, "b")).result]).toEqual([1, 2]);
});

describe("reset() with invocations in flight", () => {
  /** The world as after a reset: nothing of before is in it, and it works. */
  async function expectFresh(simAws: SimAws): Promise<void> {
    expect(simAws.log().records).toEqual([]);
    await simAws.clock().advanceBy({ minutes: 1 });
    await simAws.backgroundTasksComplete();
    expect(simAws.log().records).toEqual([]);
    await createRole(simAws, "consumer", ["sqs:*"]);
    await createQueue(simAws, "q");
    const batches: string[][] = [];
    await createHandler(simAws, "fn", (event: SimLambdaSqsEvent) => void batches.push(bodiesOf(event)));
    await map(simAws, "fn", "q");
    await send(simAws, "q", "after");
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([["after"]]);
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 0 });
    expect(simAws.log().filter({ kind: "lambda.mapping.failed" }).records).toEqual([]);
  }

  test("isolated code that sleeps, awaited and in the background", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "q");
    await createCode(simAws, "fn", "exports.handler = async () => { await new Promise((resolve) => setTimeout(resolve, 2_000)); console.log('woke'); };");
    await map(simAws, "fn", "q");
    await send(simAws, "q", "before");
    await simAws.backgroundTasksComplete();
    // Inside the settling of the call, so that the clock has not been moved for it yet.
    const invoked = simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" }));
    simAws.reset();
    await expect(invoked).rejects.toMatchObject({ name: "SimWorldReset" });
    await expectFresh(simAws);
  });

  test("a handler in process, which ends afterwards", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "q");
    let end = (): void => {};
    await createHandler(simAws, "fn", () => new Promise<void>((resolve) => (end = resolve)));
    await map(simAws, "fn", "q");
    await send(simAws, "q", "before");
    const settled = simAws.backgroundTasksComplete();
    while (simAws.log().filter({ kind: "lambda.invocation.started" }).records.length === 0) await new Promise((resolve) => setImmediate(resolve));
    simAws.reset();
    await settled;
    end();
    await new Promise((resolve) => setImmediate(resolve));
    await expectFresh(simAws);
  });
});

test("code that has timed out asks for nothing any more: its long poll takes no message", async () => {
  const simAws = await functionWorld();
  const OUT = await createQueue(simAws, "out");
  await createCode(
    simAws,
    "fn",
    `const { SQS } = require("@aws-sdk/client-sqs");
     exports.handler = async () => {
       const sqs = new SQS({});
       await sqs.receiveMessage({ QueueUrl: process.env.OUT, WaitTimeSeconds: 20 }).catch(() => {});
       await sqs.sendMessage({ QueueUrl: process.env.OUT, MessageBody: "ghost" });
     };`,
    { Environment: { Variables: { OUT } } },
  );
  expect((await invoke(simAws, "fn")).result.errorType).toBe("Sandbox.Timedout");
  await send(simAws, "out", "real");
  await simAws.clock().advanceBy({ minutes: 1 });
  expect((await receive(simAws, "out")).map(({ Body, Attributes }) => [Body, Attributes!["ApproximateReceiveCount"]])).toEqual([["real", "1"]]);
});

test("environments of a function that is gone or changed are let go with their modules", async () => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", "let calls = 0; exports.handler = async (event) => { calls += 1; if (event.sleep) await new Promise((r) => setTimeout(r, 1000)); return calls; };");
  expect((await invoke(simAws, "fn")).result).toBe(1);
  const sleeping = invoke(simAws, "fn", { sleep: true });
  await simAws.lambda().updateFunctionConfiguration(new UpdateFunctionConfigurationCommand({ FunctionName: "fn", Description: "changed" }));
  expect((await sleeping).result).toBe(2);
  expect((await invoke(simAws, "fn")).result).toBe(1);
  await simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "fn" }));
  await createCode(simAws, "fn", "let calls = 10; exports.handler = async () => ++calls;");
  expect((await invoke(simAws, "fn")).result).toBe(11);
});
