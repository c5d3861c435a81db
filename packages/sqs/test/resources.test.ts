import { DeleteQueueCommand, GetQueueAttributesCommand, ListQueueTagsCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { arnOf, attributesOf, createQueue, receive, send } from "./setup.js";

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws();
});

type Resources = Record<string, { Type: string; Properties?: object }>;

const templateOf = (Resources: Resources): object => ({
  Resources,
  Outputs: Object.fromEntries(Object.keys(Resources).map((id) => [id, { Value: { Ref: id } }])),
});

async function deploy(Resources: Resources, options: { tags?: Record<string, string> } = {}) {
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "app", template: templateOf(Resources), ...options });
  await stack.waitForDeployComplete();
  return stack;
}

async function update(Resources: Resources) {
  const stack = await simAws.cloudFormation().updateTemplate({ stackName: "app", template: templateOf(Resources) });
  await stack.waitForDeployComplete();
  return stack;
}

const queue = (Properties: object = {}): Resources[string] => ({ Type: "AWS::SQS::Queue", Properties });
const tagsOf = async (QueueUrl: string): Promise<unknown> => (await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl }))).Tags;

describe("AWS::SQS::Queue", () => {
  const everything = {
    QueueName: "orders",
    DelaySeconds: 17,
    MaximumMessageSize: "1234",
    MessageRetentionPeriod: 13_579,
    ReceiveMessageWaitTimeSeconds: 18,
    VisibilityTimeout: 45,
    RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dlq", "Arn"] }, maxReceiveCount: "7" },
    KmsMasterKeyId: "alias/aws/sqs",
    KmsDataKeyReusePeriodSeconds: 297,
    Tags: [{ Key: "Department", Value: "Finance" }, { Key: "Size", Value: 5 }],
  };

  test("is made with all its properties, and says what has no effect", async () => {
    const stack = await deploy({ Dlq: queue({ RedriveAllowPolicy: { redrivePermission: "allowAll" } }), Orders: queue(everything) }, { tags: { team: "shop", Size: "overridden" } });
    const url = stack.output("Orders");
    expect(url).toBe("https://sqs.us-east-1.amazonaws.com/888888888888/orders");
    const dlq = stack.getResource("Dlq").attributes;
    expect(dlq).toMatchObject({ Arn: arnOf(String(dlq.QueueName)), QueueName: expect.stringMatching(/^app-Dlq-\w{12}$/), QueueUrl: stack.output("Dlq") });
    const { RedrivePolicy, ...attributes } = await attributesOf(simAws, url);
    expect(JSON.parse(RedrivePolicy!)).toEqual({ deadLetterTargetArn: dlq.Arn, maxReceiveCount: 7 });
    expect(attributes).toMatchObject({
      DelaySeconds: "17",
      MaximumMessageSize: "1234",
      MessageRetentionPeriod: "13579",
      ReceiveMessageWaitTimeSeconds: "18",
      VisibilityTimeout: "45",
      KmsMasterKeyId: "alias/aws/sqs",
      KmsDataKeyReusePeriodSeconds: "297",
      SqsManagedSseEnabled: "false",
      QueueArn: arnOf("orders"),
    });
    expect(await tagsOf(url)).toEqual({ Department: "Finance", Size: "5", team: "shop" });
    expect(JSON.parse((await attributesOf(simAws, stack.output("Dlq"))).RedriveAllowPolicy!)).toEqual({ redrivePermission: "allowAll" });
    expect(new Set(stack.ignoredProperties.map(({ logicalId, path }) => `${logicalId}.${path}`))).toEqual(new Set(["Orders.KmsDataKeyReusePeriodSeconds", "Orders.KmsMasterKeyId"]));
    expect(stack.ignoredProperties[0]!.reason).toContain("encrypts nothing");
  });

  test("without properties has the service's defaults", async () => {
    const stack = await deploy({ Plain: { Type: "AWS::SQS::Queue" } });
    const attributes = await attributesOf(simAws, stack.output("Plain"));
    expect(attributes).toMatchObject({ MaximumMessageSize: "1048576", MessageRetentionPeriod: "345600", VisibilityTimeout: "30", SqsManagedSseEnabled: "true" });
    expect(await tagsOf(stack.output("Plain"))).toBeUndefined();
    expect(stack.ignoredProperties).toEqual([]);
  });

  test("is updated in place with its messages kept, and a property that goes is reset", async () => {
    const before = await deploy({ Dlq: queue(), Orders: queue({ ...everything, DelaySeconds: 0 }) });
    const url = before.output("Orders");
    await send(simAws, url, "kept");
    const after = await update({ Dlq: queue(), Orders: queue({ QueueName: "orders", VisibilityTimeout: 40, Tags: [{ Key: "Department", Value: "Sales" }] }) });
    expect(after.output("Orders")).toBe(url);
    const attributes = await attributesOf(simAws, url);
    expect(attributes).toMatchObject({
      DelaySeconds: "0",
      MaximumMessageSize: "262144",
      MessageRetentionPeriod: "345600",
      ReceiveMessageWaitTimeSeconds: "0",
      VisibilityTimeout: "40",
      SqsManagedSseEnabled: "true",
    });
    for (const name of ["RedrivePolicy", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds"]) expect(attributes).not.toHaveProperty(name);
    expect(await tagsOf(url)).toEqual({ Department: "Sales" });
    expect(await receive(simAws, url)).toMatchObject([{ Body: "kept" }]);
  });

  test("keeps its key when only the switch for the other kind of encryption goes", async () => {
    const { KmsMasterKeyId } = everything;
    const stack = await deploy({ Orders: queue({ KmsMasterKeyId, SqsManagedSseEnabled: false }) });
    await update({ Orders: queue({ KmsMasterKeyId, VisibilityTimeout: 31 }) });
    expect(await attributesOf(simAws, stack.output("Orders"))).toMatchObject({ KmsMasterKeyId, SqsManagedSseEnabled: "false", VisibilityTimeout: "31" });
  });

  test("is replaced under another name, and the old one deleted", async () => {
    const oldUrl = (await deploy({ Orders: queue({ VisibilityTimeout: 40 }) })).output("Orders");
    const after = await update({ Orders: queue({ QueueName: "renamed", VisibilityTimeout: 40 }) });
    expect(after.output("Orders")).toMatch(/\/renamed$/);
    await expect(attributesOf(simAws, oldUrl)).rejects.toMatchObject({ name: "QueueDoesNotExist" });
    expect(await attributesOf(simAws, after.output("Orders"))).toMatchObject({ VisibilityTimeout: "40" });
  });

  test("goes with its stack, even when it is gone already", async () => {
    const stack = await deploy({ A: queue(), B: queue() });
    await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl: stack.output("A") }));
    await simAws.cloudFormation().deleteStack({ stackName: "app" });
    await expect(attributesOf(simAws, stack.output("B"))).rejects.toMatchObject({ name: "QueueDoesNotExist" });
  });

  test("that cannot be made fails the stack with the service's own error", async () => {
    await expect(deploy({ Orders: queue({ VisibilityTimeout: 43_201 }) })).rejects.toThrow("Invalid value for the parameter VisibilityTimeout.");
    expect((await simAws.sqs().listQueues({ input: {} })).QueueUrls).toBeUndefined();
  });
});

describe("AWS::SQS::QueuePolicy", () => {
  const document = (...actions: string[]): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: "*", Action: actions, Resource: "*" }] });
  const policy = (queues: string[], PolicyDocument: object): Resources[string] => ({ Type: "AWS::SQS::QueuePolicy", Properties: { Queues: queues.map((Ref) => ({ Ref })), PolicyDocument } });
  const queues = { A: queue({ QueueName: "a" }), B: queue({ QueueName: "b" }), C: queue({ QueueName: "c" }) };

  async function policies(): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const name of ["a", "b", "c"]) {
      const QueueUrl = `https://sqs.us-east-1.amazonaws.com/888888888888/${name}`;
      const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["Policy"] }));
      found.push(Attributes?.Policy === undefined ? undefined : JSON.parse(Attributes.Policy));
    }
    return found;
  }

  test("is on all the queues it lists, and off those that leave the list", async () => {
    const [first, second] = [document("sqs:SendMessage"), document("sqs:SendMessage", "sqs:ReceiveMessage")];
    await deploy({ ...queues, Policy: policy(["A"], first) });
    expect(await policies()).toEqual([first, undefined, undefined]);
    await update({ ...queues, Policy: policy(["A", "B", "C"], second) });
    expect(await policies()).toEqual([second, second, second]);
    await update({ ...queues, Policy: policy(["B"], second) });
    expect(await policies()).toEqual([undefined, second, undefined]);
    await update(queues);
    expect(await policies()).toEqual([undefined, undefined, undefined]);
  });

  test("in its inline form is on one queue, with the same rule of removal", async () => {
    const inline = (PolicyDocument: object): Resources[string] => ({ Type: "AWS::SQS::QueueInlinePolicy", Properties: { Queue: { Ref: "A" }, PolicyDocument } });
    await deploy({ ...queues, Policy: inline(document("sqs:SendMessage")) });
    expect(await policies()).toEqual([document("sqs:SendMessage"), undefined, undefined]);
    await update({ ...queues, Policy: inline(document("sqs:ReceiveMessage")) });
    expect(await policies()).toEqual([document("sqs:ReceiveMessage"), undefined, undefined]);
    await update(queues);
    expect(await policies()).toEqual([undefined, undefined, undefined]);
  });

  test("that is malformed fails the stack and leaves nothing", async () => {
    await createQueue(simAws, "z");
    await expect(deploy({ ...queues, Policy: policy(["A"], { Statement: [{ Effect: "Allow" }] }) })).rejects.toThrow("Invalid value for the parameter Policy.");
    expect((await simAws.sqs().listQueues({ input: {} })).QueueUrls).toHaveLength(1);
  });
});
