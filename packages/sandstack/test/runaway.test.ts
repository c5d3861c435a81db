import { CreateEventSourceMappingCommand, CreateFunctionCommand, InvokeCommand } from "@aws-sdk/client-lambda";
import { ChangeMessageVisibilityCommand, CreateQueueCommand, SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { makeLambdaCodeZip, makeLambdaZipFileInput, type SimLambdaSqsEvent } from "sandstack/lambda";

const ACCOUNT = "888888888888";
const queueUrl = (name: string): string => `https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/${name}`;
const queueArn = (name: string): string => `arn:aws:sqs:us-east-1:${ACCOUNT}:${name}`;
const functionArn = (name: string): string => `arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}`;

async function send(simAws: SimAws, to: string, MessageBody: string): Promise<void> {
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: queueUrl(to), MessageBody }));
}

/** A function that sends one message for each invocation: as code for an isolated function, and as an in-process function. */
function sender(simAws: SimAws, to: string, isIsolated: boolean): Uint8Array {
  if (!isIsolated) return makeLambdaZipFileInput(() => send(simAws, to, "on"));
  return makeLambdaCodeZip(
    `const { SQSClient, SendMessageCommand } = require("@aws-sdk/client-sqs");
     exports.handler = () => new SQSClient().send(new SendMessageCommand({ QueueUrl: "${queueUrl(to)}", MessageBody: "on" }));`,
  );
}

async function createFunction(simAws: SimAws, FunctionName: string, ZipFile: Uint8Array): Promise<void> {
  const Role = `arn:aws:iam::${ACCOUNT}:role/r`;
  await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName, Role, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile }, Timeout: 30 }));
}

async function consume(simAws: SimAws, queue: string, functionName: string, ZipFile: Uint8Array): Promise<void> {
  await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: queue }));
  await createFunction(simAws, functionName, ZipFile);
  await simAws.lambda().createEventSourceMapping(new CreateEventSourceMappingCommand({ FunctionName: functionName, EventSourceArn: queueArn(queue) }));
}

/** A world with one queue, `tree`, and an in-process function on it. */
async function treeWorld(makeHandler: (simAws: SimAws) => (event: SimLambdaSqsEvent) => Promise<void>): Promise<SimAws> {
  const simAws = new SimAws({ iam: "off" });
  await consume(simAws, "tree", "grower", makeLambdaZipFileInput(makeHandler(simAws)));
  return simAws;
}

describe.each([
  { kind: "in-process", isIsolated: false },
  { kind: "isolated", isIsolated: true },
])("$kind functions", ({ isIsolated }) => {
  test.each([
    { shape: "one that feeds its own queue", ring: ["snake"] },
    { shape: "two that feed each other", ring: ["ping", "pong"] },
    { shape: "five in a ring", ring: ["a", "b", "c", "d", "e"] },
  ])("$shape: stopped after 200 invocations, and the error names all functions and queues", async ({ ring }) => {
    const simAws = new SimAws({ iam: "off" });
    for (const [index, name] of ring.entries()) await consume(simAws, `${name}-queue`, `${name}-function`, sender(simAws, `${ring[(index + 1) % ring.length]}-queue`, isIsolated));
    await send(simAws, `${ring[0]}-queue`, "on");

    const error: unknown = await simAws.backgroundTasksComplete().then(undefined, (thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "SimRunawayWork", message: expect.stringContaining("stopped after work had led to work 200 times at") });
    for (const name of ring) expect(String(error)).toMatch(new RegExp(`${functionArn(`${name}-function`)}, ${queueArn(`${name}-queue`)}`));
    expect([...simAws.log().filter({ kind: "lambda.invocation.started" })]).toHaveLength(201);
  });
});

test("a function that gives its message back at once is stopped as well", async () => {
  const simAws = await treeWorld((world) => async ({ Records }) => {
    await world.sqs().changeMessageVisibility(new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl("tree"), ReceiptHandle: Records[0]?.receiptHandle, VisibilityTimeout: 0 }));
    throw new Error("again");
  });
  await send(simAws, "tree", "seed");
  await expect(simAws.backgroundTasksComplete()).rejects.toMatchObject({ name: "SimRunawayWork", message: expect.stringContaining(functionArn("grower")) });
});

test("two functions that invoke each other asynchronously are stopped as well", async () => {
  const simAws = new SimAws({ iam: "off" });
  const invoke = (FunctionName: string) => simAws.lambda().invoke(new InvokeCommand({ FunctionName, InvocationType: "Event" }));
  await createFunction(simAws, "ping", makeLambdaZipFileInput(() => invoke("pong")));
  await createFunction(simAws, "pong", makeLambdaZipFileInput(() => invoke("ping")));
  await invoke("ping");
  await expect(simAws.backgroundTasksComplete()).rejects.toMatchObject({ name: "SimRunawayWork", message: expect.stringMatching(/function:(ping|pong).*function:(ping|pong)/) });
});

test.each([
  { invocations: 201, outcome: "ends by itself" },
  { invocations: 202, outcome: "is stopped" },
])("a chain of $invocations invocations $outcome", async ({ invocations, outcome }) => {
  const simAws = await treeWorld((world) => async ({ Records: [record] }) => {
    const left = Number(record?.body);
    if (left > 1) await send(world, "tree", String(left - 1));
  });
  await send(simAws, "tree", String(invocations));
  const error: unknown = await simAws.backgroundTasksComplete().then(undefined, (thrown: unknown) => thrown);
  expect(error).toEqual(outcome === "is stopped" ? expect.objectContaining({ name: "SimRunawayWork" }) : undefined);
});

test("many messages of one instant are no runaway as long as each came of a short chain", async () => {
  let leaves = 0;
  const simAws = await treeWorld((world) => async ({ Records }) => {
    for (const { body } of Records) {
      const depth = Number(body);
      if (depth === 0) leaves += 1;
      else {
        const Entries = [0, 1].map((branch) => ({ Id: String(branch), MessageBody: String(depth - 1) }));
        await world.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl: queueUrl("tree"), Entries }));
      }
    }
  });
  await send(simAws, "tree", "11");
  await simAws.backgroundTasksComplete();
  expect(leaves).toBe(2 ** 11);
});

test("a function that sleeps before it sends on is no runaway: time passes", async () => {
  const simAws = new SimAws({ iam: "off" });
  const code = `const { SQSClient, SendMessageCommand } = require("@aws-sdk/client-sqs");
    exports.handler = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await new SQSClient().send(new SendMessageCommand({ QueueUrl: "${queueUrl("ticks")}", MessageBody: "tick" }));
    };`;
  await consume(simAws, "ticks", "ticker", makeLambdaCodeZip(code));
  await send(simAws, "ticks", "tick");
  await simAws.clock().advanceBy({ seconds: 300 });
  expect([...simAws.log().filter({ kind: "lambda.invocation.started" })]).toHaveLength(301);
});

test("after the error the world can be used: what went round comes back when its visibility timeout lapses", async () => {
  let isEndless = true;
  const simAws = await treeWorld((world) => async () => void (isEndless && (await send(world, "tree", "on"))));
  await send(simAws, "tree", "on");
  await expect(simAws.backgroundTasksComplete()).rejects.toMatchObject({ name: "SimRunawayWork" });
  isEndless = false;
  await simAws.clock().advanceBy({ seconds: 30 });
  expect(simAws.sqs().messages(queueUrl("tree"))).toEqual([]);
});
