import { CreateRoleCommand, PutRolePolicyCommand } from "@aws-sdk/client-iam";
import { CreateEventSourceMappingCommand, CreateFunctionCommand } from "@aws-sdk/client-lambda";
import { ChangeMessageVisibilityCommand, CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { makeLambdaZipFileInput, type SimLambdaSqsEvent } from "sandstack/lambda";

const startTime = new Date("2026-01-01T00:00:00Z");

async function createQueue(simAws: SimAws, QueueName: string, Attributes: Record<string, string> = {}): Promise<string> {
  const { QueueUrl = "" } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName, Attributes }));
  return QueueUrl;
}

/** A function that consumes a queue, with a role that may do everything with queues. */
async function consume(simAws: SimAws, queueName: string, FunctionName: string, handler: (event: SimLambdaSqsEvent) => Promise<unknown>): Promise<void> {
  const allow = (Statement: object): string => JSON.stringify({ Version: "2012-10-17", Statement: { Effect: "Allow", ...Statement } });
  const { Role } = await simAws.iam().createRole(
    new CreateRoleCommand({ RoleName: `${FunctionName}-role`, AssumeRolePolicyDocument: allow({ Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }) }),
  );
  await simAws.iam().putRolePolicy(new PutRolePolicyCommand({ RoleName: `${FunctionName}-role`, PolicyName: "queues", PolicyDocument: allow({ Action: "sqs:*", Resource: "*" }) }));
  await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName, Role: Role?.Arn, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: makeLambdaZipFileInput(handler) } }));
  await simAws.lambda().createEventSourceMapping(new CreateEventSourceMappingCommand({ FunctionName, EventSourceArn: `arn:aws:sqs:us-east-1:888888888888:${queueName}` }));
}

test("one move of the clock runs a whole story, each thing at its own instant", async () => {
  const simAws = new SimAws({ startTime });
  await createQueue(simAws, "dead");
  const QueueUrl = await createQueue(simAws, "orders", {
    VisibilityTimeout: "30",
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn: "arn:aws:sqs:us-east-1:888888888888:dead", maxReceiveCount: 2 }),
  });
  const calls: string[] = [];
  await consume(simAws, "orders", "consumer", async ({ Records }) => {
    calls.push(`${simAws.clock().now().toISOString().slice(11, 19)} ${Records[0]?.body}`);
    throw new Error("poison");
  });
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "late", DelaySeconds: 10 }));
  const { MessageId = "" } = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "early" }));

  await simAws.clock().advanceBy({ minutes: 5 });

  expect(calls).toEqual(["00:00:00 early", "00:00:10 late", "00:00:30 early", "00:00:40 late"]);
  const life = [...simAws.log().filter({ message: MessageId })].map(({ kind, atMs }) => `${(atMs - startTime.getTime()) / 1000} ${kind}`).filter((line) => line.includes("sqs.message"));
  expect(life).toEqual(["0 sqs.message.sent", "0 sqs.message.received", "30 sqs.message.returned", "30 sqs.message.received", "60 sqs.message.moved"]);
});

test("a function that feeds its own queue ends in an error that names both, and the world goes on", async () => {
  const simAws = new SimAws({ startTime });
  const QueueUrl = await createQueue(simAws, "endless");
  let calls = 0;
  await consume(simAws, "endless", "snake", async () => {
    calls += 1;
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "again" }));
  });
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "start" }));

  const settled = simAws.backgroundTasksComplete();
  await expect(settled).rejects.toMatchObject({ name: "SimRunawayWork" });
  await expect(settled).rejects.toThrow(/What went round: .*function:snake/);
  await expect(settled).rejects.toThrow(/arn:aws:sqs:us-east-1:888888888888:endless/);
  expect(calls).toBeGreaterThan(100);
  expect(simAws.clock().now()).toEqual(startTime);
});

test("a function that feeds its own queue with a delay is no runaway: time passes", async () => {
  const simAws = new SimAws({ startTime });
  const QueueUrl = await createQueue(simAws, "ticks");
  let calls = 0;
  await consume(simAws, "ticks", "ticker", async () => {
    calls += 1;
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "tick", DelaySeconds: 1 }));
  });
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "tick" }));
  await simAws.clock().advanceBy({ minutes: 10 });
  expect(calls).toBe(601);
});

describe("a receive that waits", () => {
  test("is answered by the send, the lapsed delay or the lapsed visibility timeout, whichever comes", async () => {
    const simAws = new SimAws({ startTime });
    const QueueUrl = await createQueue(simAws, "q");
    const receive = (): Promise<string | undefined> => simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20, VisibilityTimeout: 4 })).then(({ Messages }) => Messages?.[0]?.Body);
    const first = receive();
    const second = receive();
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "sent" }));
    expect(await first).toBe("sent");
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "delayed", DelaySeconds: 3 }));
    await simAws.clock().advanceBy({ seconds: 3 });
    expect(await second).toBe("delayed");
    const third = receive();
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(await third).toBe("sent");
  });

  test("is woken when a message is given back", async () => {
    const simAws = new SimAws({ startTime });
    const QueueUrl = await createQueue(simAws, "q");
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl }));
    const receive = simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    await simAws.sqs().changeMessageVisibility(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: Messages?.[0]?.ReceiptHandle, VisibilityTimeout: 0 }));
    expect((await receive).Messages).toMatchObject([{ Body: "m" }]);
  });

  test("lets a loop of receives idle, with the clock unmoved and the work done that it waits for", async () => {
    const simAws = new SimAws({ startTime });
    const [inbox, outbox] = [await createQueue(simAws, "inbox"), await createQueue(simAws, "outbox")];
    await consume(simAws, "inbox", "forwarder", async ({ Records }) => {
      await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: outbox, MessageBody: `${Records[0]?.body} forwarded` }));
    });
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: inbox, MessageBody: "m" }));
    // Nobody settles: the receive itself has what is runnable run.
    const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: outbox, WaitTimeSeconds: 20 }));
    expect(Messages).toMatchObject([{ Body: "m forwarded" }]);
    expect((await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: outbox, WaitTimeSeconds: 20 }))).Messages).toBeUndefined();
    expect(simAws.clock().now()).toEqual(startTime);
  });
});

describe("a live clock", () => {
  test("delivers by itself, in real time, and can be moved on", async () => {
    const simAws = new SimAws({ clock: "live" });
    const QueueUrl = await createQueue(simAws, "q");
    const bodies: (string | undefined)[] = [];
    await consume(simAws, "q", "consumer", async ({ Records }) => void bodies.push(Records[0]?.body));
    const results = await createQueue(simAws, "results");
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "now" }));
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: results, MessageBody: "in an hour, nearly", DelaySeconds: 900 }));
    // A wait of real time: nothing else moves a live clock.
    expect((await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: results, WaitTimeSeconds: 1 }))).Messages).toBeUndefined();
    expect(bodies).toEqual(["now"]);
    await simAws.clock().advanceBy({ minutes: 15 });
    expect((await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: results }))).Messages).toHaveLength(1);
  });

  test("that was moved on wakes a long poll when the time that is left has passed", async () => {
    const simAws = new SimAws({ clock: "live" });
    const QueueUrl = await createQueue(simAws, "q");
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "nearly due", DelaySeconds: 900 }));
    await simAws.clock().advanceBy({ milliseconds: 899_900 });
    const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 3 }));
    expect(Messages).toEqual([expect.objectContaining({ Body: "nearly due" })]);
  });
});

test("the same story gives the same log, twice", async () => {
  const story = async (): Promise<string> => {
    const simAws = new SimAws({ startTime });
    const QueueUrl = await createQueue(simAws, "q", { VisibilityTimeout: "5" });
    let calls = 0;
    await consume(simAws, "q", "consumer", async () => {
      calls += 1;
      if (calls % 2 === 1) throw new Error("every other time");
    });
    for (const MessageBody of ["a", "b", "c"]) await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody }));
    await simAws.clock().advanceBy({ minutes: 1 });
    return String(simAws.log());
  };
  const first = await story();
  expect(await story()).toBe(first);
  expect(first.split("\n").length).toBeGreaterThan(15);
});
