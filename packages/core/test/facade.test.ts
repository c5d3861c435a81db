import { CreateQueueCommand, GetQueueUrlCommand, ListQueuesCommand, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { CreateRoleCommand, CreateUserCommand, ListUsersCommand } from "@aws-sdk/client-iam";
import { CreateFunctionCommand, InvokeCommand } from "@aws-sdk/client-lambda";
import { SimAws, type Caller } from "sandstack";
import { makeLambdaZipFileInput } from "sandstack/lambda";

const createQueue = (QueueName = "orders"): CreateQueueCommand => new CreateQueueCommand({ QueueName });
const listQueues = new ListQueuesCommand({});

describe("a new world", () => {
  test("has the documented defaults, and stands still", async () => {
    const before = Date.now();
    const simAws = new SimAws();
    expect(simAws).toMatchObject({ defaultAccountId: "888888888888", defaultRegionName: "us-east-1" });
    expect(simAws.clock().now().getTime()).toBeGreaterThanOrEqual(before);
    const now = simAws.clock().now();
    await simAws.backgroundTasksComplete();
    expect(simAws.clock().now()).toEqual(now);
  });

  test("takes its account, region and start from its options", async () => {
    const simAws = new SimAws({ defaultAccountId: "111111111111", defaultRegionName: "eu-west-1", startTime: new Date("2026-01-01T00:00:00Z") });
    expect(await simAws.sqs().createQueue(createQueue())).toMatchObject({ QueueUrl: "https://sqs.eu-west-1.amazonaws.com/111111111111/orders" });
    await simAws.clock().advanceBy({ hours: 1, seconds: 1 });
    expect(simAws.clock().now().toISOString()).toBe("2026-01-01T01:00:01.000Z");
  });

  test("shares nothing with another", async () => {
    const [one, other] = [new SimAws(), new SimAws()];
    await one.sqs().createQueue(createQueue());
    expect((await other.sqs().listQueues(listQueues)).QueueUrls).toBeUndefined();
    expect([...other.log().filter({ kind: "sqs.queue.created" })]).toEqual([]);
  });

  test.each([
    { name: "the fixed seed", options: {} },
    { name: "a seed of the user's", options: { seed: "mine" } },
  ])("draws the same ids for the same calls: $name", async ({ options }) => {
    const messageIds = async (seed: object): Promise<unknown> => {
      const sqs = new SimAws(seed).sqs();
      const { QueueUrl } = await sqs.createQueue(createQueue());
      return (await sqs.sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" }))).MessageId;
    };
    expect(await messageIds(options)).toBe(await messageIds(options));
    expect(await messageIds(options)).not.toBe(await messageIds({ seed: "another" }));
  });

  test.each([new Date("2025-12-31T23:59:59.999Z"), new Date(Number.NaN)])("does not go back in time: %p", async (date) => {
    const simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z") });
    await expect(simAws.clock().advanceTo(date)).rejects.toThrow(/^The clock stands at 2026-01-01T00:00:00\.000Z and cannot go to .*: time never goes back\.$/);
    await simAws.clock().advanceTo(new Date("2026-01-01T00:00:00Z"));
  });
});

describe("accounts and regions", () => {
  test("are separate for a service of the region", async () => {
    const simAws = new SimAws();
    const scopes = [simAws, simAws.region("eu-west-1"), simAws.account("111111111111"), simAws.account("111111111111").region("eu-west-1")];
    const urls = await Promise.all(scopes.map(async (scope) => (await scope.sqs().createQueue(createQueue())).QueueUrl));
    expect(urls).toEqual([
      "https://sqs.us-east-1.amazonaws.com/888888888888/orders",
      "https://sqs.eu-west-1.amazonaws.com/888888888888/orders",
      "https://sqs.us-east-1.amazonaws.com/111111111111/orders",
      "https://sqs.eu-west-1.amazonaws.com/111111111111/orders",
    ]);
    for (const [index, scope] of scopes.entries()) expect((await scope.sqs().listQueues(listQueues)).QueueUrls).toEqual([urls[index]]);
    // The order of naming does not matter, nor does asking twice.
    expect((await simAws.region("eu-west-1").account("111111111111").sqs().listQueues(listQueues)).QueueUrls).toEqual([urls[3]]);
  });

  test("IAM is one for all regions of an account", async () => {
    const simAws = new SimAws();
    await simAws.iam().createUser(new CreateUserCommand({ UserName: "alice" }));
    const userNames = async (scope: Pick<SimAws, "iam">): Promise<unknown> => (await scope.iam().listUsers(new ListUsersCommand({}))).Users?.map(({ UserName }) => UserName);
    expect(await userNames(simAws.region("eu-west-1"))).toEqual(["alice"]);
    expect(await userNames(simAws.account("111111111111"))).toEqual([]);
  });
});

describe("an operation that AWS has and the sandbox lacks", () => {
  /** Types know only what there is; users without types ask for anything. */
  const untyped = (service: object): Record<string, (command: object) => Promise<unknown>> => service as Record<string, (command: object) => Promise<unknown>>;

  test("fails by name, with the ones there are", async () => {
    const call = untyped(new SimAws().iam())["createSAMLProvider"]?.({ input: {} });
    await expect(call).rejects.toMatchObject({ name: "SimUnsupported", message: expect.stringMatching(/^The sandbox has not got iam:CreateSAMLProvider\. The operations of iam it has: .*\bCreateRole, CreateUser, /) });
  });

  test("is told from what AWS has not got, and from what a promise or a printer asks for", async () => {
    const sqs = new SimAws().sqs();
    for (const name of ["then", "toJSON", "sendMessages", "nonsense"]) expect(untyped(sqs)[name]).toBeUndefined();
    await expect(Promise.resolve(sqs)).resolves.toBe(sqs);
  });
});

describe("runAs", () => {
  const alice: Caller = { kind: "arn", arn: "arn:aws:iam::888888888888:user/alice" };

  async function worldWithAlice(): Promise<SimAws> {
    const simAws = new SimAws();
    await simAws.iam().createUser(new CreateUserCommand({ UserName: "alice" }));
    return simAws;
  }

  test("makes every call inside it the caller's, later turns included, and none outside", async () => {
    const simAws = await worldWithAlice();
    const denied = { name: expect.stringMatching(/^AccessDenied/), message: expect.stringContaining("User: arn:aws:iam::888888888888:user/alice is not authorized") };
    await simAws.runAs(alice, async () => {
      await expect(simAws.sqs().createQueue(createQueue())).rejects.toMatchObject(denied);
      await new Promise((resolve) => setImmediate(resolve));
      await expect(simAws.sqs().createQueue(createQueue())).rejects.toMatchObject(denied);
      await expect(simAws.region("eu-west-1").sqs().createQueue(createQueue())).rejects.toMatchObject(denied);
    });
    await simAws.sqs().createQueue(createQueue());
    expect([...simAws.log().filter({ kind: "call.denied" })].map(({ principal }) => principal)).toEqual([alice.arn, alice.arn, alice.arn]);
  });

  test("gives way to a caller that is named, and answers what its function answers", async () => {
    const simAws = await worldWithAlice();
    const root: Caller = { kind: "arn", arn: "arn:aws:iam::888888888888:root" };
    const { QueueUrl } = await simAws.runAs(alice, () => simAws.sqs().createQueue(createQueue(), { caller: root }));
    expect(QueueUrl).toMatch(/orders$/);
    expect(simAws.runAs(alice, () => simAws.runAs(root, () => 7))).toBe(7);
    await simAws.runAs(alice, () => simAws.runAs(root, () => simAws.sqs().createQueue(createQueue("inner"))));
    expect(() =>
      simAws.runAs(alice, () => {
        throw new Error("its own");
      }),
    ).toThrow("its own");
  });

  test("reaches no other world", async () => {
    const [simAws, other] = [await worldWithAlice(), new SimAws()];
    await simAws.runAs(alice, () => other.sqs().createQueue(createQueue()));
    expect((await other.sqs().listQueues(listQueues)).QueueUrls).toHaveLength(1);
  });
});

test("a function of one world may drive another as somebody, as a test would", async () => {
  const [simAws, other] = [new SimAws(), new SimAws()];
  const root: Caller = { kind: "arn", arn: "arn:aws:iam::888888888888:root" };
  const { QueueUrl } = await other.sqs().createQueue(createQueue());
  const handler = (): Promise<boolean> =>
    other.runAs(root, async () => {
      await other.clock().advanceBy({ seconds: 1 });
      return (await other.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }))).Messages === undefined;
    });
  const trust = JSON.stringify({ Version: "2012-10-17", Statement: { Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" } });
  const { Role } = await simAws.iam().createRole(new CreateRoleCommand({ RoleName: "visitor", AssumeRolePolicyDocument: trust }));
  await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName: "visitor", Role: Role?.Arn, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: makeLambdaZipFileInput(handler) } }));
  const { Payload } = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "visitor" }));
  expect(Buffer.from(Payload ?? []).toString()).toBe("true");
});

describe("reset", () => {
  test("empties all accounts and regions and the log, and ends parked receives; the clock stays", async () => {
    const simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z") });
    const scopes = [simAws, simAws.region("eu-west-1"), simAws.account("111111111111")];
    for (const scope of scopes) await scope.sqs().createQueue(createQueue());
    await simAws.clock().advanceBy({ seconds: 5 });
    const { QueueUrl } = await simAws.sqs().getQueueUrl(new GetQueueUrlCommand({ QueueName: "orders" }));
    const receive = simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));

    simAws.reset();

    expect((await receive).Messages).toBeUndefined();
    for (const scope of scopes) expect((await scope.sqs().listQueues(listQueues)).QueueUrls).toBeUndefined();
    expect(simAws.log().records).toEqual([]);
    expect(simAws.clock().now().toISOString()).toBe("2026-01-01T00:00:05.000Z");
    // Nothing of before is left to fall due: the name is free at once.
    await simAws.sqs().createQueue(createQueue());
    await simAws.clock().advanceBy({ days: 15 });
    expect((await simAws.sqs().listQueues(listQueues)).QueueUrls).toHaveLength(1);
  });
});
