import { CloudFormationClient, CreateStackCommand, DescribeStacksCommand, waitUntilStackCreateComplete } from "@aws-sdk/client-cloudformation";
import { CreateRoleCommand, GetRoleCommand, IAMClient, PutRolePolicyCommand } from "@aws-sdk/client-iam";
import { CreateEventSourceMappingCommand, CreateFunctionCommand, InvokeCommand, LambdaClient, ResourceNotFoundException, waitUntilFunctionActiveV2 } from "@aws-sdk/client-lambda";
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  paginateListQueues,
  PurgeQueueCommand,
  PurgeQueueInProgress,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQS,
  SQSClient,
  SQSServiceException,
  type SQSClientConfig,
} from "@aws-sdk/client-sqs";
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { SimAws } from "sandstack";
import { makeLambdaCodeZip } from "sandstack/lambda";

const ACCOUNT = "888888888888";
const bytes = new Uint8Array([0, 1, 254, 255]);

function fresh(config: SQSClientConfig = {}): { simAws: SimAws; client: SQSClient } {
  const simAws = new SimAws();
  return { simAws, client: new SQSClient({ ...simAws.sdkConfig(), ...config }) };
}

async function createQueue(client: SQSClient, QueueName = "orders"): Promise<string> {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName }));
  if (QueueUrl === undefined) throw new Error("no QueueUrl");
  return QueueUrl;
}

describe("a real SDK client in process", () => {
  test("sends, receives and deletes, with its own checks of digests and sizes", async () => {
    const { client, simAws } = fresh();
    const QueueUrl = await createQueue(client);
    expect(QueueUrl).toBe(`https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/orders`);
    const sent = await client.send(
      new SendMessageCommand({ QueueUrl, MessageBody: "héllo \r\n€😀", MessageAttributes: { b: { DataType: "Binary", BinaryValue: bytes }, n: { DataType: "Number", StringValue: "1" } } }),
    );
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MessageAttributeNames: ["All"], MessageSystemAttributeNames: ["All"] }));
    expect(Messages).toMatchObject([{ MessageId: sent.MessageId, Body: "héllo \r\n€😀", Attributes: { ApproximateReceiveCount: "1" } }]);
    expect(Array.from(Messages[0]?.MessageAttributes?.["b"]?.BinaryValue ?? [])).toEqual([0, 1, 254, 255]);
    const deleted = await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle }));
    expect(deleted.$metadata).toMatchObject({ httpStatusCode: 200, attempts: 1, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    // The same world, called directly.
    expect(await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] }))).toMatchObject({ Attributes: { ApproximateNumberOfMessages: "0" } });
  });

  test("gives AWS's errors as instances of the SDK's exceptions", async () => {
    const { client } = fresh();
    const QueueUrl = await createQueue(client);
    await client.send(new PurgeQueueCommand({ QueueUrl }));
    const purged = await client.send(new PurgeQueueCommand({ QueueUrl })).catch((error: unknown) => error);
    expect(purged).toBeInstanceOf(PurgeQueueInProgress);
    expect(purged).toMatchObject({ name: "PurgeQueueInProgress", Code: "AWS.SimpleQueueService.PurgeQueueInProgress", Type: "Sender", $fault: "client", $metadata: { httpStatusCode: 403, requestId: expect.any(String) } });

    const missing = await client.send(new GetQueueUrlCommand({ QueueName: "missing" })).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(QueueDoesNotExist);
    expect(missing).toMatchObject({ message: "The specified queue does not exist.", Code: "AWS.SimpleQueueService.NonExistentQueue" });

    const invalid = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 11 })).catch((error: unknown) => error);
    expect(invalid).toBeInstanceOf(SQSServiceException);
    expect(invalid).toMatchObject({ name: "InvalidParameterValue", message: expect.stringContaining("Must be between 1 and 10"), $metadata: { httpStatusCode: 400 } });
  });

  test.each([
    { name: "no queue", command: new SendMessageCommand({ QueueUrl: undefined, MessageBody: "m" }), message: "The request must contain the parameter QueueUrl." },
    { name: "no body", command: new SendMessageCommand({ QueueUrl: `https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/orders`, MessageBody: undefined }), message: "The request must contain the parameter MessageBody." },
  ])("a required member that is missing, which the client leaves to AWS: $name", async ({ command, message }) => {
    const { client } = fresh();
    await createQueue(client);
    await expect(client.send(command)).rejects.toMatchObject({ name: "MissingParameter", message, $metadata: { httpStatusCode: 400 } });
  });

  test("paginates", async () => {
    const { client } = fresh();
    for (const name of ["a", "b", "c"]) await createQueue(client, name);
    const pages: (string[] | undefined)[] = [];
    for await (const page of paginateListQueues({ client, pageSize: 2 }, {})) pages.push(page.QueueUrls?.map((url) => url.slice(-1)));
    expect(pages).toEqual([["a", "b"], ["c"]]);
  });

  test("retries what its middleware fails, and its middleware sees the exchange", async () => {
    const { client } = fresh({ maxAttempts: 3, retryStrategy: undefined });
    const QueueUrl = await createQueue(client);
    const seen: number[] = [];
    client.middlewareStack.add(
      (next) => async (args) => {
        seen.push(seen.length);
        if (seen.length < 3) throw Object.assign(new Error("lost"), { $retryable: { throttling: false }, name: "TimeoutError" });
        return next(args);
      },
      { step: "finalizeRequest", priority: "low" },
    );
    const { $metadata } = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    expect(seen).toHaveLength(3);
    expect($metadata.attempts).toBe(3);
  });

  test("leaves a long poll when it is aborted, and takes no message with it", async () => {
    const { client, simAws } = fresh();
    const QueueUrl = await createQueue(client);
    const abort = new AbortController();
    const polling = client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }), { abortSignal: abort.signal });
    polling.catch(() => {});
    await simAws.backgroundTasksComplete();
    abort.abort();
    await expect(polling).rejects.toMatchObject({ name: "AbortError" });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    expect((await client.send(new ReceiveMessageCommand({ QueueUrl }))).Messages).toMatchObject([{ Body: "m" }]);
    await expect(client.send(new ListQueuesCommand({}), { abortSignal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
  });

  test("calls the region and account it is configured for", async () => {
    const { simAws } = fresh();
    const there = new SQSClient(simAws.sdkConfig({ region: "eu-west-1" }));
    expect(await createQueue(there)).toBe(`https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/orders`);
    const elsewhere = new SQSClient(simAws.account("111111111111").region("eu-central-1").sdkConfig());
    expect(await createQueue(elsewhere)).toBe("https://sqs.eu-central-1.amazonaws.com/111111111111/orders");
    expect(await simAws.sqs().listQueues(new ListQueuesCommand({}))).not.toHaveProperty("QueueUrls");
  });

  test("an aggregated client and batches, partial failures included", async () => {
    const simAws = new SimAws();
    const sqs = new SQS(simAws.sdkConfig());
    const { QueueUrl } = await sqs.createQueue({ QueueName: "orders" });
    const { Successful, Failed } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: "a", MessageBody: "1" }, { Id: "b", MessageBody: "\u0000" }] }));
    expect(Successful).toMatchObject([{ Id: "a" }]);
    expect(Failed).toMatchObject([{ Id: "b", Code: "InvalidMessageContents", SenderFault: true }]);
  });

  test("a trace of the header travels with the message", async () => {
    const { client } = fresh();
    const QueueUrl = await createQueue(client);
    client.middlewareStack.add((next) => (args) => next({ ...args, request: Object.assign(args.request as object, { headers: { ...(args.request as { headers: object }).headers, "X-Amzn-Trace-Id": "Root=1-a" } }) }), { step: "build" });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    expect((await client.send(new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ["AWSTraceHeader"] }))).Messages).toMatchObject([{ Attributes: { AWSTraceHeader: "Root=1-a" } }]);
  });

  test("a client outlives a reset of its world", async () => {
    const { client, simAws } = fresh();
    await createQueue(client);
    simAws.reset();
    expect(await client.send(new ListQueuesCommand({}))).not.toHaveProperty("QueueUrls");
    await createQueue(client);
  });

  test("a service that the sandbox lacks says so", async () => {
    const { requestHandler } = new SimAws().sdkConfig();
    await expect(requestHandler.handle({ method: "POST", path: "/", headers: { "x-amz-target": "DynamoDB_20120810.ListTables" }, body: "{}" })).rejects.toMatchObject({
      name: "SimUnsupported",
      message: expect.stringContaining("DynamoDB_20120810.ListTables"),
    });
  });
});

describe("other services through real SDK clients", () => {
  const trust = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }] });

  test("a stack from a template, waited for, with its outputs and errors", async () => {
    const simAws = new SimAws();
    const cloudFormation = new CloudFormationClient(simAws.sdkConfig());
    const template = { Parameters: { Stage: { Type: "String" } }, Resources: { Queue: { Type: "AWS::SQS::Queue" } }, Outputs: { Url: { Value: { Ref: "Queue" } }, Stage: { Value: { Ref: "Stage" } } } };
    await cloudFormation.send(new CreateStackCommand({ StackName: "orders", TemplateBody: JSON.stringify(template), Parameters: [{ ParameterKey: "Stage", ParameterValue: "<test> & \"more\"" }] }));
    expect(await waitUntilStackCreateComplete({ client: cloudFormation, maxWaitTime: 60 }, { StackName: "orders" })).toMatchObject({ state: "SUCCESS" });
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: "orders" }));
    expect(Stacks[0]).toMatchObject({ StackStatus: "CREATE_COMPLETE", CreationTime: expect.any(Date) });
    expect(Stacks[0]?.Outputs).toEqual(expect.arrayContaining([expect.objectContaining({ OutputKey: "Stage", OutputValue: '<test> & "more"' })]));
    const QueueUrl = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === "Url")?.OutputValue;
    await new SQSClient(simAws.sdkConfig()).send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    await expect(cloudFormation.send(new DescribeStacksCommand({ StackName: "missing" }))).rejects.toMatchObject({ name: "ValidationError", message: "Stack with id missing does not exist", $metadata: { httpStatusCode: 400 } });
  });

  test("a function whose own SDK is its execution role", async () => {
    const simAws = new SimAws();
    const [lambda, iam] = [new LambdaClient(simAws.sdkConfig()), new IAMClient(simAws.sdkConfig())];
    const { Role } = await iam.send(new CreateRoleCommand({ RoleName: "worker", AssumeRolePolicyDocument: trust }));
    await iam.send(new PutRolePolicyCommand({ RoleName: "worker", PolicyName: "p", PolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sqs:SendMessage", Resource: "*" }] }) }));
    const source = `
      const { SQSClient, SendMessageCommand, ReceiveMessageCommand } = require("@aws-sdk/client-sqs");
      const { STSClient, GetCallerIdentityCommand } = require("@aws-sdk/client-sts");
      exports.handler = async ({ QueueUrl }) => {
        const sqs = new SQSClient({});
        const { MessageId } = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "from the function" }));
        const refused = await sqs.send(new ReceiveMessageCommand({ QueueUrl })).catch((error) => error.name);
        return { MessageId, refused, arn: (await new STSClient({}).send(new GetCallerIdentityCommand({}))).Arn };
      };`;
    await lambda.send(new CreateFunctionCommand({ FunctionName: "worker", Role: Role?.Arn, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: makeLambdaCodeZip(source) } }));
    await waitUntilFunctionActiveV2({ client: lambda, maxWaitTime: 10 }, { FunctionName: "worker" });
    const QueueUrl = await createQueue(new SQSClient(simAws.sdkConfig()));
    const { Payload, StatusCode, ExecutedVersion } = await lambda.send(new InvokeCommand({ FunctionName: "worker", Payload: Buffer.from(JSON.stringify({ QueueUrl })) }));
    expect({ StatusCode, ExecutedVersion }).toEqual({ StatusCode: 200, ExecutedVersion: "$LATEST" });
    expect(JSON.parse(Payload?.transformToString() ?? "")).toEqual({ MessageId: expect.any(String), refused: "AccessDenied", arn: `arn:aws:sts::${ACCOUNT}:assumed-role/worker/worker` });

    const missing = await lambda.send(new InvokeCommand({ FunctionName: "missing" })).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ResourceNotFoundException);
    expect(missing).toMatchObject({ Type: "User", message: expect.stringContaining("Function not found: "), $metadata: { httpStatusCode: 404 } });
    await expect(lambda.send(new CreateEventSourceMappingCommand({ FunctionName: undefined }))).rejects.toMatchObject({
      name: "ValidationException",
      message: "1 validation error detected: Value null at 'functionName' failed to satisfy constraint: Member must not be null",
      $metadata: { httpStatusCode: 400 },
    });
  });

  test("credentials of a role that was assumed", async () => {
    const simAws = new SimAws();
    const iam = new IAMClient(simAws.sdkConfig());
    const open = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: "sts:AssumeRole" }] });
    const { Role } = await iam.send(new CreateRoleCommand({ RoleName: "reader", AssumeRolePolicyDocument: open }));
    const { Credentials } = await new STSClient(simAws.sdkConfig()).send(new AssumeRoleCommand({ RoleArn: Role?.Arn, RoleSessionName: "session", DurationSeconds: 900 }));
    const credentials = { accessKeyId: Credentials?.AccessKeyId ?? "", secretAccessKey: Credentials?.SecretAccessKey ?? "", sessionToken: Credentials?.SessionToken };
    const client = new STSClient({ ...simAws.sdkConfig(), credentials });
    expect(await client.send(new GetCallerIdentityCommand({}))).toMatchObject({ Arn: `arn:aws:sts::${ACCOUNT}:assumed-role/reader/session` });
    const other = new STSClient({ ...simAws.sdkConfig(), credentials: { ...credentials, sessionToken: "another" } });
    await expect(other.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({ name: "InvalidClientTokenId" });
    await simAws.clock().advanceBy({ minutes: 15 });
    await expect(client.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({ name: expect.stringMatching(/^ExpiredToken/), $metadata: { httpStatusCode: 403 } });
    await expect(iam.send(new GetRoleCommand({ RoleName: undefined }))).rejects.toMatchObject({ name: "ValidationError", message: "1 validation error detected: Value null at 'roleName' failed to satisfy constraint: Member must not be null" });
  });
});

describe("who a client is", () => {
  test("the one given to sdkConfig", async () => {
    const simAws = new SimAws();
    const QueueUrl = await createQueue(new SQSClient(simAws.sdkConfig()));
    const nobody = new SQSClient(simAws.sdkConfig({ caller: { kind: "anonymous" } }));
    await expect(nobody.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }))).rejects.toMatchObject({ name: "AccessDenied", $metadata: { httpStatusCode: 403 } });
    const user = new SQSClient(simAws.sdkConfig({ caller: { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/alice` } }));
    await expect(user.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }))).rejects.toMatchObject({ message: expect.stringContaining("user/alice is not authorized to perform: sqs:sendmessage") });
  });

  test("the one of runAs where none was given", async () => {
    const simAws = new SimAws();
    const client = new SQSClient(simAws.sdkConfig());
    const QueueUrl = await createQueue(client);
    const alice = { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/alice` } as const;
    await expect(simAws.runAs(alice, () => client.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" })))).rejects.toMatchObject({ message: expect.stringContaining("user/alice") });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    const root = new SQSClient(simAws.sdkConfig({ caller: { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:root` } }));
    await simAws.runAs(alice, () => root.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" })));
  });

  test("nobody whose key the sandbox does not know", async () => {
    const { client } = fresh({ credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "x" } });
    await expect(client.send(new ListQueuesCommand({}))).rejects.toMatchObject({ name: "InvalidClientTokenId", message: "The security token included in the request is invalid.", $metadata: { httpStatusCode: 403 } });
  });

  test("sts tells it", async () => {
    const simAws = new SimAws();
    const sts = new STSClient(simAws.sdkConfig());
    expect(await sts.send(new GetCallerIdentityCommand({}))).toMatchObject({ Account: ACCOUNT, Arn: `arn:aws:iam::${ACCOUNT}:root` });
  });
});
