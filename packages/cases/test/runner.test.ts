import type { Step } from "../src/case.js";
import { reportLine } from "../src/report.js";
import { runCase, type CaseResult } from "../src/runner.js";

/** Runs steps as a case without anything else. */
function runSteps(...steps: Step[]): Promise<CaseResult> {
  return runCase({ id: "T1", area: "test", title: "A case", steps });
}

const createQueue = { service: "sqs", operation: "CreateQueue", input: { QueueName: "q" }, save: { url: "QueueUrl" } };
const send = { service: "sqs", operation: "SendMessage", input: { QueueUrl: "${url}", MessageBody: "m" } };

function receive(expect: object): Step {
  return { service: "sqs", operation: "ReceiveMessage", input: { QueueUrl: "${url}" }, expect };
}

test("a case whose steps do as expected has passed, and has no line", async () => {
  const result = await runSteps(createQueue, send, receive({ output: { Messages: [{ Body: "m" }] }, virtualSeconds: 0 }));
  expect(result).toEqual({ id: "T1", title: "A case", outcome: "passed" });
  expect(reportLine(result)).toBeUndefined();
});

test("a budget of real time is kept or not, and where the machine is shared it does not count", async () => {
  const within = (realMillis: number): Step => ({ budget: { realMillis }, steps: [createQueue] });
  expect(await runSteps(within(60_000))).toMatchObject({ outcome: "passed" });
  expect(await runSteps(within(0))).toMatchObject({ outcome: "failed", failure: { step: "0", path: "budget.realMillis", expected: 0, actual: expect.any(Number) } });
  expect(await runCase({ id: "T1", area: "test", title: "A case", steps: [within(0)] }, { holdsBudgets: false })).toMatchObject({ outcome: "passed" });
});

test.each<{ name: string; steps: Step[]; line: string | RegExp }>([
  {
    name: "an output that differs",
    steps: [createQueue, send, receive({ output: { Messages: [{ Body: "other" }] } })],
    line: 'FAILED T1 step 2 at output.Messages[0].Body: expected "other", got "m" (A case)',
  },
  {
    name: "a success where an error was expected",
    steps: [createQueue, { ...send, expect: { error: { name: ["InvalidMessageContents"] } } }],
    line: /^FAILED T1 step 1 at error: expected \{"name":\["InvalidMessageContents"\]\}, got \{"MessageId":/,
  },
  {
    name: "an error where a success was expected",
    steps: [{ ...createQueue, input: { QueueName: "not a name" } }],
    line: /^FAILED T1 step 0 at output: expected \{\}, got InvalidParameterValue/,
  },
  {
    name: "another error",
    steps: [{ ...createQueue, operation: "GetQueueUrl", expect: { error: { name: ["AccessDenied"] } } }],
    line: /^FAILED T1 step 0 at error\.name: expected \["AccessDenied"\], got QueueDoesNotExist: /,
  },
  {
    name: "an error with another message",
    steps: [{ ...createQueue, operation: "GetQueueUrl", expect: { error: { name: ["AWS.SimpleQueueService.NonExistentQueue"], message: "is full" } } }],
    line: /^FAILED T1 step 0 at error\.message: expected "is full", got "The specified queue does not exist/,
  },
  {
    name: "an error with another status",
    steps: [{ ...createQueue, operation: "GetQueueUrl", expect: { error: { name: ["QueueDoesNotExist"], status: 404 } } }],
    line: /^FAILED T1 step 0 at error\.status: expected 404, got 400/,
  },
  {
    name: "none of several outcomes: the nearest is told",
    steps: [createQueue, send, receive({ oneOf: [{ error: { name: ["OverLimit"] } }, { output: { Messages: [{ Body: "other" }] } }] })],
    line: /^FAILED T1 step 2 at output\.Messages\[0\]\.Body: expected "other", got "m"/,
  },
  {
    name: "a step inside a repeated one",
    steps: [createQueue, { repeat: { times: 3, as: "i" }, steps: [send, { drain: { queueUrl: "${url}", expect: { count: 1 } } }, { drain: { queueUrl: "${url}", expect: { count: "${i}" } } }] }],
    line: /^FAILED T1 step 1\[i=1\]\.2 at count: expected 1, got 0/,
  },
  {
    name: "messages that are there unreceived",
    steps: [createQueue, send, { peek: { queueUrl: "${url}", expect: [{ Body: "m", state: "visible", receiveCount: 1 }] } }],
    line: /^FAILED T1 step 2 at messages\[0\].receiveCount: expected 1, got 0/,
  },
  {
    name: "an open call that has ended",
    steps: [createQueue, send, { ...receive({}), expect: undefined, start: "poll" }, { pending: "poll" }],
    line: /^FAILED T1 step 3 at poll: expected "a call still open", got \{"Messages":/,
  },
  {
    name: "a step of no kind",
    steps: [{ wait: 1 }],
    line: /^FAILED T1 step 0 at the step: expected "one of the keys /,
  },
])("a wrong outcome is told with its step, its path and both values: $name", async ({ steps, line }) => {
  const result = await runSteps(...steps);
  expect(reportLine(result)).toEqual(typeof line === "string" ? line : expect.stringMatching(line));
});

test.each<{ name: string; steps: Step[]; lacks: string }>([
  { name: "a service", steps: [{ service: "polly", operation: "ListLexicons", input: {} }], lacks: "polly" },
  { name: "an operation", steps: [{ service: "iam", operation: "CreateSAMLProvider", input: {} }], lacks: "iam:CreateSAMLProvider" },
  { name: "a behaviour of functions", steps: [createQueue, { lambda: { name: "fn", behaviour: { cfnResponse: { Status: "SUCCESS", PhysicalResourceId: "p" } } } }], lacks: "custom resources" },
])("what the sandbox lacks is named, and the case is skipped: $name", async ({ steps, lacks }) => {
  const result = await runSteps(...steps);
  expect(result).toMatchObject({ outcome: "skipped", lacks });
  expect(reportLine(result)).toBe(`skipped T1: the sandbox lacks ${lacks}`);
});

test("a wrong answer before that is a failure all the same", async () => {
  expect(await runSteps(createQueue, { ...send, expect: { output: { MessageId: "1" } } }, { service: "polly", operation: "ListLexicons", input: {} })).toMatchObject({ outcome: "failed", failure: { step: "1", path: "output.MessageId" } });
});

test("a second world of the case is empty, and so is one that was reset", async () => {
  const exists = (expect: object, instance?: string): Step => ({ service: "sqs", operation: "GetQueueUrl", input: { QueueName: "q" }, expect, ...(instance === undefined ? {} : { instance }) });
  const isThere = { output: { QueueUrl: "${url}" } };
  const isNotThere = { error: { name: ["QueueDoesNotExist"] } };
  expect(await runSteps(createQueue, exists(isThere), exists(isNotThere, "b"), { ...createQueue, instance: "b" }, exists(isThere, "b"), { reset: { instance: "b" } }, exists(isNotThere, "b"), exists(isThere))).toMatchObject({
    outcome: "passed",
  });
});

describe("functions", () => {
  const invoke = (expect: object): Step => ({ service: "lambda", operation: "Invoke", input: { FunctionName: "fn", Payload: '{"n":1}' }, expect });
  const map = { service: "lambda", operation: "CreateEventSourceMapping", input: { FunctionName: "fn", EventSourceArn: "arn:aws:sqs:${region}:${account}:q", BatchSize: 2, FunctionResponseTypes: ["ReportBatchItemFailures"] } };
  const lambda = (behaviour: unknown, others: object = {}): Step => ({ lambda: { name: "fn", behaviour, ...others } });
  const invocations = (expect: object, save: object = {}): Step => ({ invocations: { lambda: "fn", expect, save } });
  const drained = (...bodies: string[]): Step => ({ drain: { queueUrl: "${url}", expect: { bodies } } });

  test.each<{ name: string; steps: Step[] }>([
    { name: "one that records returns nothing", steps: [lambda("record"), invoke({ output: { StatusCode: 200, Payload: { $jsonBytes: null } } }), invocations({ count: 1, last: { n: 1 }, events: [{ n: 1 }], running: 0 })] },
    { name: "one that returns", steps: [lambda({ return: { ok: true } }), invoke({ output: { Payload: { $jsonBytes: { ok: true } } } })] },
    { name: "one that throws", steps: [lambda({ throw: "boom", errorType: "TypeError" }), invoke({ output: { FunctionError: "Unhandled", Payload: { $jsonBytes: { errorMessage: "boom", errorType: "TypeError" } } } })] },
    { name: "one that throws anything", steps: [lambda("throw"), invoke({ output: { FunctionError: "Unhandled" } })] },
    {
      name: "one that does one thing after the other, the last for ever",
      steps: [lambda({ sequence: ["throw", { return: 1 }, { return: 2 }] }), invoke({ output: { FunctionError: "Unhandled" } }), ...[1, 2, 2].map((value) => invoke({ output: { Payload: { $jsonBytes: value } } }))],
    },
    {
      name: "another behaviour forgets the calls so far",
      steps: [lambda("record"), invoke({ output: {} }), lambda({ return: 3 }, { timeout: 7 }), invocations({ count: 0 }), invoke({ output: { Payload: { $jsonBytes: 3 } } }), { service: "lambda", operation: "GetFunctionConfiguration", input: { FunctionName: "fn" }, expect: { output: { Timeout: 7 } } }],
    },
    {
      name: "one that fails a part of its batches",
      steps: [createQueue, lambda({ partial: ["bad"] }), map, send, { ...send, input: { QueueUrl: "${url}", MessageBody: "bad" } }, { settle: true }, invocations({ bodies: { $flatUnordered: ["m", "bad"] } }, { id: "last.Records[0].messageId" }), drained(), { advance: { seconds: 29 } }, drained()],
    },
    {
      name: "one that sleeps goes on when the clock moves",
      steps: [createQueue, lambda({ sleepSeconds: 25 }, { timeout: 30 }), map, send, { settle: true }, invocations({ count: 1, running: 1, started: [["m"]] }), { advance: { seconds: 24 } }, invocations({ running: 1 }), { advance: { seconds: 1 } }, invocations({ count: 1, running: 0 }), { advance: { seconds: 60 } }, drained()],
    },
    { name: "one that sleeps is waited for when it is invoked and awaited", steps: [lambda({ sleepSeconds: 2 }), invoke({ output: { StatusCode: 200 }, virtualSeconds: 2 })] },
    { name: "one that sleeps too long is timed out", steps: [lambda({ sleepSeconds: 60 }), invoke({ output: { FunctionError: "Unhandled", Payload: { $jsonBytes: { errorMessage: { $regex: "timed out after 3" } } } } })] },
  ])("$name", async ({ steps }) => {
    expect(reportLine(await runSteps(...steps))).toBeUndefined();
  });
});

test("several open calls are compared by what they received", async () => {
  const poll = (start: string): Step => ({ service: "sqs", operation: "ReceiveMessage", input: { QueueUrl: "${url}", WaitTimeSeconds: 20 }, start });
  const messageCounts = { $unordered: [1, 0] };
  expect(reportLine(await runSteps(createQueue, poll("a"), poll("b"), { pending: "b" }, send, { advance: { seconds: 20 } }, { awaitAll: ["a", "b"], expect: { messageCounts } }))).toBeUndefined();
});

test("an update gives parameters that are left out their defaults, as AWS does", async () => {
  const template = { Parameters: { Name: { Type: "String", Default: "by-default" } }, Resources: { Q: { Type: "AWS::SQS::Queue", Properties: { QueueName: { Ref: "Name" } } } }, Outputs: { Name: { Value: { Ref: "Name" } } } };
  const deploy = (Name: string, parameters: object): Step => ({ deploy: { stack: "s", template, parameters, expect: { outputs: { Name } } } });
  expect(reportLine(await runSteps(deploy("given", { Name: "given" }), deploy("by-default", {})))).toBeUndefined();
});

test("stacks are created, updated, deleted and compared", async () => {
  const template = (...names: string[]): object => ({
    Resources: Object.fromEntries(names.map((name) => [name, { Type: "AWS::SQS::Queue", Properties: { QueueName: name.toLowerCase(), Tags: [{ Key: "k", Value: "${AWS::Region}" }] } }])),
    Outputs: { First: { Value: { Ref: names[0] } } },
  });
  const deploy = (names: string[], expect: object): Step => ({ deploy: { stack: "s", template: template(...names), expect, save: { first: "outputs.First" } } });
  expect(
    reportLine(
      await runSteps(
        deploy(["A", "B"], { resources: { $exactIds: ["B", "A"] }, outputs: { First: { $regex: "/a$" } }, maxVirtualSeconds: 600 }),
        { service: "sqs", operation: "GetQueueUrl", input: { QueueName: "a" }, expect: { output: { QueueUrl: "${first}" } } },
        deploy(["A"], { status: "UPDATE_COMPLETE", resources: { $exactIds: ["A"] } }),
        deploy(["A"], { error: { name: ["ValidationError"], message: "No updates are to be performed" } }),
        deploy(["A"], { oneOf: [{ status: "UPDATE_COMPLETE" }, { status: "UPDATE_COMPLETE", orError: ["ValidationError"] }] }),
        { deleteStack: { stack: "s", expect: { status: "DELETE_COMPLETE" } } },
      ),
    ),
  ).toBeUndefined();
  expect(reportLine(await runSteps(deploy(["A"], { status: "ROLLBACK_COMPLETE" })))).toMatch(/^FAILED T1 step 0 at status: expected "ROLLBACK_COMPLETE", got "CREATE_COMPLETE \(/);
  expect(reportLine(await runSteps(deploy(["A"], { resources: { $exactIds: ["B"] } })))).toMatch(/^FAILED T1 step 0 at resources: expected \{"\$unordered":\["B"\]\}, got \["A"\]/);
});
