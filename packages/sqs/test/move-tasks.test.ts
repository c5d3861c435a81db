import { CreateUserCommand, PutUserPolicyCommand } from "@aws-sdk/client-iam";
import {
  CancelMessageMoveTaskCommand,
  DeleteQueueCommand,
  ListMessageMoveTasksCommand,
  PurgeQueueCommand,
  ResourceNotFoundException,
  SetQueueAttributesCommand,
  StartMessageMoveTaskCommand,
  type ListMessageMoveTasksResultEntry,
  type StartMessageMoveTaskCommandInput,
} from "@aws-sdk/client-sqs";
import { SimAws, type Caller } from "sandstack";
import { ACCOUNT, arnOf, counts, createQueue, invalidParameter, missingParameter, receive, receiveOne, redrivePolicy, refusalOf, send, type Refusal } from "./setup.js";

const START = Date.parse("2026-01-01T00:00:00Z");

let simAws: SimAws;
let dlq: string;
let source: string;
beforeEach(async () => {
  simAws = new SimAws({ startTime: new Date(START) });
  dlq = await createQueue(simAws, "dlq");
  source = await createQueue(simAws, "q", redrivePolicy("dlq", 1));
});

/** Has messages of a queue received once and dead-lettered. */
async function deadLetter(QueueUrl: string, ...bodies: string[]): Promise<string[]> {
  const ids = await send(simAws, QueueUrl, ...bodies);
  while ((await receive(simAws, QueueUrl, { VisibilityTimeout: 0 })).length > 0);
  return ids;
}

const start = async (input: Partial<StartMessageMoveTaskCommandInput> = {}): Promise<string> =>
  (await simAws.sqs().startMessageMoveTask(new StartMessageMoveTaskCommand({ SourceArn: arnOf("dlq"), ...input }))).TaskHandle!;

async function list(MaxResults?: number): Promise<ListMessageMoveTasksResultEntry[]> {
  const { Results } = await simAws.sqs().listMessageMoveTasks(new ListMessageMoveTasksCommand({ SourceArn: arnOf("dlq"), MaxResults }));
  return Results!;
}

const cancel = (TaskHandle: string): Promise<{ ApproximateNumberOfMessagesMoved?: number }> => simAws.sqs().cancelMessageMoveTask(new CancelMessageMoveTaskCommand({ TaskHandle }));
const bodiesIn = (url: string): string[] => simAws.sqs().messages(url).map(({ Body }) => Body);
const noSuchQueue = (member: string): Refusal => ({ name: "ResourceNotFoundException", message: `The resource that you specified for the ${member} parameter doesn't exist.`, status: 404 });

test("a task runs, moves all messages oldest first, and is completed", async () => {
  await deadLetter(source, "a", "b");
  const target = await createQueue(simAws, "target");
  const handle = await start({ DestinationArn: arnOf("target") });
  expect(JSON.parse(Buffer.from(handle, "base64").toString())).toEqual({ taskId: expect.stringMatching(/^[0-9a-f-]{36}$/), sourceArn: arnOf("dlq") });

  const task = { SourceArn: arnOf("dlq"), DestinationArn: arnOf("target"), ApproximateNumberOfMessagesToMove: 2, StartedTimestamp: START };
  expect(await list()).toEqual([{ ...task, TaskHandle: handle, Status: "RUNNING", ApproximateNumberOfMessagesMoved: 0 }]);
  expect(bodiesIn(dlq)).toEqual(["a", "b"]);
  await simAws.backgroundTasksComplete();
  expect(await list()).toEqual([{ ...task, Status: "COMPLETED", ApproximateNumberOfMessagesMoved: 2 }]);
  expect(bodiesIn(dlq)).toEqual([]);
  expect((await receive(simAws, target)).map(({ Body }) => Body)).toEqual(["a", "b"]);
});

test("without a destination each message goes back to the queue it came from, which may dead-letter it again", async () => {
  const other = await createQueue(simAws, "other", redrivePolicy("dlq", 1));
  await deadLetter(source, "a1");
  await deadLetter(other, "b1");
  await deadLetter(source, "a2");
  await start();
  await simAws.backgroundTasksComplete();
  expect([bodiesIn(dlq), bodiesIn(source), bodiesIn(other)]).toEqual([[], ["a1", "a2"], ["b1"]]);
  expect(await list()).toEqual([expect.not.objectContaining({ DestinationArn: expect.anything() })]);
  await receive(simAws, source, { VisibilityTimeout: 0 });
  expect(await receive(simAws, source)).toEqual([]);
  expect(bodiesIn(dlq)).toEqual(["a1", "a2"]);
});

test("what is moved is a new message: another id, its own time, no receive, and the log joins the two", async () => {
  const [before] = await deadLetter(source, "m");
  await simAws.clock().advanceBy({ days: 3 });
  await start();
  await simAws.backgroundTasksComplete();
  const [message] = simAws.sqs().messages(source);
  expect(message).toMatchObject({ Body: "m", receiveCount: 0, state: "visible", Attributes: { SentTimestamp: String(START + 3 * 86_400_000), ApproximateReceiveCount: "0" } });
  expect(message!.Attributes).not.toHaveProperty("DeadLetterQueueSourceArn");
  expect(message!.MessageId).not.toBe(before);
  for (const id of [before, message!.MessageId]) {
    expect(String(simAws.log().filter({ message: id!, kind: "sqs.message.redriven" }))).toContain(`Message ${before} was moved from the dead-letter queue dlq to q, as the new message ${message!.MessageId}.`);
  }
  // The retention of four days is counted anew.
  await simAws.clock().advanceBy({ days: 4, milliseconds: -1 });
  expect(bodiesIn(source)).toEqual(["m"]);
  await simAws.clock().advanceBy({ milliseconds: 1 });
  expect(bodiesIn(source)).toEqual([]);
});

test("a moved message ends a long poll, and waits out the delay of the queue it comes to", async () => {
  await deadLetter(source, "a");
  const waiting = receive(simAws, source, { WaitTimeSeconds: 20 });
  await start();
  await simAws.backgroundTasksComplete();
  expect(await waiting).toMatchObject([{ Body: "a" }]);

  await createQueue(simAws, "late", { DelaySeconds: "5" });
  await deadLetter(source, "b");
  await start({ DestinationArn: arnOf("late") });
  await simAws.backgroundTasksComplete();
  expect(simAws.sqs().messages(source.replace(/q$/, "late"))).toMatchObject([{ Body: "b", state: "delayed", hiddenUntil: new Date(START + 5_000) }]);
});

test("a velocity moves so many messages at once and again with each second", async () => {
  await deadLetter(source, "1", "2", "3", "4", "5");
  const handle = await start({ MaxNumberOfMessagesPerSecond: 2 });
  const moved = async (): Promise<unknown[]> => (await list()).map(({ Status, ApproximateNumberOfMessagesMoved, MaxNumberOfMessagesPerSecond, TaskHandle }) => [Status, ApproximateNumberOfMessagesMoved, MaxNumberOfMessagesPerSecond, TaskHandle]);
  await simAws.backgroundTasksComplete();
  expect(await moved()).toEqual([["RUNNING", 2, 2, handle]]);
  await simAws.clock().advanceBy({ milliseconds: 999 });
  expect(await moved()).toEqual([["RUNNING", 2, 2, handle]]);
  await simAws.clock().advanceBy({ milliseconds: 1 });
  expect(await moved()).toEqual([["RUNNING", 4, 2, handle]]);
  await simAws.clock().advanceBy({ seconds: 1 });
  expect(await moved()).toEqual([["COMPLETED", 5, 2, undefined]]);
});

test("only messages that were visible when it began are moved, and no more than there were", async () => {
  await deadLetter(source, "a", "b", "held");
  const held = (await receive(simAws, dlq, { VisibilityTimeout: 60 })).at(-1)!;
  await receive(simAws, dlq); // nothing is left
  expect(held.Body).toBe("held");
  await start();
  await simAws.backgroundTasksComplete();
  expect(await list()).toMatchObject([{ Status: "COMPLETED", ApproximateNumberOfMessagesToMove: 0, ApproximateNumberOfMessagesMoved: 0 }]);
  await simAws.clock().advanceBy({ seconds: 60 });
  await start({ MaxNumberOfMessagesPerSecond: 1 });
  await simAws.clock().advanceBy({ seconds: 1 });
  await simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl: dlq }));
  await simAws.clock().advanceBy({ seconds: 1 });
  expect(await list()).toMatchObject([{ Status: "COMPLETED", ApproximateNumberOfMessagesToMove: 3, ApproximateNumberOfMessagesMoved: 2 }]);
});

test("a cancelled task leaves what it moved, and cannot be cancelled again", async () => {
  await deadLetter(source, "1", "2", "3");
  const handle = await start({ MaxNumberOfMessagesPerSecond: 1 });
  await simAws.clock().advanceBy({ seconds: 1 });
  expect(await cancel(handle)).toMatchObject({ ApproximateNumberOfMessagesMoved: 2 });
  await simAws.clock().advanceBy({ seconds: 5 });
  expect(await list()).toEqual([expect.objectContaining({ Status: "CANCELLED", ApproximateNumberOfMessagesMoved: 2, ApproximateNumberOfMessagesToMove: 3 })]);
  expect([bodiesIn(source), bodiesIn(dlq)]).toEqual([["1", "2"], ["3"]]);
  expect(await refusalOf(cancel(handle))).toMatchObject({ name: "ResourceNotFoundException", status: 404 });
});

describe("a task fails, and leaves the message, when", () => {
  const failed = async (FailureReason: string, moved: number): Promise<void> =>
    expect(await list()).toEqual([expect.objectContaining({ Status: "FAILED", FailureReason, ApproximateNumberOfMessagesMoved: moved })]);

  test("it cannot tell where a message came from", async () => {
    await deadLetter(source, "came from q");
    await send(simAws, dlq, "sent to the dead-letter queue");
    await start();
    await simAws.backgroundTasksComplete();
    await failed("CouldNotDetermineMessageSource", 1);
    expect(bodiesIn(dlq)).toEqual(["sent to the dead-letter queue"]);
  });

  test("the queue is gone to which it goes", async () => {
    await deadLetter(source, "m");
    const target = await createQueue(simAws, "target");
    await start({ DestinationArn: arnOf("target") });
    await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl: target }));
    await simAws.backgroundTasksComplete();
    await failed("AWS.SimpleQueueService.NonExistentQueue", 0);
    expect(bodiesIn(dlq)).toEqual(["m"]);
  });
});

test("a queue that is deleted takes its tasks along", async () => {
  await deadLetter(source, "1", "2");
  await start({ MaxNumberOfMessagesPerSecond: 1 });
  await simAws.backgroundTasksComplete();
  await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl: dlq }));
  expect(await refusalOf(list())).toEqual(noSuchQueue("SourceArn"));
  await simAws.clock().advanceBy({ seconds: 60 });
  await createQueue(simAws, "dlq");
  expect(await list()).toEqual([]);
  expect(bodiesIn(source)).toEqual(["1"]);
});

test("the last ten tasks are listed, the newest first, one unless more are asked for", async () => {
  expect(await list()).toEqual([]);
  for (let round = 1; round <= 11; round++) {
    await start({ MaxNumberOfMessagesPerSecond: round });
    await simAws.backgroundTasksComplete();
  }
  const velocities = (tasks: ListMessageMoveTasksResultEntry[]): unknown[] => tasks.map(({ MaxNumberOfMessagesPerSecond }) => MaxNumberOfMessagesPerSecond);
  expect(velocities(await list())).toEqual([11]);
  expect(velocities(await list(3))).toEqual([11, 10, 9]);
  expect(velocities(await list(10))).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  for (const MaxResults of [0, 11]) expect(await refusalOf(list(MaxResults))).toEqual(invalidParameter(`Value ${MaxResults} for parameter MaxResults is invalid. Reason: Must be between 1 and 10, if provided.`));
});

describe("a task is refused", () => {
  const format = (member: string): Refusal => invalidParameter(`You must use this format to specify the ${member}: arn:<partition>:<service>:<region>:<account-id>:<resource-id>`);
  const velocity = invalidParameter("Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 and 500.");
  const elsewhere = `arn:aws:sqs:eu-west-1:${ACCOUNT}:q`;
  test.each<{ name: string; input: Partial<StartMessageMoveTaskCommandInput>; refusal: Refusal }>([
    { name: "without a source", input: { SourceArn: undefined }, refusal: missingParameter("SourceArn") },
    { name: "with a source that is no ARN", input: { SourceArn: "dlq" }, refusal: format("SourceArn") },
    { name: "with the ARN of something else", input: { SourceArn: "arn:aws:sns:us-east-1:888888888888:dlq" }, refusal: format("SourceArn") },
    { name: "with a source that does not exist", input: { SourceArn: arnOf("nowhere") }, refusal: noSuchQueue("SourceArn") },
    { name: "with a source of another region", input: { SourceArn: `arn:aws:sqs:eu-west-1:${ACCOUNT}:dlq` }, refusal: noSuchQueue("SourceArn") },
    { name: "with a source that is nobody's dead-letter queue", input: { SourceArn: arnOf("q") }, refusal: invalidParameter("Source queue must be configured as a Dead Letter Queue.") },
    { name: "with a destination that is no ARN", input: { DestinationArn: "q" }, refusal: format("DestinationArn") },
    { name: "with a destination that does not exist", input: { DestinationArn: arnOf("nowhere") }, refusal: noSuchQueue("DestinationArn") },
    { name: "with a destination of another region", input: { DestinationArn: elsewhere }, refusal: noSuchQueue("DestinationArn") },
    { name: "with its source as destination", input: { DestinationArn: arnOf("dlq") }, refusal: invalidParameter("Source queue arn and destination queue arn cannot be the same.") },
    { name: "with a velocity of 0", input: { MaxNumberOfMessagesPerSecond: 0 }, refusal: velocity },
    { name: "with a velocity of 501", input: { MaxNumberOfMessagesPerSecond: 501 }, refusal: velocity },
    { name: "with a broken velocity", input: { MaxNumberOfMessagesPerSecond: 1.5 }, refusal: velocity },
  ])("$name", async ({ input, refusal }) => {
    await deadLetter(source, "m");
    expect(await refusalOf(start(input))).toEqual(refusal);
    await simAws.clock().advanceBy({ seconds: 5 });
    expect(await list()).toEqual([]);
    expect(bodiesIn(dlq)).toEqual(["m"]);
  });

  test("while another one of its source runs", async () => {
    await deadLetter(source, "1", "2");
    await start({ MaxNumberOfMessagesPerSecond: 1 });
    const refusal = invalidParameter("There is already a task running. Only one active task is allowed for a source queue arn at a given time.");
    expect(await refusalOf(start())).toEqual(refusal);
    await simAws.clock().advanceBy({ milliseconds: 999 });
    expect(await refusalOf(start())).toEqual(refusal);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    await start();
  });

  test("but not with the slowest and the fastest velocity", async () => {
    for (const MaxNumberOfMessagesPerSecond of [1, 500]) {
      await start({ MaxNumberOfMessagesPerSecond });
      await simAws.backgroundTasksComplete();
    }
  });
});

describe("a cancellation is refused", () => {
  const handleOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");
  const badHandle = invalidParameter("Value for parameter TaskHandle is invalid.");
  const taskId = "00000000-0000-4000-8000-000000000000";
  test.each<{ name: string; handle: string; refusal: Refusal }>([
    { name: "with garbage", handle: "garbage", refusal: badHandle },
    { name: "with JSON that is no handle", handle: handleOf([taskId]), refusal: badHandle },
    { name: "with a handle without a task", handle: handleOf({ sourceArn: arnOf("dlq") }), refusal: badHandle },
    { name: "with a handle whose source is no ARN", handle: handleOf({ taskId, sourceArn: "dlq" }), refusal: badHandle },
    { name: "with a handle of a queue that does not exist", handle: handleOf({ taskId, sourceArn: arnOf("nowhere") }), refusal: noSuchQueue("SourceArn") },
    { name: "with a handle of no task", handle: handleOf({ taskId, sourceArn: arnOf("dlq") }), refusal: { name: "ResourceNotFoundException", message: "Task does not exist.", status: 404 } },
  ])("$name", async ({ handle, refusal }) => {
    expect(await refusalOf(cancel(handle))).toEqual(refusal);
  });

  test("as an instance of the SDK's class", async () => {
    await expect(cancel(handleOf({ taskId, sourceArn: arnOf("dlq") }))).rejects.toBeInstanceOf(ResourceNotFoundException);
    expect(await refusalOf(simAws.sqs().cancelMessageMoveTask({ input: { TaskHandle: undefined } }))).toEqual(missingParameter("TaskHandle"));
  });
});

describe("move tasks are authorized", () => {
  const onDlq = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
  const statement = (Action: string[], name: string): object => ({ Effect: "Allow", Action, Resource: arnOf(name) });

  async function userWith(...Statement: object[]): Promise<Caller> {
    const { User } = await simAws.iam().createUser(new CreateUserCommand({ UserName: "operator" }));
    await simAws.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "operator", PolicyName: "p", PolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement }) }));
    return { kind: "arn", arn: User!.Arn! };
  }

  test.each<{ missing: string; on: string; destination?: string }>([
    ...["sqs:StartMessageMoveTask", ...onDlq].map((missing) => ({ missing, on: "dlq" })),
    { missing: "sqs:SendMessage", on: "q" },
    { missing: "sqs:SendMessage", on: "target", destination: "target" },
  ])("StartMessageMoveTask needs $missing on $on", async ({ missing, on, destination }) => {
    await createQueue(simAws, "target");
    const all = [statement(["sqs:StartMessageMoveTask", ...onDlq].filter((action) => action !== missing), "dlq"), statement(["sqs:SendMessage"], on === "q" ? "target" : "q")];
    if (missing === "sqs:SendMessage" && destination !== undefined) all[1] = statement(["sqs:SendMessage"], "q");
    const caller = await userWith(...all);
    const input = { SourceArn: arnOf("dlq"), ...(destination !== undefined && { DestinationArn: arnOf(destination) }) };
    const { name, message } = await refusalOf(simAws.sqs().startMessageMoveTask(new StartMessageMoveTaskCommand(input), { caller }));
    expect({ name, message }).toMatchObject({ name: "AccessDenied", message: expect.stringContaining(`is not authorized to perform: ${missing.toLowerCase()} on resource: ${arnOf(on)}`) });
    expect(await list()).toEqual([]);
  });

  test("and with all of it are started, listed and cancelled", async () => {
    const actions = ["sqs:StartMessageMoveTask", "sqs:ListMessageMoveTasks", "sqs:CancelMessageMoveTask", ...onDlq];
    const caller = await userWith(statement(actions, "dlq"), statement(["sqs:SendMessage"], "q"));
    await deadLetter(source, "1", "2");
    const { TaskHandle } = await simAws.sqs().startMessageMoveTask(new StartMessageMoveTaskCommand({ SourceArn: arnOf("dlq"), MaxNumberOfMessagesPerSecond: 1 }), { caller });
    expect((await simAws.sqs().listMessageMoveTasks(new ListMessageMoveTasksCommand({ SourceArn: arnOf("dlq") }), { caller })).Results).toHaveLength(1);
    await simAws.sqs().cancelMessageMoveTask(new CancelMessageMoveTaskCommand({ TaskHandle }), { caller });
  });

  test("never to another account, whatever the queue's policy", async () => {
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: "*", Action: "sqs:*", Resource: "*" }] });
    await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl: dlq, Attributes: { Policy } }));
    const stranger = simAws.account("210987654321").sqs();
    expect(await refusalOf(stranger.startMessageMoveTask(new StartMessageMoveTaskCommand({ SourceArn: arnOf("dlq") })))).toMatchObject({ name: "AccessDenied" });
    expect(await refusalOf(stranger.listMessageMoveTasks(new ListMessageMoveTasksCommand({ SourceArn: arnOf("dlq") })))).toMatchObject({ name: "AccessDenied" });
  });
});

test("the messages of a FIFO dead-letter queue go back in the order of each group, and only to a FIFO queue", async () => {
  const fifo = { FifoQueue: "true", ContentBasedDeduplication: "true" };
  const fifoDlq = await createQueue(simAws, "dlq.fifo", fifo);
  const url = await createQueue(simAws, "q.fifo", { ...fifo, ...redrivePolicy("dlq.fifo", 1) });
  for (const [MessageGroupId, MessageBody] of [["a", "a1"], ["b", "b1"], ["a", "a2"]] as const) await simAws.sqs().sendMessage({ input: { QueueUrl: url, MessageGroupId, MessageBody } });
  await receive(simAws, url, { VisibilityTimeout: 1 });
  await simAws.clock().advanceBy({ seconds: 1 });
  expect(bodiesIn(fifoDlq)).toHaveLength(3);

  const wrongType = "The source queue and destination queue must be of the same queue type.";
  expect(await refusalOf(start({ SourceArn: arnOf("dlq.fifo"), DestinationArn: arnOf("q") }))).toEqual(invalidParameter(wrongType));
  expect(await refusalOf(start({ DestinationArn: arnOf("q.fifo") }))).toEqual(invalidParameter(wrongType));
  const [before] = simAws.sqs().messages(fifoDlq);
  await start({ SourceArn: arnOf("dlq.fifo") });
  await simAws.backgroundTasksComplete();
  expect(bodiesIn(fifoDlq)).toEqual([]);
  const [first, ...others] = await receive(simAws, url, { MessageSystemAttributeNames: ["All"] });
  expect([first, ...others].map((message) => message!.Body)).toEqual(["a1", "a2", "b1"]);
  expect(first!.Attributes).toMatchObject({ MessageGroupId: "a", SequenceNumber: expect.stringMatching(/^\d{20}$/), ApproximateReceiveCount: "1" });
  expect(first!.MessageId).not.toBe(before!.MessageId);
});

test("tasks are data: what a task has moved is in no place twice", async () => {
  const ids = await deadLetter(source, ...Array.from({ length: 25 }, (_, index) => `m${index}`));
  await start({ MaxNumberOfMessagesPerSecond: 10 });
  await simAws.clock().advanceBy({ seconds: 1 });
  expect(await counts(simAws, source)).toEqual([20, 0, 0]);
  expect(await counts(simAws, dlq)).toEqual([5, 0, 0]);
  await simAws.clock().advanceBy({ seconds: 1 });
  const message = await receiveOne(simAws, source);
  expect(message.Body).toBe("m0");
  expect(new Set(simAws.log().filter({ kind: "sqs.message.redriven" }).records.map(({ messageIds }) => messageIds[0]))).toEqual(new Set(ids));
});
