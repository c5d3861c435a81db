import { CreateRoleCommand } from "@aws-sdk/client-iam";
import { CreateFunctionCommand, InvokeCommand } from "@aws-sdk/client-lambda";
import { CreateQueueCommand, GetQueueAttributesCommand, ListQueuesCommand, SendMessageCommand, SQS, SQSClient } from "@aws-sdk/client-sqs";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { SimAws } from "sandstack";
import { makeLambdaZipFileInput } from "sandstack/lambda";
import { SimSdk } from "sandstack/sdk";

const ACCOUNT = "888888888888";
const alice = { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/alice` } as const;

/** What an application does at its top: it knows nothing of tests. */
function application() {
  const client = new SQSClient({ maxAttempts: 1 });
  return { send: (QueueUrl: string) => client.send(new SendMessageCommand({ QueueUrl, MessageBody: "from the application" })) };
}

const before = { ...process.env };
let sdk: SimSdk;

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("AWS_")) delete process.env[name];
  sdk = new SimSdk();
});

afterEach(() => {
  sdk.restoreAll();
  process.env = { ...before };
});

async function createQueue(): Promise<string> {
  const { QueueUrl } = await sdk.simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "orders" }));
  return QueueUrl ?? "";
}

async function messageCount(QueueUrl: string): Promise<string | undefined> {
  return (await sdk.simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["ApproximateNumberOfMessages"] }))).Attributes?.["ApproximateNumberOfMessages"];
}

test("clients made before and after reach the sandbox, without region or credentials", async () => {
  const earlier = application();
  sdk.intercept(SQSClient);
  const later = application();
  const QueueUrl = await createQueue();
  await earlier.send(QueueUrl);
  await later.send(QueueUrl);
  // The aggregated client is a client of the same class.
  await new SQS({}).sendMessage({ QueueUrl, MessageBody: "m" });
  expect(await messageCount(QueueUrl)).toBe("3");
});

test("one client, and no other of its class", async () => {
  const [inside, outside] = [new SQSClient({ region: "us-east-1" }), new SQSClient({ region: "us-east-1", requestHandler: elsewhere, credentials, maxAttempts: 1 })];
  sdk.intercept(inside);
  expect((await inside.send(new ListQueuesCommand({}))).$metadata.httpStatusCode).toBe(200);
  await expect(outside.send(new ListQueuesCommand({}))).rejects.toThrow("went elsewhere");
});

const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "x" };
const elsewhere = {
  metadata: { handlerProtocol: "test" },
  async handle(): Promise<never> {
    throw new Error("went elsewhere");
  },
};

test("restored, clients have what they had", async () => {
  const client = new SQSClient({ region: "eu-west-1", requestHandler: elsewhere, credentials, maxAttempts: 1, cacheMiddleware: true });
  const ownSend = Object.getOwnPropertyDescriptor(SQSClient.prototype, "send");
  await expect(client.send(new ListQueuesCommand({}))).rejects.toThrow("went elsewhere");
  sdk.intercept(SQSClient).intercept(client);
  await client.send(new ListQueuesCommand({}));
  sdk.restoreAll();
  await expect(client.send(new ListQueuesCommand({}))).rejects.toThrow("went elsewhere");
  expect(await client.config.credentials()).toMatchObject(credentials);
  expect(await client.config.region()).toBe("eu-west-1");
  expect(Object.getOwnPropertyDescriptor(SQSClient.prototype, "send")).toEqual(ownSend);
  sdk.intercept(client);
  await client.send(new ListQueuesCommand({}));
});

test("restored by leaving its block", async () => {
  const client = new SQSClient({ region: "us-east-1", requestHandler: elsewhere, credentials, maxAttempts: 1 });
  sdk.intercept(client);
  await client.send(new ListQueuesCommand({}));
  sdk[Symbol.dispose]();
  await expect(client.send(new ListQueuesCommand({}))).rejects.toThrow("went elsewhere");
});

test("two interceptions of one class are restored in either order", async () => {
  const client = new SQSClient({ region: "us-east-1", requestHandler: elsewhere, credentials, maxAttempts: 1 });
  const second = new SimSdk();
  sdk.intercept(SQSClient);
  second.intercept(SQSClient);
  await client.send(new CreateQueueCommand({ QueueName: "in-the-second" }));
  sdk.restoreAll();
  expect((await client.send(new ListQueuesCommand({}))).QueueUrls).toHaveLength(1);
  second.restoreAll();
  await expect(client.send(new ListQueuesCommand({}))).rejects.toThrow("went elsewhere");
  expect(Object.hasOwn(SQSClient.prototype, "send")).toBe(false);
});

test("the region is the client's, or the environment's, or the world's", async () => {
  sdk.intercept(SQSClient);
  const create = async (client: SQSClient) => (await client.send(new CreateQueueCommand({ QueueName: "orders" }))).QueueUrl;
  expect(await create(new SQSClient({ region: "eu-west-1" }))).toContain("sqs.eu-west-1.");
  expect(await create(new SQSClient({}))).toContain("sqs.us-east-1.");
  process.env["AWS_REGION"] = "eu-north-1";
  expect(await create(new SQSClient({}))).toContain("sqs.eu-north-1.");
});

test("the caller is whom runAs names, else the root", async () => {
  sdk.intercept(SQSClient).intercept(STSClient);
  const QueueUrl = await createQueue();
  const { send } = application();
  await expect(sdk.simAws.runAs(alice, () => send(QueueUrl))).rejects.toMatchObject({ name: "AccessDenied", message: expect.stringContaining("user/alice") });
  expect(await messageCount(QueueUrl)).toBe("0");
  await send(QueueUrl);
  expect(await new STSClient({}).send(new GetCallerIdentityCommand({}))).toMatchObject({ Arn: `arn:aws:iam::${ACCOUNT}:root` });
  expect(await sdk.simAws.runAs(alice, () => new STSClient({}).send(new GetCallerIdentityCommand({})))).toMatchObject({ Arn: alice.arn });
});

test("credentials that the sandbox gave out are whose they are, in the environment too", async () => {
  sdk.intercept(STSClient);
  const given = sdk.simAws.sdkConfig({ caller: alice }).credentials;
  const who = async (client: STSClient) => (await client.send(new GetCallerIdentityCommand({}))).Arn;
  expect(await who(new STSClient({ credentials: given }))).toBe(alice.arn);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: given.accessKeyId, AWS_SECRET_ACCESS_KEY: given.secretAccessKey });
  expect(await who(new STSClient({}))).toBe(alice.arn);
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" });
  expect(await who(new STSClient({}))).toBe(`arn:aws:iam::${ACCOUNT}:root`);
});

test("inside a function run in process, a client without credentials is the execution role; direct calls and configured clients are who they say", async () => {
  sdk.intercept(STSClient);
  const { simAws } = sdk;
  const client = new STSClient({});
  const trust = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" }] };
  const { Role } = await simAws.iam().createRole(new CreateRoleCommand({ RoleName: "worker", AssumeRolePolicyDocument: JSON.stringify(trust) }));
  const root = `arn:aws:iam::${ACCOUNT}:root`;
  const configured = new STSClient(simAws.sdkConfig());
  const ask = new GetCallerIdentityCommand({});
  const ZipFile = makeLambdaZipFileInput(async () => [(await client.send(ask)).Arn, (await simAws.sts().getCallerIdentity(ask)).Arn, (await configured.send(ask)).Arn]);
  await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName: "worker", Role: Role?.Arn, Code: { ZipFile }, Runtime: "nodejs22.x", Handler: "index.handler" }));
  const { Payload } = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "worker" }));
  expect(JSON.parse(Buffer.from(Payload ?? []).toString())).toEqual([`arn:aws:sts::${ACCOUNT}:assumed-role/worker/worker`, root, root]);
  expect((await client.send(ask)).Arn).toBe(root);
});

test("a world of the user's, and both ways in one test", async () => {
  const simAws = new SimAws({ defaultAccountId: "111111111111" });
  const other = new SimSdk({ simAws }).intercept(SQSClient);
  const QueueUrl = (await new SQSClient({}).send(new CreateQueueCommand({ QueueName: "orders" }))).QueueUrl ?? "";
  expect(QueueUrl).toContain("/111111111111/");
  // A client with the sandbox's own configuration stays with its world.
  await new SQSClient(simAws.sdkConfig({ region: "us-east-1" })).send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
  expect(other.simAws).toBe(simAws);
  other.restoreAll();
});

test("anything else is refused", () => {
  for (const target of [undefined, {}, class {}, "SQSClient"]) {
    expect(() => sdk.intercept(target as never)).toThrow(expect.objectContaining({ name: "SimNoSdkClient" }));
  }
});

test.each([
  { name: "without a session token", sessionToken: undefined, members: ["accessKeyId", "secretAccessKey"] },
  { name: "with one", sessionToken: "token", members: ["accessKeyId", "secretAccessKey", "sessionToken"] },
])("the credentials of sdkConfig have no member that is undefined: $name", ({ sessionToken, members }) => {
  const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret", sessionToken };
  const config = new SimAws().sdkConfig({ caller: { kind: "credentials", credentials } });
  expect(Object.keys(config.credentials).sort()).toEqual(members);
});
