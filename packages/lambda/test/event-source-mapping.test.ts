import { DeleteRolePolicyCommand } from "@aws-sdk/client-iam";
import {
  DeleteEventSourceMappingCommand,
  DeleteFunctionCommand,
  GetEventSourceMappingCommand,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
  type CreateEventSourceMappingCommandInput,
} from "@aws-sdk/client-lambda";
import { DeleteQueueCommand, SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import type { SQSBatchResponse, SQSEvent, SQSHandler } from "aws-lambda";
import type { SimAws } from "sandstack";
import type { SimLambdaSqsEvent } from "sandstack/lambda";
import { ACCOUNT, attachExecutionPolicy, bodiesOf, counts, createCode, createHandler, createQueue, createRole, functionArn, functionWorld, map, queueArn, queueUrl, receive, send } from "./function-world.js";

/** A world whose function records its batches' bodies and then does what `act` says. */
async function consumerWorld(act: (event: SimLambdaSqsEvent) => unknown = () => undefined, more: { queue?: Record<string, string>; Timeout?: number } = {}): Promise<{ simAws: SimAws; batches: string[][] }> {
  const simAws = await functionWorld();
  const batches: string[][] = [];
  await createQueue(simAws, "q", more.queue);
  await createHandler(
    simAws,
    "fn",
    async (event: SimLambdaSqsEvent) => {
      batches.push(bodiesOf(event));
      return act(event);
    },
    more.Timeout === undefined ? {} : { Timeout: more.Timeout },
  );
  return { simAws, batches };
}

function range(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `m${index}`);
}

describe("the mapping itself", () => {
  test("it answers Creating, and is Enabled at the next look; the same for its end", async () => {
    const { simAws } = await consumerWorld();
    const lambda = simAws.lambda();
    const UUID = await map(simAws, "fn", "q");
    const mapping = {
      UUID,
      BatchSize: 10,
      MaximumBatchingWindowInSeconds: 0,
      EventSourceArn: queueArn("q"),
      EventSourceMappingArn: `arn:aws:lambda:us-east-1:${ACCOUNT}:event-source-mapping:${UUID}`,
      FunctionArn: functionArn("fn"),
      LastModified: new Date("2026-01-01T00:00:00Z"),
      StateTransitionReason: "USER_INITIATED",
      FunctionResponseTypes: [],
    };
    const state = async (answer: Promise<object>): Promise<object> => {
      const { $metadata: _metadata, ...rest } = (await answer) as { $metadata: unknown };
      return rest;
    };
    expect(await state(lambda.getEventSourceMapping(new GetEventSourceMappingCommand({ UUID })))).toEqual({ ...mapping, State: "Enabled" });
    expect(await state(lambda.updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, Enabled: false })))).toEqual({ ...mapping, State: "Disabling" });
    expect(await state(lambda.getEventSourceMapping(new GetEventSourceMappingCommand({ UUID })))).toEqual({ ...mapping, State: "Disabled" });
    expect(await state(lambda.updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, Enabled: true })))).toEqual({ ...mapping, State: "Enabling" });
    expect(await state(lambda.updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, BatchSize: 5 })))).toEqual({ ...mapping, State: "Updating", BatchSize: 5 });
    const deleted = await lambda.deleteEventSourceMapping(new DeleteEventSourceMappingCommand({ UUID }));
    expect(deleted).toMatchObject({ State: "Deleting", $metadata: { httpStatusCode: 202 } });
    await expect(lambda.getEventSourceMapping(new GetEventSourceMappingCommand({ UUID }))).rejects.toMatchObject({
      name: "ResourceNotFoundException",
      message: "The resource you requested does not exist.",
      $metadata: { httpStatusCode: 404 },
    });
  });

  test("the list is by function, by queue, or of all; what is not there has none", async () => {
    const { simAws } = await consumerWorld();
    await createQueue(simAws, "other");
    const first = await map(simAws, "fn", "q");
    const second = await map(simAws, "fn:$LATEST", "other");
    const list = async (input: object): Promise<(string | undefined)[]> =>
      ((await simAws.lambda().listEventSourceMappings(new ListEventSourceMappingsCommand(input))).EventSourceMappings ?? []).map(({ UUID }) => UUID);
    expect(await list({})).toEqual([first, second]);
    expect(await list({ FunctionName: "fn" })).toEqual([first, second]);
    expect(await list({ EventSourceArn: queueArn("other") })).toEqual([second]);
    expect(await list({ FunctionName: "nobody" })).toEqual([]);
    const { FunctionArn } = await simAws.lambda().getEventSourceMapping(new GetEventSourceMappingCommand({ UUID: second }));
    expect(FunctionArn).toBe(`${functionArn("fn")}:$LATEST`);
  });

  describe("what is refused, changing nothing", () => {
    const cases: { name: string; input: Partial<CreateEventSourceMappingCommandInput>; error?: string; message: string; status?: number }[] = [
      { name: "no source", input: { EventSourceArn: undefined }, message: "Unrecognized event source." },
      { name: "destinations", input: { FunctionName: "nobody", DestinationConfig: { OnFailure: { Destination: "x" } } }, message: "Unsupported DestinationConfig parameter for given event source mapping type." },
      { name: "a function that is not there, before its queue", input: { FunctionName: "nobody", EventSourceArn: queueArn("none") }, message: "Function does not exist" },
      {
        name: "a queue that is not there",
        input: { EventSourceArn: queueArn("none") },
        message: "Error occurred while ReceiveMessage. SQS Error Code: AWS.SimpleQueueService.NonExistentQueue. SQS Error Message: The specified queue does not exist.",
      },
      { name: "11 messages without a window", input: { BatchSize: 11 }, message: "Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10" },
      { name: "a window on a FIFO queue", input: { EventSourceArn: queueArn("q.fifo"), MaximumBatchingWindowInSeconds: 1 }, message: "Batching window is not supported for FIFO queues" },
      { name: "a pattern that is no object", input: { FilterCriteria: { Filters: [{ Pattern: '"simple string"' }] } }, message: "Invalid filter pattern definition." },
      { name: "a pattern with an empty list", input: { FilterCriteria: { Filters: [{ Pattern: '{"body":[]}' }] } }, message: "Invalid filter pattern definition." },
      { name: "a queue whose messages come back before the function's timeout", input: { EventSourceArn: queueArn("short") }, message: "Queue visibility timeout: 2 seconds is less than Function timeout: 3 seconds" },
      ...[
        { name: "a batch of 0", member: "batchSize", value: 0, input: { BatchSize: 0 }, bound: "greater than or equal to 1" },
        { name: "a batch of 10001", member: "batchSize", value: 10_001, input: { BatchSize: 10_001, MaximumBatchingWindowInSeconds: 1 }, bound: "less than or equal to 10000" },
        { name: "a window of 301 s", member: "maximumBatchingWindowInSeconds", value: 301, input: { MaximumBatchingWindowInSeconds: 301 }, bound: "less than or equal to 300" },
        { name: "a concurrency of 1", member: "scalingConfig.maximumConcurrency", value: 1, input: { ScalingConfig: { MaximumConcurrency: 1 } }, bound: "greater than or equal to 2" },
        { name: "a concurrency of 1001", member: "scalingConfig.maximumConcurrency", value: 1001, input: { ScalingConfig: { MaximumConcurrency: 1001 } }, bound: "less than or equal to 1000" },
      ].map(({ name, member, value, input, bound }) => ({
        name,
        input,
        error: "ValidationException",
        message: `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must have value ${bound}`,
      })),
    ];
    test.each(cases)("$name", async ({ input, error = "InvalidParameterValueException", message, status = 400 }) => {
      const { simAws } = await consumerWorld();
      await createQueue(simAws, "short", { VisibilityTimeout: "2" });
      await expect(map(simAws, "fn", "q", input)).rejects.toMatchObject({ name: error, message, $metadata: { httpStatusCode: status } });
      expect((await simAws.lambda().listEventSourceMappings(new ListEventSourceMappingsCommand({}))).EventSourceMappings).toEqual([]);
    });

    test("a second mapping of the same two", async () => {
      const { simAws } = await consumerWorld();
      const UUID = await map(simAws, "fn", "q");
      await expect(map(simAws, functionArn("fn"), "q")).rejects.toMatchObject({
        name: "ResourceConflictException",
        message: `An event source mapping with SQS arn (" ${queueArn("q")} ") and function (" fn ") already exists. Please update or delete the existing mapping with UUID ${UUID}`,
        $metadata: { httpStatusCode: 409 },
      });
    });

    test.each(["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"])("a role without sqs:%s", async (missing) => {
      const { simAws } = await consumerWorld();
      await createRole(simAws, "lacking", ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"].filter((action) => action !== missing).map((action) => `sqs:${action}`));
      await createHandler(simAws, "lacking", () => 1, { Role: `arn:aws:iam::${ACCOUNT}:role/lacking` });
      await expect(map(simAws, "lacking", "q")).rejects.toMatchObject({
        name: "InvalidParameterValueException",
        message: `The provided execution role does not have permissions to call ${missing} on SQS`,
      });
    });

    test("AWS's own policy for consumers is enough", async () => {
      const { simAws } = await consumerWorld();
      await createRole(simAws, "plain", []);
      await attachExecutionPolicy(simAws, "plain");
      await createHandler(simAws, "plain", () => 1, { Role: `arn:aws:iam::${ACCOUNT}:role/plain` });
      await expect(map(simAws, "plain", "q")).resolves.toEqual(expect.any(String));
    });

    test("an update to what a new mapping may not be", async () => {
      const { simAws } = await consumerWorld();
      const UUID = await map(simAws, "fn", "q");
      const update = simAws.lambda().updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, BatchSize: 100 }));
      await expect(update).rejects.toMatchObject({ message: "Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than 10" });
      expect((await simAws.lambda().getEventSourceMapping(new GetEventSourceMappingCommand({ UUID }))).BatchSize).toBe(10);
    });
  });
});

describe("the event", () => {
  test("a record has AWS's keys in AWS's order, and is taken by handlers typed with @types/aws-lambda", async () => {
    const simAws = await functionWorld();
    const texts: string[] = [];
    const handler: SQSHandler = async (event: SQSEvent): Promise<SQSBatchResponse | void> => {
      texts.push(JSON.stringify(event));
    };
    await createQueue(simAws, "q");
    await createHandler(simAws, "fn", handler);
    await map(simAws, "fn", "q");
    const MessageAttributes = {
      kind: { DataType: "String", StringValue: "paid" },
      amount: { DataType: "Number.eur", StringValue: "5" },
      raw: { DataType: "Binary", BinaryValue: Uint8Array.of(0, 1, 2) },
    };
    const AWSTraceHeader = { DataType: "String", StringValue: "Root=1-5759e988-bd862e3fe1be46a994272793" };
    const sent = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: queueUrl("q"), MessageBody: '{"order":42}', MessageAttributes, MessageSystemAttributes: { AWSTraceHeader } }));
    await simAws.backgroundTasksComplete();
    const plain = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: queueUrl("q"), MessageBody: "plain" }));
    await simAws.backgroundTasksComplete();

    const [first, second] = texts.map((text) => (JSON.parse(text) as SQSEvent).Records[0]!);
    expect(first).toEqual({
      messageId: sent.MessageId,
      receiptHandle: expect.any(String),
      body: '{"order":42}',
      attributes: {
        ApproximateReceiveCount: "1",
        AWSTraceHeader: AWSTraceHeader.StringValue,
        SentTimestamp: "1767225600000",
        SenderId: ACCOUNT,
        ApproximateFirstReceiveTimestamp: "1767225600000",
      },
      messageAttributes: {
        kind: { stringValue: "paid", stringListValues: [], binaryListValues: [], dataType: "String" },
        amount: { stringValue: "5", stringListValues: [], binaryListValues: [], dataType: "Number.eur" },
        raw: { binaryValue: "AAEC", stringListValues: [], binaryListValues: [], dataType: "Binary" },
      },
      md5OfMessageAttributes: sent.MD5OfMessageAttributes,
      md5OfBody: sent.MD5OfMessageBody,
      eventSource: "aws:sqs",
      eventSourceARN: queueArn("q"),
      awsRegion: "us-east-1",
    });
    expect(Object.keys(first!)).toEqual(["messageId", "receiptHandle", "body", "attributes", "messageAttributes", "md5OfMessageAttributes", "md5OfBody", "eventSource", "eventSourceARN", "awsRegion"]);
    expect(Object.keys(second!.attributes)).toEqual(["ApproximateReceiveCount", "SentTimestamp", "SenderId", "ApproximateFirstReceiveTimestamp"]);
    expect(second).toMatchObject({ messageId: plain.MessageId, messageAttributes: {} });
    expect(second).not.toHaveProperty("md5OfMessageAttributes");
  });

  test("with a batching window the digest of attributes that are not there is null", async () => {
    const events: SimLambdaSqsEvent[] = [];
    const { simAws } = await consumerWorld((event) => void events.push(event));
    await map(simAws, "fn", "q", { MaximumBatchingWindowInSeconds: 1 });
    await send(simAws, "q", "plain");
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(Object.entries(events[0]!.Records[0]!)[5]).toEqual(["md5OfMessageAttributes", null]);
  });
});

describe("batches", () => {
  test("messages that were there before the mapping are worked off, ten at a time", async () => {
    const { simAws, batches } = await consumerWorld();
    await send(simAws, "q", ...range(25));
    await map(simAws, "fn", "q");
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([range(25).slice(0, 10), range(25).slice(10, 20), range(25).slice(20)]);
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 0 });
  });

  test("BatchSize bounds a batch", async () => {
    const { simAws, batches } = await consumerWorld();
    await map(simAws, "fn", "q", { BatchSize: 2 });
    await send(simAws, "q", "a", "b", "c");
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([["a", "b"], ["c"]]);
  });

  test("a batching window gathers from its first message on, and ends early when the batch is full", async () => {
    const { simAws, batches } = await consumerWorld();
    await map(simAws, "fn", "q", { BatchSize: 15, MaximumBatchingWindowInSeconds: 10 });
    await send(simAws, "q", "a");
    await simAws.clock().advanceBy({ seconds: 5 });
    await send(simAws, "q", "b");
    await simAws.clock().advanceBy({ milliseconds: 4_999 });
    expect(batches).toEqual([]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(batches).toEqual([["a", "b"]]);
    await simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl: queueUrl("q"), Entries: range(10).map((MessageBody) => ({ Id: MessageBody, MessageBody })) }));
    await send(simAws, "q", ...range(7));
    await simAws.backgroundTasksComplete();
    expect(batches.slice(1)).toEqual([[...range(10), ...range(5)]]);
    await simAws.clock().advanceBy({ seconds: 10 });
    expect(batches.slice(2)).toEqual([["m5", "m6"]]);
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 0 });
  });

  test("a batch's event stays below 6 MB", async () => {
    const { simAws, batches } = await consumerWorld();
    await map(simAws, "fn", "q", { BatchSize: 100, MaximumBatchingWindowInSeconds: 1 });
    const body = "x".repeat(1_000_000);
    await send(simAws, "q", body, body, body, body, body, body, body);
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(batches.map((batch) => batch.length)).toEqual([6, 1]);
  });

  test("five batches are in flight at first, up to MaximumConcurrency where one is set, and more with the minutes", async () => {
    const sleeping = "exports.handler = () => new Promise((resolve) => setTimeout(resolve, 100_000));";
    const running = async (more: Partial<CreateEventSourceMappingCommandInput>, advanceSeconds: number): Promise<number> => {
      const simAws = await functionWorld();
      await createQueue(simAws, "q", { VisibilityTimeout: "900" });
      await createCode(simAws, "fn", sleeping, { Timeout: 900 });
      await send(simAws, "q", ...range(8));
      await map(simAws, "fn", "q", { BatchSize: 1, ...more });
      await simAws.clock().advanceBy({ seconds: advanceSeconds });
      return (await counts(simAws, "q")).inFlight;
    };
    expect(await running({}, 59)).toBe(5);
    expect(await running({}, 60)).toBe(8);
    expect(await running({ ScalingConfig: { MaximumConcurrency: 2 } }, 60)).toBe(2);
  });
});

describe("how a batch ends", () => {
  test("a failed batch comes back when its visibility timeout lapses, not a millisecond before", async () => {
    const receiveCounts: string[] = [];
    const { simAws, batches } = await consumerWorld(({ Records }) => {
      receiveCounts.push(Records[0]!.attributes.ApproximateReceiveCount);
      if (receiveCounts.length === 1) throw new Error("not yet");
    });
    const [messageId] = await send(simAws, "q", "a");
    await map(simAws, "fn", "q");
    await simAws.backgroundTasksComplete();
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 1 });
    await simAws.clock().advanceBy({ milliseconds: 29_999 });
    expect(batches).toHaveLength(1);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(batches).toEqual([["a"], ["a"]]);
    expect(receiveCounts).toEqual(["1", "2"]);
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 0 });
    expect(String(simAws.log().filter({ message: messageId! }))).toMatch(
      /was sent[^]*Function fn was invoked with message [0-9a-f-]+ of queue q\.[^]*Function fn failed after 0 ms, message [0-9a-f-]+: Error: not yet[^]*Function fn succeeded after 0 ms/,
    );
  });

  test("after maxReceiveCount failures the message is on the dead-letter queue", async () => {
    const { simAws, batches } = await consumerWorld(() => {
      throw new Error("poison");
    });
    await createQueue(simAws, "dlq");
    await createQueue(simAws, "source", { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn("dlq"), maxReceiveCount: 2 }), VisibilityTimeout: "10" });
    await map(simAws, "fn", "source");
    const [messageId] = await send(simAws, "source", "bad");
    await simAws.clock().advanceBy({ seconds: 19 });
    expect(await counts(simAws, "dlq")).toEqual({ visible: 0, inFlight: 0 });
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(batches).toEqual([["bad"], ["bad"]]);
    expect(await receive(simAws, "dlq")).toMatchObject([{ MessageId: messageId, Body: "bad" }]);
  });

  const partly = (result: (messageIds: string[]) => unknown) => (event: SimLambdaSqsEvent) => result(event.Records.map(({ messageId }) => messageId));
  const everything = ["a", "b", "c"];
  test.each<{ name: string; result: (messageIds: string[]) => unknown; staying: string[] }>([
    { name: "nothing", result: () => undefined, staying: [] },
    { name: "null", result: () => null, staying: [] },
    { name: "an empty object", result: () => ({}), staying: [] },
    { name: "null for the list", result: () => ({ batchItemFailures: null }), staying: [] },
    { name: "an empty list", result: () => ({ batchItemFailures: [] }), staying: [] },
    { name: "one message", result: (ids) => ({ batchItemFailures: [{ itemIdentifier: ids[1] }] }), staying: ["b"] },
    { name: "one message twice", result: (ids) => ({ batchItemFailures: [{ itemIdentifier: ids[1] }, { itemIdentifier: ids[1] }] }), staying: ["b"] },
    { name: "all messages", result: (ids) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) }), staying: everything },
    { name: "an empty identifier", result: () => ({ batchItemFailures: [{ itemIdentifier: "" }] }), staying: everything },
    { name: "null for an identifier", result: () => ({ batchItemFailures: [{ itemIdentifier: null }] }), staying: everything },
    { name: "a wrong key", result: () => ({ batchItemFailures: [{ foo: "notvalid" }] }), staying: everything },
    { name: "a message of another batch", result: () => ({ batchItemFailures: [{ itemIdentifier: "00000000-0000-4000-8000-000000000000" }] }), staying: everything },
    { name: "a text", result: () => "done", staying: everything },
    { name: "a number", result: () => 1, staying: everything },
  ])("ReportBatchItemFailures: the function returns $name", async ({ result, staying }) => {
    const { simAws } = await consumerWorld(partly(result));
    await send(simAws, "q", ...everything);
    const UUID = await map(simAws, "fn", "q", { FunctionResponseTypes: ["ReportBatchItemFailures"] });
    await simAws.backgroundTasksComplete();
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: staying.length });
    await simAws.lambda().deleteEventSourceMapping(new DeleteEventSourceMappingCommand({ UUID }));
    await simAws.clock().advanceBy({ seconds: 30 });
    expect((await receive(simAws, "q")).map(({ Body }) => Body)).toEqual(staying);
  });

  test("without ReportBatchItemFailures the result means nothing", async () => {
    const { simAws } = await consumerWorld(partly((ids) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) })));
    await map(simAws, "fn", "q");
    await send(simAws, "q", "a");
    await simAws.backgroundTasksComplete();
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 0 });
  });

  test("a background invocation that sleeps goes on when the clock moves, and times out on it", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "q");
    await createCode(simAws, "fn", "exports.handler = async ({ Records: [{ body }] }) => { await new Promise((resolve) => setTimeout(resolve, Number(body))); console.log('woke after', body); };", { Timeout: 5 });
    await map(simAws, "fn", "q", { BatchSize: 1 });
    await send(simAws, "q", "4000", "6000");
    await simAws.backgroundTasksComplete();
    const kinds = (): string[] => simAws.log().filter({ function: "fn" }).records.map(({ kind }) => kind).filter((kind) => /written|succeeded|failed/.test(kind));
    expect(kinds()).toEqual([]);
    await simAws.clock().advanceBy({ seconds: 4 });
    expect(kinds()).toEqual(["lambda.console.written", "lambda.invocation.succeeded"]);
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(kinds()).toEqual(["lambda.console.written", "lambda.invocation.succeeded", "lambda.invocation.failed"]);
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 1 });
  });
});

test("messages that no filter wants are deleted without an invocation", async () => {
  const { simAws, batches } = await consumerWorld();
  const Filters = [{ Pattern: JSON.stringify({ body: { kind: ["a"] } }) }, { Pattern: JSON.stringify({ body: { n: [{ numeric: [">", 5] }] } }) }];
  const UUID = await map(simAws, "fn", "q", { FilterCriteria: { Filters } });
  await send(simAws, "q", '{"kind":"a"}', '{"kind":"b"}', "no json", '{"n":6}', '{"n":5}');
  await simAws.backgroundTasksComplete();
  expect(batches).toEqual([['{"kind":"a"}', '{"n":6}']]);
  expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 0 });
  const updated = await simAws.lambda().updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, FilterCriteria: { Filters: [] } }));
  expect(updated).not.toHaveProperty("FilterCriteria");
  await send(simAws, "q", "no json");
  await simAws.backgroundTasksComplete();
  expect(batches.at(-1)).toEqual(["no json"]);
});

describe("what changes under a mapping", () => {
  test("disabled, it leaves messages alone; enabled, it works off the backlog", async () => {
    const { simAws, batches } = await consumerWorld();
    const UUID = await map(simAws, "fn", "q", { Enabled: false });
    await send(simAws, "q", "a");
    await simAws.clock().advanceBy({ minutes: 5 });
    expect(batches).toEqual([]);
    await simAws.lambda().updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, Enabled: true }));
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([["a"]]);
  });

  test("disabled while it gathers, it works off what it has", async () => {
    const { simAws, batches } = await consumerWorld();
    const UUID = await map(simAws, "fn", "q", { MaximumBatchingWindowInSeconds: 60 });
    await send(simAws, "q", "a");
    await simAws.backgroundTasksComplete();
    await simAws.lambda().updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([["a"]]);
  });

  test("a role that loses its permission stops it, the log says why, and it goes on when it is allowed again", async () => {
    const { simAws, batches } = await consumerWorld();
    await map(simAws, "fn", "q");
    await simAws.iam().deleteRolePolicy(new DeleteRolePolicyCommand({ RoleName: "consumer", PolicyName: "actions" }));
    await send(simAws, "q", "a");
    await simAws.clock().advanceBy({ minutes: 10 });
    expect(batches).toEqual([]);
    const failures = simAws.log().filter({ kind: "lambda.mapping.failed" }).records;
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ functionArn: functionArn("fn"), queueArn: queueArn("q"), message: expect.stringContaining("is not authorized to perform: sqs:receivemessage") });
    await attachExecutionPolicy(simAws, "consumer");
    await simAws.clock().advanceBy({ hours: 1 });
    expect(batches).toEqual([["a"]]);
  });

  test("a queue that is deleted, and made again, is consumed again", async () => {
    const { simAws, batches } = await consumerWorld();
    await map(simAws, "fn", "q");
    await send(simAws, "q", "a");
    await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl: queueUrl("q") }));
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([]);
    expect(simAws.log().filter({ kind: "lambda.mapping.failed" }).records).toMatchObject([{ errorName: "QueueDoesNotExist" }]);
    await simAws.clock().advanceBy({ minutes: 2 });
    await createQueue(simAws, "q");
    await send(simAws, "q", "b");
    await simAws.backgroundTasksComplete();
    expect(batches).toEqual([["b"]]);
  });

  test("a function that is deleted leaves its messages on the queue", async () => {
    const { simAws } = await consumerWorld();
    await map(simAws, "fn", "q");
    await simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "fn" }));
    await send(simAws, "q", "a");
    await simAws.backgroundTasksComplete();
    expect(await counts(simAws, "q")).toEqual({ visible: 1, inFlight: 0 });
    expect(simAws.log().filter({ kind: "lambda.mapping.failed" }).records).toMatchObject([{ message: `Function not found: ${functionArn("fn")}` }]);
  });

  test("a mapping moved to another function feeds that one", async () => {
    const { simAws, batches } = await consumerWorld();
    const others: string[][] = [];
    await createHandler(simAws, "other", (event: SimLambdaSqsEvent) => void others.push(bodiesOf(event)));
    const UUID = await map(simAws, "fn", "q");
    await simAws.lambda().updateEventSourceMapping(new UpdateEventSourceMappingCommand({ UUID, FunctionName: "other" }));
    await send(simAws, "q", "a");
    await simAws.backgroundTasksComplete();
    expect([batches, others]).toEqual([[], [["a"]]]);
  });
});

test("two functions mapped to one queue share its messages", async () => {
  const { simAws, batches } = await consumerWorld();
  await createHandler(simAws, "other", (event: SimLambdaSqsEvent) => void batches.push(bodiesOf(event)));
  await map(simAws, "fn", "q");
  await map(simAws, "other", "q");
  await send(simAws, "q", ...range(30));
  await simAws.backgroundTasksComplete();
  expect(batches.flat().sort()).toEqual(range(30).sort());
});

test("a function that feeds its own queue is stopped, and the error names both", async () => {
  const simAws = await functionWorld();
  await createQueue(simAws, "q");
  await createHandler(simAws, "fn", () => send(simAws, "q", "again"));
  await map(simAws, "fn", "q");
  await send(simAws, "q", "first");
  await expect(simAws.backgroundTasksComplete()).rejects.toMatchObject({ name: "SimRunawayWork", message: expect.stringMatching(new RegExp(`${functionArn("fn")}.*${queueArn("q")}`)) });
});

test("the same seed and calls give the same log", async () => {
  const story = async (): Promise<string> => {
    const { simAws } = await consumerWorld(({ Records }) => {
      if (Records.some(({ body }) => body === "m3")) throw new Error("m3");
    });
    await map(simAws, "fn", "q", { BatchSize: 4 });
    await send(simAws, "q", ...range(10));
    await simAws.clock().advanceBy({ minutes: 2 });
    return String(simAws.log());
  };
  expect(await story()).toBe(await story());
});
