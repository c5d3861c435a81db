import { GetFunctionConfigurationCommand, InvokeCommand } from "@aws-sdk/client-lambda";
import { GetQueueAttributesCommand, ListQueueTagsCommand, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { deploy, eventLines, makeWorld, queueNames, rejection, START } from "./setup.js";

const queue = (properties: object = {}, others: object = {}): object => ({ Type: "AWS::SQS::Queue", Properties: properties, ...others });

test.each([
  ["AWS::SNS::Topic", "nothing that is published to it is delivered"],
  ["AWS::SNS::Subscription", "nothing is delivered to its endpoint"],
  ["AWS::Events::Rule", "its targets get no events"],
])("a skipped %s says what does not happen for want of it", async (type, consequence) => {
  const stack = await deploy(makeWorld(), { Resources: { Skipped: { Type: type } } });
  expect(stack.skippedResources).toMatchObject([{ logicalId: "Skipped", skippedReason: `The sandbox does not have the resource type ${type}: ${consequence}.` }]);
});

test("a stack is made in the background, in the order of its needs, and tells its outputs, resources and events", async () => {
  const simAws = makeWorld();
  const stack = await simAws.cloudFormation().deployTemplate({
    stackName: "shop",
    template: {
      Resources: {
        Orders: queue({ RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dead", "Arn"] }, maxReceiveCount: 3 } }),
        Dead: queue(),
      },
      Outputs: { Url: { Value: { Ref: "Orders" }, Description: "where orders go" }, Arn: { Value: { "Fn::Sub": "${Dead.Arn}" }, Export: { Name: "dead-arn" } } },
    },
  });
  expect(stack.status).toBe("CREATE_IN_PROGRESS");
  expect(await queueNames(simAws)).toEqual([]);
  expect(() => stack.output("Url")).toThrow("The stack shop has no output Url. The outputs it has: none. The stack is CREATE_IN_PROGRESS: await waitForDeployComplete() first.");

  await stack.waitForDeployComplete();
  expect(stack.status).toBe("CREATE_COMPLETE");
  expect(stack.stackId).toMatch(/^arn:aws:cloudformation:us-east-1:888888888888:stack\/shop\/[0-9a-f-]{36}$/);
  const [deadName, ordersName] = await queueNames(simAws);
  expect(deadName).toMatch(/^shop-Dead-[A-Za-z0-9]{12}$/);
  expect(ordersName).toMatch(/^shop-Orders-[A-Za-z0-9]{12}$/);

  expect(stack.output("Url")).toBe(`https://sqs.us-east-1.amazonaws.com/888888888888/${ordersName}`);
  expect(() => stack.output("url")).toThrow("The stack shop has no output url. The outputs it has: Url, Arn.");
  expect(stack.outputs).toEqual({ Url: stack.output("Url"), Arn: `arn:aws:sqs:us-east-1:888888888888:${deadName}` });
  expect(stack.outputs.get("Arn")).toBe(stack.outputs["Arn"]);
  expect([...stack.outputs.keys()]).toEqual(["Url", "Arn"]);
  expect(stack.exports).toEqual({ "dead-arn": stack.output("Arn") });
  expect(stack.getResource("Orders")).toEqual({
    logicalId: "Orders",
    type: "AWS::SQS::Queue",
    physicalId: stack.output("Url"),
    status: "CREATE_COMPLETE",
    attributes: { Arn: `arn:aws:sqs:us-east-1:888888888888:${ordersName}`, QueueName: ordersName, QueueUrl: stack.output("Url") },
    deployed: true,
    skippedReason: undefined,
    ignoredProperties: [],
    constructPath: undefined,
  });
  expect(() => stack.getResource("Order")).toThrow("The stack shop has no resource Order. The resources it has: Dead, Orders.");
  expect(eventLines(stack)).toEqual([
    "shop CREATE_IN_PROGRESS User Initiated",
    "Dead CREATE_IN_PROGRESS",
    "Dead CREATE_IN_PROGRESS Resource creation Initiated",
    "Dead CREATE_COMPLETE",
    "Orders CREATE_IN_PROGRESS",
    "Orders CREATE_IN_PROGRESS Resource creation Initiated",
    "Orders CREATE_COMPLETE",
    "shop CREATE_COMPLETE",
  ]);
  expect(stack.events.map(({ Timestamp }) => Timestamp)).toEqual(stack.events.map(() => START));
  expect(new Set(stack.events.map(({ EventId }) => EventId)).size).toBe(8);
  expect(stack.events[1]).toMatchObject({ StackId: stack.stackId, StackName: "shop", LogicalResourceId: "Orders", PhysicalResourceId: stack.output("Url"), ResourceType: "AWS::SQS::Queue" });
  expect(String(simAws.log().filter({ stack: "shop" }))).toMatch(/ {2}The stack shop is CREATE_COMPLETE\.$/);
});

test("the queue of a template redrives as the template says", async () => {
  const simAws = makeWorld();
  const stack = await deploy(simAws, {
    Resources: { Orders: queue({ VisibilityTimeout: 10, RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dead", "Arn"] }, maxReceiveCount: 1 } }), Dead: queue() },
    Outputs: { Orders: { Value: { Ref: "Orders" } }, Dead: { Value: { Ref: "Dead" } } },
  });
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: stack.output("Orders"), MessageBody: "A-1" }));
  await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: stack.output("Orders") }));
  await simAws.clock().advanceBy({ seconds: 10 });
  const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: stack.output("Dead") }));
  expect(Messages).toMatchObject([{ Body: "A-1" }]);
});

test("texts, numbers and booleans are made what the schema wants", async () => {
  const simAws = makeWorld();
  const stack = await deploy(simAws, {
    Parameters: { Seconds: { Type: "Number", Default: 45 } },
    Resources: { Q: queue({ QueueName: 42, DelaySeconds: "2", VisibilityTimeout: { Ref: "Seconds" }, Tags: [{ Key: "n", Value: 5 }, { Key: "b", Value: true }] }) },
    Outputs: { Url: { Value: { Ref: "Q" } } },
  }, { tags: { team: "orders" } });
  const QueueUrl = stack.output("Url");
  const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["DelaySeconds", "VisibilityTimeout"] }));
  expect(Attributes).toEqual({ DelaySeconds: "2", VisibilityTimeout: "45" });
  expect((await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl }))).Tags).toEqual({ n: "5", b: "true", team: "orders" });
  expect(await queueNames(simAws)).toEqual(["42"]);
});

test("conditions leave out resources and outputs, AWS::NoValue properties", async () => {
  const simAws = makeWorld();
  const template = {
    Parameters: { Stage: { Type: "String", Default: "dev" } },
    Conditions: { IsProd: { "Fn::Equals": [{ Ref: "Stage" }, "prod"] } },
    Resources: {
      Always: queue({ QueueName: "always", VisibilityTimeout: { "Fn::If": ["IsProd", 99, { Ref: "AWS::NoValue" }] } }, { DependsOn: ["Extra"] }),
      Extra: queue({ QueueName: "extra" }, { Condition: "IsProd" }),
    },
    Outputs: { Extra: { Condition: "IsProd", Value: { Ref: "Extra" } }, Kind: { Value: { "Fn::If": ["IsProd", { Ref: "Extra" }, "none"] } } },
  };
  const dev = await deploy(simAws, template, { stackName: "dev" });
  expect(dev.outputs).toEqual({ Kind: "none" });
  expect(dev.resources.map(({ logicalId }) => logicalId)).toEqual(["Always"]);

  const prod = await deploy(simAws.region("eu-west-1") as typeof simAws, template, { stackName: "prod", parameters: { Stage: "prod" } });
  expect(prod.outputs).toEqual({ Extra: "https://sqs.eu-west-1.amazonaws.com/888888888888/extra", Kind: prod.output("Extra") });
});

test("what the sandbox does not act on is reported, with the reason; what is outside AWS's schema too", async () => {
  const simAws = makeWorld();
  const template = { Resources: { Q: queue({ VisibilityTimeout: 5, KmsMasterKeyId: "alias/x", NoSuch: 1, Tags: [{ Key: "a", Value: "b", Extra: 1 }] }) } };
  const stack = await deploy(simAws, template);
  expect(stack.ignoredProperties).toEqual([
    { logicalId: "Q", resourceType: "AWS::SQS::Queue", path: "KmsMasterKeyId", reason: expect.stringContaining("encrypts nothing") },
    { logicalId: "Q", resourceType: "AWS::SQS::Queue", path: "NoSuch", reason: "AWS::SQS::Queue has no such property in AWS's schema." },
    { logicalId: "Q", resourceType: "AWS::SQS::Queue", path: "Tags[0].Extra", reason: "AWS::SQS::Queue has no such property in AWS's schema." },
  ]);
  expect(stack.getResource("Q").ignoredProperties).toEqual(stack.ignoredProperties);

  const error = await rejection(deploy(simAws, template, { stackName: "strict", strict: true }));
  expect(error).toMatchObject({ name: "ValidationError", message: expect.stringContaining("#: extraneous key [NoSuch] is not permitted\n#/Tags/0: extraneous key [Extra] is not permitted") });
});

test("types that AWS has and the sandbox lacks are skipped, with stand-ins for what they would give", async () => {
  const simAws = makeWorld();
  const stack = await deploy(simAws, {
    Resources: {
      Table: { Type: "AWS::DynamoDB::Table", Properties: { KeySchema: [] } },
      Bucket: { Type: "AWS::S3::Bucket" },
      Thing: { Type: "Custom::Thing", Properties: { ServiceToken: "arn:aws:lambda:us-east-1:888888888888:function:provider" } },
      Q: queue({ Tags: [{ Key: "table", Value: { Ref: "Table" } }, { Key: "thing", Value: { "Fn::GetAtt": ["Thing", "Any.Key"] } }] }),
      Role: {
        Type: "AWS::IAM::Role",
        Properties: {
          AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: "lambda.amazonaws.com" } }] },
          Policies: [{ PolicyName: "p", PolicyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: ["dynamodb:GetItem", "s3:GetObject"], Resource: [{ "Fn::GetAtt": ["Table", "Arn"] }, { "Fn::Join": ["", [{ "Fn::GetAtt": ["Bucket", "Arn"] }, "/*"]] }] }] } }],
        },
      },
    },
    Outputs: { Table: { Value: { Ref: "Table" } }, Arn: { Value: { "Fn::GetAtt": ["Table", "Arn"] } }, Queue: { Value: { Ref: "Q" } } },
  });
  expect(stack.outputs).toMatchObject({ Table: "Table", Arn: "Table.Arn" });
  expect(stack.skippedResources).toMatchObject([
    { logicalId: "Table", type: "AWS::DynamoDB::Table", physicalId: "Table", deployed: false, skippedReason: "The sandbox does not have the resource type AWS::DynamoDB::Table." },
    { logicalId: "Bucket", type: "AWS::S3::Bucket" },
    { logicalId: "Thing", type: "Custom::Thing", skippedReason: expect.stringContaining("custom resource") },
  ]);
  expect((await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl: stack.output("Queue") }))).Tags).toEqual({ table: "Table", thing: "Thing.Any.Key" });
});

test("a CDK template's parameter, rule and metadata need no ceremony, and its resources have construct paths", async () => {
  const stack = await deploy(makeWorld(), {
    Parameters: { BootstrapVersion: { Type: "AWS::SSM::Parameter::Value<String>", Default: "/cdk-bootstrap/hnb659fds/version" } },
    Rules: { CheckBootstrapVersion: { Assertions: [{ Assert: { "Fn::Not": [{ "Fn::Contains": [["1", "2", "3", "4", "5"], { Ref: "BootstrapVersion" }] }] } }] } },
    Conditions: { CDKMetadataAvailable: { "Fn::Or": [{ "Fn::Equals": [{ Ref: "AWS::Region" }, "us-east-1"] }, { "Fn::Equals": [{ Ref: "AWS::Region" }, "us-west-2"] }] } },
    Resources: {
      Jobs1A2B3C4D: { ...queue(), UpdateReplacePolicy: "Delete", DeletionPolicy: "Delete", Metadata: { "aws:cdk:path": "shop/Jobs/Resource" } },
      CDKMetadata: { Type: "AWS::CDK::Metadata", Condition: "CDKMetadataAvailable", Properties: { Analytics: "v2:deflate64:AAAA" } },
      Handle: { Type: "AWS::CloudFormation::WaitConditionHandle" },
    },
  });
  expect(stack.ignoredProperties).toEqual([]);
  expect(stack.skippedResources).toEqual([]);
  for (const address of ["Jobs1A2B3C4D", "shop/Jobs/Resource", "shop/Jobs", "Jobs"]) expect(stack.getResource(address).logicalId).toBe("Jobs1A2B3C4D");
  expect(stack.getResource("Handle").physicalId).toMatch(/^https:\/\/cloudformation-waitcondition-us-east-1\.s3\.amazonaws\.com\//);
});

test("loops of the language extensions make resources, outputs and properties", async () => {
  const simAws = makeWorld();
  const stack = await deploy(simAws, {
    Transform: "AWS::LanguageExtensions",
    Parameters: { Names: { Type: "CommaDelimitedList", Default: "orders,e-mail" } },
    Resources: {
      "Fn::ForEach::Queues": ["Name", { Ref: "Names" }, { "Queue&{Name}": queue({ QueueName: { "Fn::Sub": "${Name}-queue" }, Tags: [{ Key: "name", Value: { Ref: "Name" } }] }) }],
    },
    Outputs: {
      "Fn::ForEach::Urls": ["Name", ["orders"], { "Url${Name}": { Value: { Ref: "Queue${Name}" } } }],
      Count: { Value: { "Fn::Length": { Ref: "Names" } } },
      Text: { Value: { "Fn::ToJsonString": { url: { Ref: "Queueemail" } } } },
    },
  });
  expect(await queueNames(simAws)).toEqual(["e-mail-queue", "orders-queue"]);
  expect(stack.outputs).toEqual({
    Urlorders: "https://sqs.us-east-1.amazonaws.com/888888888888/orders-queue",
    Count: "2",
    Text: '{"url":"https://sqs.us-east-1.amazonaws.com/888888888888/e-mail-queue"}',
  });
});

const functionTemplate = {
  Resources: {
    Role: { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: "lambda.amazonaws.com" } }] } } },
    Consumer: {
      Type: "AWS::Lambda::Function",
      Metadata: { "aws:cdk:path": "shop/Back/Consumer/Resource" },
      Properties: { FunctionName: "orders-consumer", Code: { S3Bucket: "nowhere", S3Key: "code.zip" }, Handler: "index.handler", Runtime: "nodejs22.x", Role: { "Fn::GetAtt": ["Role", "Arn"] } },
    },
  },
};

test.each(["Consumer", "shop/Back/Consumer", "Back/Consumer/Resource", "orders-consumer"])("a binding replaces a function's code: addressed as %s", async (address) => {
  const simAws = makeWorld();
  await deploy(simAws, functionTemplate, { bindings: { [address]: async (event: { n: number }) => event.n + 1 } });
  const { Payload } = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "orders-consumer", Payload: Buffer.from('{"n":1}') }));
  expect(Buffer.from(Payload ?? []).toString()).toBe("2");
  expect((await simAws.lambda().getFunctionConfiguration(new GetFunctionConfigurationCommand({ FunctionName: "orders-consumer" }))).Runtime).toBe("nodejs22.x");
});

test("a binding of no function is refused, naming the functions", async () => {
  const simAws = makeWorld();
  const error = await rejection(simAws.cloudFormation().deployTemplate({ stackName: "shop", template: functionTemplate, bindings: { Role: async () => undefined } }));
  expect(error).toMatchObject({ name: "SimBindingNotFound", message: "The template has no function Role to bind. The functions it has: Consumer (shop/Back/Consumer)." });
  expect(simAws.cloudFormation().findStack("shop")).toBeUndefined();
});

test("names that are too long are shortened, the random part kept whole", async () => {
  const simAws = makeWorld();
  const stackName = `s${"x".repeat(99)}`;
  const logicalId = `Q${"y".repeat(99)}`;
  await deploy(simAws, { Resources: { [logicalId]: queue(), Short: queue() } }, { stackName });
  const names = await queueNames(simAws);
  expect(names.map((name) => name.length)).toEqual([80, 80]);
  expect(names).toEqual(expect.arrayContaining([expect.stringMatching(/^sx{60}-Short-[A-Za-z0-9]{12}$/), expect.stringMatching(/^sx{32}-Qy{32}-[A-Za-z0-9]{12}$/)]));
});

test("the template is not kept by reference, and worlds with one seed make the same names", async () => {
  const template = { Resources: { Q: { Type: "AWS::SQS::Queue", Properties: { DelaySeconds: 1 } } }, Outputs: { Url: { Value: { Ref: "Q" } } } };
  const first = makeWorld();
  const stack = await first.cloudFormation().deployTemplate({ stackName: "shop", template });
  template.Resources.Q.Properties.DelaySeconds = 900;
  await stack.waitForDeployComplete();
  const { Attributes } = await first.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl: stack.output("Url"), AttributeNames: ["DelaySeconds"] }));
  expect(Attributes).toEqual({ DelaySeconds: "1" });
  expect((await deploy(makeWorld(), template)).output("Url")).toBe(stack.output("Url"));
});

test("a description is as long as it may be", async () => {
  const Description = `${"d".repeat(1022)}é`;
  const stack = await deploy(makeWorld(), { Description, Resources: { Q: { Type: "AWS::SQS::Queue" } } });
  expect(stack.status).toBe("CREATE_COMPLETE");
});
