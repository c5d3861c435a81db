import { QueueNameExists } from "@aws-sdk/client-sqs";
import type { SimAws } from "sandstack";
import { deploy, makeWorld, queueNames, rejection, update } from "./setup.js";

const allow = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sqs:SendMessage", Resource: "*" }] };
const trust = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: "lambda.amazonaws.com" } }] };

interface NamedType {
  readonly type: string;
  readonly nameProperty: string;
  readonly properties?: object;
  /** A name, where not every one will do. */
  readonly name?: string;
  readonly error: string;
  /** What the events give as AWS's reason, as far as the name is in it. */
  readonly reason: RegExp;
  isThere(simAws: SimAws, name: string): Promise<unknown>;
}

const queueType = { type: "AWS::SQS::Queue", nameProperty: "QueueName", error: "QueueNameExists", isThere: (simAws: SimAws, QueueName: string) => simAws.sqs().getQueueUrl({ input: { QueueName } }) };
const queueReason = (name: string): RegExp =>
  new RegExp(`^Resource handler returned message: "Resource of type 'AWS::SQS::Queue' with identifier '${name}' already exists\\." \\(RequestToken: [0-9a-f-]{36}, HandlerErrorCode: AlreadyExists\\)$`);
const iamReason = (what: string): RegExp =>
  new RegExp(`^Resource handler returned message: "${what}\\. \\(Service: Iam, Status Code: 409, Request ID: [0-9a-f-]{36}\\)" \\(RequestToken: [0-9a-f-]{36}, HandlerErrorCode: AlreadyExists\\)$`);

const types: NamedType[] = [
  { ...queueType, reason: queueReason("taken") },
  { ...queueType, properties: { FifoQueue: true }, name: "taken.fifo", reason: queueReason("taken\\.fifo") },
  { type: "AWS::IAM::Role", nameProperty: "RoleName", properties: { AssumeRolePolicyDocument: trust }, error: "EntityAlreadyExistsException", reason: iamReason("Role with name taken already exists"), isThere: (simAws, RoleName) => simAws.iam().getRole({ input: { RoleName } }) },
  { type: "AWS::IAM::User", nameProperty: "UserName", error: "EntityAlreadyExistsException", reason: iamReason("User with name taken already exists"), isThere: (simAws, UserName) => simAws.iam().getUser({ input: { UserName } }) },
  { type: "AWS::IAM::Group", nameProperty: "GroupName", error: "EntityAlreadyExistsException", reason: iamReason("Group with name taken already exists"), isThere: (simAws, GroupName) => simAws.iam().getGroup({ input: { GroupName } }) },
  {
    type: "AWS::IAM::ManagedPolicy",
    nameProperty: "ManagedPolicyName",
    properties: { PolicyDocument: allow },
    error: "EntityAlreadyExistsException",
    reason: iamReason("A policy called taken already exists\\. Duplicate names are not allowed"),
    isThere: (simAws, name) => simAws.iam().getPolicy({ input: { PolicyArn: `arn:aws:iam::888888888888:policy/${name}` } }),
  },
  {
    type: "AWS::Lambda::Function",
    nameProperty: "FunctionName",
    properties: { Code: { ZipFile: "exports.handler = async () => {};" }, Handler: "index.handler", Runtime: "nodejs22.x", Role: "arn:aws:iam::888888888888:role/worker" },
    error: "ResourceConflictException",
    reason: /^Resource handler returned message: "Function already exist: taken .*HandlerErrorCode: AlreadyExists\)$/,
    isThere: (simAws, FunctionName) => simAws.lambda().getFunction({ input: { FunctionName } }),
  },
];

const titled = types.map((named) => ({ ...named, title: `${named.type}${named.name === undefined ? "" : ` ${named.name}`}` }));

describe.each(titled)("the name of a $title that is taken", ({ type, nameProperty, properties = {}, name = "taken", error, reason, isThere }) => {
  const named = (given: string, others: object = {}): object => ({ Type: type, Properties: { ...properties, [nameProperty]: given }, ...others });
  const free = `free${name.slice("taken".length)}`;

  async function worldWithRole(): Promise<SimAws> {
    const simAws = makeWorld();
    await simAws.iam().createRole({ input: { RoleName: "worker", AssumeRolePolicyDocument: JSON.stringify(trust) } });
    return simAws;
  }

  test("by another stack: the second stack fails and takes nothing down", async () => {
    const simAws = await worldWithRole();
    const first = await deploy(simAws, { Resources: { Mine: named(name) } }, { stackName: "first" });
    const second = await simAws.cloudFormation().deployTemplate({ stackName: "second", template: { Resources: { Theirs: named(name) } } });

    const failure = await rejection(second.waitForDeployComplete());
    expect(failure).toMatchObject({ name: error, message: expect.stringContaining(`(resource Theirs of type ${type}`) });
    expect(failure.message).toContain(name);
    expect(second.status).toBe("ROLLBACK_COMPLETE");
    expect(second.events.find(({ ResourceStatus }) => ResourceStatus === "CREATE_FAILED")?.ResourceStatusReason).toMatch(reason);
    await simAws.cloudFormation().deleteStack("second");
    expect(await isThere(simAws, name)).toBeDefined();
    await simAws.cloudFormation().deleteStack("first");
    expect(first.status).toBe("DELETE_COMPLETE");
    await expect(isThere(simAws, name)).rejects.toThrow();
  });

  test("twice in one template: one of both fails, and the rollback takes the one that was made", async () => {
    const simAws = await worldWithRole();
    const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Resources: { A: named(name), B: named(name, { DependsOn: "A" }) } } });
    expect(await rejection(stack.waitForDeployComplete())).toMatchObject({ name: error, message: expect.stringContaining(`(resource B of type ${type}`) });
    expect(stack.status).toBe("ROLLBACK_COMPLETE");
    await expect(isThere(simAws, name)).rejects.toThrow();
  });

  test("for an update that adds it, and for one that replaces by it: both are rolled back, and the one who had it keeps it", async () => {
    const simAws = await worldWithRole();
    await deploy(simAws, { Resources: { Mine: named(name) } }, { stackName: "first" });
    const stack = await deploy(simAws, { Resources: { A: named(free) } });
    for (const Resources of [{ A: named(free), B: named(name) }, { A: named(name) }]) {
      expect(await rejection(update(simAws, { Resources }))).toMatchObject({ name: error });
      expect(stack.status).toBe("UPDATE_ROLLBACK_COMPLETE");
      expect(stack.resources.map(({ logicalId }) => logicalId)).toEqual(["A"]);
      expect(await isThere(simAws, name)).toBeDefined();
      expect(await isThere(simAws, free)).toBeDefined();
    }
  });
});

test.each<{ name: string; attributes: Record<string, string>; properties: object; message: string }>([
  { name: "the same in everything", attributes: {}, properties: {}, message: "Resource of type 'AWS::SQS::Queue' with identifier 'orders' already exists." },
  { name: "other than what the template says", attributes: { DelaySeconds: "7" }, properties: { DelaySeconds: 1 }, message: "A queue already exists with the same name and a different value for attribute DelaySeconds" },
])("a queue made by CreateQueue stays nobody's: $name", async ({ attributes, properties, message }) => {
  const simAws = makeWorld();
  const { QueueUrl } = await simAws.sqs().createQueue({ input: { QueueName: "orders", Attributes: attributes } });
  await simAws.sqs().sendMessage({ input: { QueueUrl, MessageBody: "one" } });
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Resources: { Q: { Type: "AWS::SQS::Queue", Properties: { QueueName: "orders", ...properties } } } } });

  const failure = await rejection(stack.waitForDeployComplete());
  expect(failure).toBeInstanceOf(QueueNameExists);
  expect(failure.message.slice(0, message.length)).toBe(message);
  await simAws.cloudFormation().deleteStack("shop");
  expect(await queueNames(simAws)).toEqual(["orders"]);
  expect(simAws.sqs().messages(QueueUrl ?? "")).toHaveLength(1);
  // To whoever calls CreateQueue the queue is still the answer.
  expect((await simAws.sqs().createQueue({ input: { QueueName: "orders", Attributes: attributes } })).QueueUrl).toBe(QueueUrl);
});
