import type { ListMessageMoveTasksResultEntry } from "@aws-sdk/client-sqs";
import { arnOf, redrivePolicy } from "./setup.js";
import { answerOf, errorOf, invalidParameterValue, newQueue, recorded, type Session } from "./recorded.js";

const notFound = (Message: string): object => ({ Code: "ResourceNotFoundException", Message, status: 404 });
const handleOf = (taskId: string, sourceArn: string): string => Buffer.from(JSON.stringify({ taskId, sourceArn })).toString("base64");
const TASK_ID = "11111111-2222-4333-8444-555555555555";

/** A queue whose messages are dead-lettered after one receive, with messages that were. */
async function deadLettered(session: Session, name: string, ...bodies: string[]): Promise<string> {
  const { sqs } = session;
  const QueueUrl = await newQueue(session, name, { ...redrivePolicy("dlq", 1), VisibilityTimeout: "1" });
  for (const MessageBody of bodies) await sqs.sendMessage({ QueueUrl, MessageBody });
  for (let round = 0; round < 2; round++) {
    await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    await session.simAws.clock().advanceBy({ seconds: 1 });
  }
  return QueueUrl;
}

async function newestTask({ sqs }: Session): Promise<ListMessageMoveTasksResultEntry> {
  const { Results } = await sqs.listMessageMoveTasks({ SourceArn: arnOf("dlq") });
  expect(Results).toHaveLength(1);
  // A client has members where AWS has none.
  return Object.fromEntries(Object.entries(Results![0]!).filter(([, value]) => value !== undefined)); // as just seen
}

async function receivedBodies({ sqs }: Session, QueueUrl: string): Promise<unknown[]> {
  const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
  return Messages.map(({ Body }) => Body);
}

const completed = (count: number): object => ({
  ApproximateNumberOfMessagesMoved: count,
  ApproximateNumberOfMessagesToMove: count,
  SourceArn: arnOf("dlq"),
  StartedTimestamp: expect.any(Number),
  Status: "COMPLETED",
});

recorded("basic_move_task_workflow", async (session) => {
  const { sqs, simAws } = session;
  await newQueue(session, "dlq");
  const target = await newQueue(session, "destination");
  await deadLettered(session, "q", "message-1", "message-2");
  const started = (await answerOf(sqs.startMessageMoveTask({ SourceArn: arnOf("dlq"), DestinationArn: arnOf("destination") }))) as { TaskHandle: string };
  expect(JSON.parse(Buffer.from(started.TaskHandle, "base64").toString())).toEqual({ taskId: expect.any(String), sourceArn: arnOf("dlq") });
  await simAws.backgroundTasksComplete();
  expect(await newestTask(session)).toEqual({ ...completed(2), DestinationArn: arnOf("destination") });
  expect(await receivedBodies(session, target)).toEqual(["message-1", "message-2"]);
});

recorded("move_task_workflow_with_default_destination", async (session) => {
  const { sqs, simAws } = session;
  await newQueue(session, "dlq");
  const source = await deadLettered(session, "q", "message-1", "message-2");
  expect(await answerOf(sqs.startMessageMoveTask({ SourceArn: arnOf("dlq") }))).toEqual({ TaskHandle: expect.any(String) });
  await simAws.backgroundTasksComplete();
  expect(await newestTask(session)).toEqual(completed(2));
  expect(await receivedBodies(session, source)).toEqual(["message-1", "message-2"]);
});

recorded("move_task_workflow_with_multiple_sources_as_default_destination", async (session) => {
  const { sqs, simAws } = session;
  await newQueue(session, "dlq");
  const first = await deadLettered(session, "q1", "message-1-1", "message-1-2");
  const second = await deadLettered(session, "q2", "message-2-1", "message-2-2");
  await sqs.startMessageMoveTask({ SourceArn: arnOf("dlq") });
  await simAws.backgroundTasksComplete();
  expect(await newestTask(session)).toEqual(completed(4));
  expect(await receivedBodies(session, first)).toEqual(["message-1-1", "message-1-2"]);
  expect(await receivedBodies(session, second)).toEqual(["message-2-1", "message-2-2"]);
});

recorded("move_task_with_throughput_limit", async (session) => {
  const { sqs, simAws } = session;
  await newQueue(session, "dlq");
  const target = await newQueue(session, "destination");
  await deadLettered(session, "q", "1", "2", "3", "4");
  await sqs.startMessageMoveTask({ SourceArn: arnOf("dlq"), DestinationArn: arnOf("destination"), MaxNumberOfMessagesPerSecond: 1 });
  // Four messages at one a second: the first at once, the last after three seconds.
  const arrivals: number[] = [];
  for (let milliseconds = 0; arrivals.length < 4; milliseconds += 500) {
    await simAws.backgroundTasksComplete();
    for (const _ of await receivedBodies(session, target)) arrivals.push(milliseconds);
    await simAws.clock().advanceBy({ milliseconds: 500 });
  }
  expect(arrivals).toEqual([0, 1_000, 2_000, 3_000]);
});

recorded("move_task_cancel", async (session) => {
  const { sqs, simAws } = session;
  await newQueue(session, "dlq");
  await newQueue(session, "destination");
  await deadLettered(session, "q", ...Array.from({ length: 10 }, (_, index) => `message-${index}`));
  const { TaskHandle } = await sqs.startMessageMoveTask({ SourceArn: arnOf("dlq"), DestinationArn: arnOf("destination"), MaxNumberOfMessagesPerSecond: 1 });
  await simAws.clock().advanceBy({ milliseconds: 1_500 });
  const task = { ApproximateNumberOfMessagesToMove: 10, DestinationArn: arnOf("destination"), MaxNumberOfMessagesPerSecond: 1, SourceArn: arnOf("dlq"), StartedTimestamp: expect.any(Number) };
  expect(await newestTask(session)).toEqual({ ...task, ApproximateNumberOfMessagesMoved: 2, Status: "RUNNING", TaskHandle });
  expect(await answerOf(sqs.cancelMessageMoveTask({ TaskHandle }))).toEqual({ ApproximateNumberOfMessagesMoved: 2 });
  await simAws.clock().advanceBy({ seconds: 5 });
  // On AWS some more had been moved until the task was seen to have ended.
  expect(await newestTask(session)).toEqual({ ...task, ApproximateNumberOfMessagesMoved: 2, Status: "CANCELLED" });
});

recorded("start_multiple_move_tasks", async (session) => {
  const { sqs } = session;
  await newQueue(session, "dlq");
  await newQueue(session, "destination");
  await deadLettered(session, "q", "1", "2", "3");
  const start = { SourceArn: arnOf("dlq"), DestinationArn: arnOf("destination"), MaxNumberOfMessagesPerSecond: 1 };
  await sqs.startMessageMoveTask(start);
  const running = "There is already a task running. Only one active task is allowed for a source queue arn at a given time.";
  expect(await errorOf(sqs.startMessageMoveTask(start))).toEqual(invalidParameterValue(running));
});

recorded("source_needs_redrive_policy", async (session) => {
  await newQueue(session, "q1");
  await newQueue(session, "q2");
  const start = session.sqs.startMessageMoveTask({ SourceArn: arnOf("q1"), DestinationArn: arnOf("q2") });
  expect(await errorOf(start)).toEqual(invalidParameterValue("Source queue must be configured as a Dead Letter Queue."));
});

recorded("destination_needs_to_exist", async (session) => {
  await newQueue(session, "dlq");
  await deadLettered(session, "q");
  const start = session.sqs.startMessageMoveTask({ SourceArn: arnOf("dlq"), DestinationArn: arnOf("no-such-queue") });
  expect(await errorOf(start)).toEqual(notFound("The resource that you specified for the DestinationArn parameter doesn't exist."));
});

recorded("cancel_with_invalid_task_handle", async ({ sqs }) => {
  expect(await errorOf(sqs.cancelMessageMoveTask({ TaskHandle: "foobared" }))).toEqual(invalidParameterValue("Value for parameter TaskHandle is invalid."));
});

recorded("cancel_with_invalid_source_arn_in_task_handle", async ({ sqs }) => {
  const cancel = sqs.cancelMessageMoveTask({ TaskHandle: handleOf(TASK_ID, arnOf("no-such-queue")) });
  expect(await errorOf(cancel)).toEqual(notFound("The resource that you specified for the SourceArn parameter doesn't exist."));
});

recorded("cancel_with_invalid_task_id_in_task_handle", async (session) => {
  await newQueue(session, "q");
  expect(await errorOf(session.sqs.cancelMessageMoveTask({ TaskHandle: handleOf(TASK_ID, arnOf("q")) }))).toEqual(notFound("Task does not exist."));
});
