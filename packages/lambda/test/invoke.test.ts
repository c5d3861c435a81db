import { DeleteRolePolicyCommand } from "@aws-sdk/client-iam";
import { DeleteFunctionCommand, InvokeCommand, type InvokeCommandInput } from "@aws-sdk/client-lambda";
import type { SimAws } from "sandstack";
import { createCode, createHandler, createQueue, functionArn, functionWorld, invoke, queueArn, receive, ACCOUNT } from "./function-world.js";

function queueEvent(simAws: SimAws, event: unknown): Promise<unknown> {
  return simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn", InvocationType: "Event", Payload: JSON.stringify(event) }));
}

/** A function that fails as often as it is told, and what it saw: the instants and request ids of its invocations. */
async function failingWorld(failures: number, more: { deadLetterArn?: string } = {}): Promise<{ simAws: SimAws; calls: { atSeconds: number; requestId: string; event: unknown }[] }> {
  const simAws = await functionWorld();
  const calls: { atSeconds: number; requestId: string; event: unknown }[] = [];
  const start = simAws.clock().now().getTime();
  await createQueue(simAws, "dlq");
  const handler = (event: unknown, { awsRequestId }: { awsRequestId: string }): string => {
    calls.push({ atSeconds: (simAws.clock().now().getTime() - start) / 1000, requestId: awsRequestId, event });
    if (calls.length <= failures) throw new Error(`boom ${calls.length}`);
    return "done";
  };
  await createHandler(simAws, "fn", handler, more.deadLetterArn === undefined ? {} : { DeadLetterConfig: { TargetArn: more.deadLetterArn } });
  return { simAws, calls };
}

test("RequestResponse answers the result, its version and, asked for it, the log's end", async () => {
  const simAws = await functionWorld();
  await createHandler(simAws, "fn", (event: unknown) => ({ got: event }));
  const answer = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn", Payload: Buffer.from('{"a":1}') }));
  expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: "$LATEST", $metadata: { httpStatusCode: 200 } });
  expect(Buffer.from(answer.Payload!).toString()).toBe('{"got":{"a":1}}');
  expect(answer.Payload!.transformToString()).toBe('{"got":{"a":1}}');
  expect(answer).not.toHaveProperty("FunctionError");
  expect(answer).not.toHaveProperty("LogResult");
  expect((await invoke(simAws, "fn")).log).toMatch(/^START RequestId/);
  const withoutPayload = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" }));
  expect(withoutPayload.Payload!.transformToString()).toBe('{"got":{}}');
});

test("DryRun checks and does not run", async () => {
  const { simAws, calls } = await failingWorld(0);
  const answer = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn", InvocationType: "DryRun" }));
  expect(answer).toEqual({ StatusCode: 204, $metadata: expect.anything() });
  await simAws.backgroundTasksComplete();
  expect(calls).toEqual([]);
});

test.each<{ name: string; input: Partial<InvokeCommandInput>; error: string; message: unknown; status: number }>([
  { name: "an unknown function", input: { FunctionName: "nobody" }, error: "ResourceNotFoundException", message: `Function not found: ${functionArn("nobody")}:$LATEST`, status: 404 },
  { name: "an unknown version", input: { Qualifier: "7" }, error: "ResourceNotFoundException", message: `Function not found: ${functionArn("fn")}:7`, status: 404 },
  { name: "a payload that is no JSON", input: { Payload: "{" }, error: "InvalidRequestContentException", message: expect.stringMatching(/^Could not parse request body into json: /), status: 400 },
  { name: "a payload beyond 6 MB", input: { Payload: `"${"x".repeat(6_291_455)}"` }, error: "RequestTooLargeException", message: expect.stringContaining("payload is too large for the RequestResponse invocation type (limit 6291456 bytes)"), status: 413 },
  { name: "an unknown type", input: { InvocationType: "Later" as never }, error: "ValidationException", message: expect.stringContaining("Value 'Later' at 'invocationType'"), status: 400 },
])("refused: $name", async ({ input, error, message, status }) => {
  const { simAws, calls } = await failingWorld(0);
  await expect(simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn", ...input }))).rejects.toMatchObject({ name: error, message, $metadata: { httpStatusCode: status } });
  expect(calls).toEqual([]);
});

test("a payload of exactly 6 MB is taken", async () => {
  const { simAws, calls } = await failingWorld(0);
  await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn", Payload: `"${"x".repeat(6_291_454)}"` }));
  expect(calls).toHaveLength(1);
});

test("an awaited invocation moves the clock as far as it needs, a background one does not", async () => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", "exports.handler = () => new Promise((resolve) => setTimeout(resolve, 1500, 'slept'))");
  const start = simAws.clock().now().getTime();
  await queueEvent(simAws, {});
  await simAws.backgroundTasksComplete();
  expect(simAws.clock().now().getTime() - start).toBe(0);
  expect((await invoke(simAws, "fn")).result).toBe("slept");
  expect(simAws.clock().now().getTime() - start).toBe(1500);
  expect(simAws.log().filter({ function: "fn", kind: "lambda.invocation.succeeded" }).records).toHaveLength(2);
});

describe("Event", () => {
  test("it is accepted at once and worked off in the background", async () => {
    const { simAws, calls } = await failingWorld(0);
    expect(await queueEvent(simAws, { x: 1 })).toEqual({ StatusCode: 202, $metadata: expect.objectContaining({ httpStatusCode: 202 }) });
    expect(calls).toEqual([]);
    await simAws.backgroundTasksComplete();
    expect(calls).toMatchObject([{ event: { x: 1 } }]);
  });

  test("it is tried again one and two minutes after a failure, as one request", async () => {
    const { simAws, calls } = await failingWorld(2);
    await queueEvent(simAws, {});
    await simAws.backgroundTasksComplete();
    await simAws.clock().advanceBy({ milliseconds: 59_999 });
    expect(calls).toHaveLength(1);
    await simAws.clock().advanceBy({ hours: 1 });
    expect(calls.map(({ atSeconds }) => atSeconds)).toEqual([0, 60, 180]);
    expect(new Set(calls.map(({ requestId }) => requestId)).size).toBe(1);
    expect(await receive(simAws, "dlq")).toEqual([]);
  });

  test("after three failures the event is on the function's dead-letter queue, with the reason in attributes", async () => {
    const { simAws, calls } = await failingWorld(9, { deadLetterArn: queueArn("dlq") });
    await queueEvent(simAws, { x: 1 });
    await simAws.clock().advanceBy({ hours: 1 });
    expect(calls).toHaveLength(3);
    const [message, ...more] = await receive(simAws, "dlq");
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      Body: '{"x":1}',
      MessageAttributes: {
        RequestID: { DataType: "String", StringValue: calls[0]!.requestId },
        ErrorCode: { DataType: "Number", StringValue: "200" },
        ErrorMessage: { DataType: "String", StringValue: "boom 3" },
      },
    });
    expect(String(simAws.log().filter({ queue: "dlq", kind: "lambda.event.discarded" }))).toContain("The event for function fn is not tried again: it was sent to the dead-letter queue");
  });

  test("an event that the dead-letter queue does not take is lost, and the log says so", async () => {
    const { simAws } = await failingWorld(9, { deadLetterArn: queueArn("dlq") });
    await simAws.iam().deleteRolePolicy(new DeleteRolePolicyCommand({ RoleName: "consumer", PolicyName: "actions" }));
    await queueEvent(simAws, {});
    await simAws.clock().advanceBy({ hours: 1 });
    expect(String(simAws.log().filter({ kind: "lambda.event.discarded" }))).toContain("did not take it: AccessDenied");
  });

  test("an event whose function was deleted is dropped", async () => {
    const { simAws, calls } = await failingWorld(1);
    await queueEvent(simAws, {});
    await simAws.backgroundTasksComplete();
    await simAws.lambda().deleteFunction(new DeleteFunctionCommand({ FunctionName: "fn" }));
    await simAws.clock().advanceBy({ hours: 1 });
    expect(calls).toHaveLength(1);
    expect(String(simAws.log().filter({ kind: "lambda.event.discarded" }))).toContain("its function was deleted");
  });

  test("a dead-letter queue that the role may not send to is refused at creation", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "dlq");
    await simAws.iam().deleteRolePolicy(new DeleteRolePolicyCommand({ RoleName: "consumer", PolicyName: "actions" }));
    await expect(createHandler(simAws, "fn", () => 1, { DeadLetterConfig: { TargetArn: queueArn("dlq") } })).rejects.toMatchObject({
      name: "InvalidParameterValueException",
      message: "The provided execution role does not have permissions to call SendMessage on SQS",
    });
  });
});

test("whoever may not invoke is denied, and the function does not run", async () => {
  const { simAws, calls } = await failingWorld(0);
  const caller = { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/nobody` } as const;
  await expect(simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn" }), { caller })).rejects.toMatchObject({
    name: "AccessDeniedException",
    message: `User: ${caller.arn} is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn("fn")} because no identity-based policy allows the lambda:InvokeFunction action`,
    $metadata: { httpStatusCode: 403 },
  });
  await simAws.backgroundTasksComplete();
  expect(calls).toEqual([]);
});

test("an in-process handler that awaits the test's own things is waited for", async () => {
  const simAws = await functionWorld();
  await createHandler(simAws, "fn", () => new Promise((resolve) => setTimeout(resolve, 150, "host")));
  expect((await invoke(simAws, "fn")).result).toBe("host");
  expect(simAws.clock().now().toISOString()).toBe("2026-01-01T00:00:00.000Z");
});

test("an in-process handler may stand still, as at a breakpoint, without its time running out", async () => {
  const simAws = await functionWorld();
  await createHandler(simAws, "fn", async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const until = performance.now() + 2_200;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 100));
    return "went on";
  });
  expect((await invoke(simAws, "fn")).result).toBe("went on");
});
