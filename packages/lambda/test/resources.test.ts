import { GetFunctionCommand, GetPolicyCommand, ListEventSourceMappingsCommand, ListFunctionsCommand, ListTagsCommand } from "@aws-sdk/client-lambda";
import { SimAws } from "sandstack";
import { ACCOUNT, counts, invoke, send } from "./function-world.js";

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws();
});

type Resources = Record<string, { Type: string; Properties: object; DependsOn?: string }>;

const ROLE: Resources[string] = {
  Type: "AWS::IAM::Role",
  Properties: {
    AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }] },
    ManagedPolicyArns: ["arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole"],
  },
};

function fn(Properties: object = {}): Resources[string] {
  return {
    Type: "AWS::Lambda::Function",
    Properties: { Runtime: "nodejs22.x", Handler: "index.handler", Role: { "Fn::GetAtt": ["Role", "Arn"] }, Code: { ZipFile: "exports.handler = async () => process.env.MODE ?? 'none';" }, ...Properties },
  };
}

const outputs = { Name: { Value: { Ref: "Fn" } }, Arn: { Value: { "Fn::GetAtt": ["Fn", "Arn"] } } };

async function deploy(resources: Resources, more: { tags?: Record<string, string> } = {}) {
  const template = { Resources: { Role: ROLE, ...resources }, Outputs: "Fn" in resources ? outputs : {} };
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "app", template, ...more });
  await stack.waitForDeployComplete();
  return stack;
}

async function update(resources: Resources) {
  const stack = await simAws.cloudFormation().updateTemplate({ stackName: "app", template: { Resources: { Role: ROLE, ...resources }, Outputs: outputs } });
  await stack.waitForDeployComplete();
  return stack;
}

describe("AWS::Lambda::Function", () => {
  test("is made of inline text, with all that has an effect, and says what has none", async () => {
    const stack = await deploy(
      {
        Fn: fn({
          Timeout: "30",
          MemorySize: 256,
          Description: "does it",
          Environment: { Variables: { MODE: 5 } },
          ReservedConcurrentExecutions: 2,
          Tags: [{ Key: "own", Value: "tag" }],
          Layers: ["arn:aws:lambda:us-east-1:888888888888:layer:tools:1"],
          TracingConfig: { Mode: "Active" },
        }),
      },
      { tags: { team: "shop" } },
    );
    const name = stack.output("Name");
    expect(name).toMatch(/^app-Fn-\w{12}$/);
    expect(stack.output("Arn")).toBe(`arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}`);
    const { Configuration, Tags, Concurrency } = await simAws.lambda().getFunction(new GetFunctionCommand({ FunctionName: name }));
    expect(Configuration).toMatchObject({ Timeout: 30, MemorySize: 256, Description: "does it", Environment: { Variables: { MODE: "5" } }, TracingConfig: { Mode: "Active" } });
    expect(Tags).toMatchObject({ own: "tag", team: "shop", "aws:cloudformation:stack-name": "app", "aws:cloudformation:logical-id": "Fn" });
    expect(Concurrency).toEqual({ ReservedConcurrentExecutions: 2 });
    expect((await invoke(simAws, name)).result).toBe("5");
    expect(stack.ignoredProperties.filter(({ logicalId }) => logicalId === "Fn")).toEqual([
      { logicalId: "Fn", resourceType: "AWS::Lambda::Function", path: "Layers", reason: expect.stringContaining("Layers are not unpacked") },
      { logicalId: "Fn", resourceType: "AWS::Lambda::Function", path: "TracingConfig", reason: "Nothing is traced." },
    ]);
  });

  test("is changed in place, code included, and what is no longer named goes back to its default", async () => {
    const before = await deploy({ Fn: fn({ Timeout: 30, Description: "old", Environment: { Variables: { MODE: "a" } }, ReservedConcurrentExecutions: 2, Tags: [{ Key: "old", Value: "1" }] }) });
    const name = before.output("Name");
    const after = await update({ Fn: fn({ MemorySize: 512, Code: { ZipFile: "exports.handler = async () => 'new code';" }, Tags: [{ Key: "new", Value: "2" }] }) });
    expect(after.output("Name")).toBe(name);
    const { Configuration, Concurrency } = await simAws.lambda().getFunction(new GetFunctionCommand({ FunctionName: name }));
    expect(Configuration).toMatchObject({ Timeout: 3, MemorySize: 512, Description: "", Environment: { Variables: {} } });
    expect(Concurrency).toBeUndefined();
    const { Tags = {} } = await simAws.lambda().listTags(new ListTagsCommand({ Resource: after.output("Arn") }));
    expect(Object.keys(Tags).filter((key) => !key.startsWith("aws:"))).toEqual(["new"]);
    expect((await invoke(simAws, name)).result).toBe("new code");
  });

  test("a failing creation carries Lambda's own error, and nothing is left", async () => {
    await expect(deploy({ Fn: fn({ Timeout: 901 }) })).rejects.toThrow("Value '901' at 'timeout' failed to satisfy constraint: Member must have value less than or equal to 900");
    expect((await simAws.lambda().listFunctions(new ListFunctionsCommand({}))).Functions).toEqual([]);
  });

  test("inline code may require cfn-response", async () => {
    const stack = await deploy({ Fn: fn({ Code: { ZipFile: "const response = require('cfn-response'); exports.handler = async () => [response.SUCCESS, response.FAILED, typeof response.send];" } }) });
    expect((await invoke(simAws, stack.output("Name"))).result).toEqual(["SUCCESS", "FAILED", "function"]);
  });

  test("a function of another runtime deploys; bound to a handler, it runs", async () => {
    const python = fn({ Runtime: "python3.13", Code: { ZipFile: "def handler(event, context): pass" } });
    const stack = await simAws.cloudFormation().deployTemplate({
      stackName: "app",
      template: { Resources: { Role: ROLE, Fn: python, Other: python }, Outputs: outputs },
      bindings: { Fn: async () => "bound" },
    });
    await stack.waitForDeployComplete();
    expect((await invoke(simAws, stack.output("Name"))).result).toBe("bound");
    expect((await invoke(simAws, stack.getResource("Other").physicalId!)).result.errorMessage).toContain("The sandbox runs Node.js functions");
  });
});

describe("AWS::Lambda::EventSourceMapping", () => {
  const QUEUE = { Type: "AWS::SQS::Queue", Properties: { QueueName: "q" } };
  const mapping = (Properties: object = {}): Resources[string] => ({
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: { EventSourceArn: { "Fn::GetAtt": ["Queue", "Arn"] }, FunctionName: { Ref: "Fn" }, ...Properties },
  });
  const mappings = async () => (await simAws.lambda().listEventSourceMappings(new ListEventSourceMappingsCommand({}))).EventSourceMappings;

  test("is made with all its properties, changed in place and deleted", async () => {
    const everything = {
      BatchSize: "20",
      MaximumBatchingWindowInSeconds: 5,
      Enabled: "false",
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      FilterCriteria: { Filters: [{ Pattern: '{"body":["x"]}' }] },
      ScalingConfig: { MaximumConcurrency: 3 },
      MetricsConfig: { Metrics: ["EventCount"] },
    };
    const stack = await deploy({ Queue: QUEUE, Fn: fn(), Mapping: mapping(everything) });
    const [made] = (await mappings()) ?? [];
    expect(made).toMatchObject({
      BatchSize: 20,
      MaximumBatchingWindowInSeconds: 5,
      State: "Disabled",
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      FilterCriteria: { Filters: [{ Pattern: '{"body":["x"]}' }] },
      ScalingConfig: { MaximumConcurrency: 3 },
    });
    expect(stack.getResource("Mapping")).toMatchObject({ physicalId: made!.UUID, attributes: { Id: made!.UUID, EventSourceMappingArn: made!.EventSourceMappingArn } });
    expect(stack.ignoredProperties).toMatchObject([{ path: "MetricsConfig" }]);

    await update({ Queue: QUEUE, Fn: fn(), Mapping: mapping() });
    const [changed] = (await mappings()) ?? [];
    expect(changed).toMatchObject({ UUID: made!.UUID, BatchSize: 10, MaximumBatchingWindowInSeconds: 0, State: "Enabled", FunctionResponseTypes: [] });
    expect(changed).not.toHaveProperty("FilterCriteria");
    expect(changed).not.toHaveProperty("ScalingConfig");
    await send(simAws, "q", "a");
    await simAws.backgroundTasksComplete();
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 0 });

    await update({ Queue: QUEUE, Fn: fn() });
    expect(await mappings()).toEqual([]);
  });

  test("a queue whose messages come back too soon fails the deployment with Lambda's text", async () => {
    const short = { Type: "AWS::SQS::Queue", Properties: { VisibilityTimeout: 10 } };
    await expect(deploy({ Queue: short, Fn: fn({ Timeout: 60 }), Mapping: mapping() })).rejects.toThrow("Queue visibility timeout: 10 seconds is less than Function timeout: 60 seconds");
    expect(await mappings()).toEqual([]);
  });
});

test("AWS::Lambda::Permission is a statement of the function's policy, and goes with its resource", async () => {
  const permission = { Type: "AWS::Lambda::Permission", Properties: { FunctionName: { "Fn::GetAtt": ["Fn", "Arn"] }, Action: "lambda:InvokeFunction", Principal: "events.amazonaws.com", SourceAccount: ACCOUNT } };
  const stack = await deploy({ Fn: fn(), Permission: permission });
  const FunctionName = stack.output("Name");
  const { Policy } = await simAws.lambda().getPolicy(new GetPolicyCommand({ FunctionName }));
  expect(JSON.parse(Policy!).Statement).toEqual([
    {
      Sid: stack.getResource("Permission").physicalId,
      Effect: "Allow",
      Principal: { Service: "events.amazonaws.com" },
      Action: "lambda:InvokeFunction",
      Resource: stack.output("Arn"),
      Condition: { StringEquals: { "AWS:SourceAccount": ACCOUNT } },
    },
  ]);
  await update({ Fn: fn() });
  await expect(simAws.lambda().getPolicy(new GetPolicyCommand({ FunctionName }))).rejects.toMatchObject({ name: "ResourceNotFoundException" });
});
