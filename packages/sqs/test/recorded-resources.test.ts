import { GetQueueAttributesCommand, ListQueueTagsCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { arnOf, attributesOf, createQueue, receive, send } from "./setup.js";
import { EPOCH_SECONDS } from "./recorded.js";

/*
 * Deployments to AWS, told again after the same recordings as `recorded.ts`: AWS::SQS::Queue, AWS::SQS::QueuePolicy and AWS::SQS::QueueInlinePolicy.
 */

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws();
});

type Resource = { readonly Type: string; readonly Properties?: object };
type Stack = Awaited<ReturnType<ReturnType<SimAws["cloudFormation"]>["deployTemplate"]>>;

const templateOf = (Resources: Record<string, Resource>): object => ({
  Resources,
  Outputs: Object.fromEntries(Object.entries(Resources).flatMap(([id, { Type }]) => (Type === "AWS::SQS::Queue" ? [[id, { Value: { Ref: id } }]] : []))),
});

async function deploy(Resources: Record<string, Resource>): Promise<Stack> {
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "stack", template: templateOf(Resources) });
  await stack.waitForDeployComplete();
  return stack;
}

async function update(Resources: Record<string, Resource>): Promise<Stack> {
  const stack = await simAws.cloudFormation().updateTemplate({ stackName: "stack", template: templateOf(Resources) });
  await stack.waitForDeployComplete();
  return stack;
}

const queue = (Properties?: object): Resource => ({ Type: "AWS::SQS::Queue", ...(Properties && { Properties }) });
const tags = (values: Record<string, string>): object[] => Object.entries(values).map(([Key, Value]) => ({ Key, Value }));
const redriveTo = (name: string, maxReceiveCount: number): object => ({ deadLetterTargetArn: { "Fn::GetAtt": [name, "Arn"] }, maxReceiveCount });
const tagsOf = async (QueueUrl: string): Promise<unknown> => (await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl }))).Tags;

/** The attributes with those that hold JSON read. */
async function readAttributes(url: string): Promise<Record<string, unknown>> {
  const attributes = Object.entries(await attributesOf(simAws, url));
  return Object.fromEntries(attributes.map(([name, value]) => [name, name.endsWith("Policy") ? JSON.parse(value!) : value])); // each has a value
}

const queueArnOf = (url: string): string => arnOf(url.slice(url.lastIndexOf("/") + 1));
const DEFAULTS = {
  ApproximateNumberOfMessages: "0",
  ApproximateNumberOfMessagesDelayed: "0",
  ApproximateNumberOfMessagesNotVisible: "0",
  CreatedTimestamp: EPOCH_SECONDS,
  DelaySeconds: "0",
  LastModifiedTimestamp: EPOCH_SECONDS,
  MaximumMessageSize: "1048576",
  MessageRetentionPeriod: "345600",
  ReceiveMessageWaitTimeSeconds: "0",
  SqsManagedSseEnabled: "true",
  VisibilityTimeout: "30",
};

describe("AWS::SQS::Queue", () => {
  test("create_standard_queue_with_required_properties", async () => {
    const stack = await deploy({ Queue: queue() });
    const url = stack.output("Queue");
    expect(url).toMatch(/\/stack-Queue-\w{12}$/);
    expect(await readAttributes(url)).toEqual({ ...DEFAULTS, QueueArn: queueArnOf(url) });
  });

  test("create_standard_queue_with_all_properties", async () => {
    const stack = await deploy({
      Dlq: queue({ RedriveAllowPolicy: { redrivePermission: "allowAll" } }),
      Queue: queue({
        QueueName: "MyStandardQueue",
        DelaySeconds: 17,
        MaximumMessageSize: 1234,
        MessageRetentionPeriod: 13_579,
        ReceiveMessageWaitTimeSeconds: 18,
        VisibilityTimeout: 45,
        KmsMasterKeyId: "alias/aws/sqs",
        KmsDataKeyReusePeriodSeconds: 297,
        SqsManagedSseEnabled: false,
        RedrivePolicy: redriveTo("Dlq", 7),
        Tags: tags({ Environment: "Production", Department: "Finance" }),
      }),
    });
    expect(await readAttributes(stack.output("Queue"))).toEqual({
      ...DEFAULTS,
      DelaySeconds: "17",
      KmsDataKeyReusePeriodSeconds: "297",
      KmsMasterKeyId: "alias/aws/sqs",
      MaximumMessageSize: "1234",
      MessageRetentionPeriod: "13579",
      QueueArn: arnOf("MyStandardQueue"),
      ReceiveMessageWaitTimeSeconds: "18",
      RedrivePolicy: { deadLetterTargetArn: queueArnOf(stack.output("Dlq")), maxReceiveCount: 7 },
      SqsManagedSseEnabled: "false",
      VisibilityTimeout: "45",
    });
    expect(await tagsOf(stack.output("Queue"))).toEqual({ Department: "Finance", Environment: "Production" });
    expect(await readAttributes(stack.output("Dlq"))).toMatchObject({ RedriveAllowPolicy: { redrivePermission: "allowAll" } });
  });

  const first = {
    QueueName: "MyStandardQueue",
    DelaySeconds: 17,
    MaximumMessageSize: 1234,
    MessageRetentionPeriod: 13_579,
    ReceiveMessageWaitTimeSeconds: 18,
    VisibilityTimeout: 45,
    RedrivePolicy: redriveTo("Dlq", 7),
    Tags: tags({ Environment: "Production", Department: "Finance" }),
  };

  test("update_standard_queue_modify_properties_in_place, messages kept", async () => {
    const sameUrl = (await deploy({ Dlq: queue(), Queue: queue({ ...first, DelaySeconds: 0 }) })).output("Queue");
    await send(simAws, sameUrl, "kept");
    const second = { MaximumMessageSize: 4321, MessageRetentionPeriod: 17_539, ReceiveMessageWaitTimeSeconds: 17, VisibilityTimeout: 40, DelaySeconds: 16 };
    const after = await update({ Dlq: queue(), Queue: queue({ QueueName: "MyStandardQueue", ...second, RedrivePolicy: redriveTo("Dlq", 3), Tags: tags({ Environment: "Staging", Department: "Sales" }) }) });
    const url = after.output("Queue");
    expect(url).toBe(sameUrl);
    expect(await readAttributes(url)).toEqual({
      ...DEFAULTS,
      ApproximateNumberOfMessages: "1",
      DelaySeconds: "16",
      MaximumMessageSize: "4321",
      MessageRetentionPeriod: "17539",
      QueueArn: arnOf("MyStandardQueue"),
      ReceiveMessageWaitTimeSeconds: "17",
      RedrivePolicy: { deadLetterTargetArn: queueArnOf(after.output("Dlq")), maxReceiveCount: 3 },
      VisibilityTimeout: "40",
    });
    expect(await tagsOf(url)).toEqual({ Department: "Sales", Environment: "Staging" });
    expect(await receive(simAws, url)).toMatchObject([{ Body: "kept" }]);
  });

  test("update_standard_queue_add_properties_with_replacement", async () => {
    const oldUrl = (await deploy({ Dlq: queue(), Queue: queue({ QueueName: "MyStandardQueue" }) })).output("Queue");
    const after = await update({
      Dlq: queue(),
      Queue: queue({
        QueueName: "MyStandardQueueWithADifferentName",
        DelaySeconds: 15,
        MaximumMessageSize: 4444,
        MessageRetentionPeriod: 17_777,
        ReceiveMessageWaitTimeSeconds: 14,
        VisibilityTimeout: 35,
        RedrivePolicy: redriveTo("Dlq", 4),
        Tags: tags({ Environment: "Pre-Test", Department: "Marketing" }),
      }),
    });
    const url = after.output("Queue");
    expect(await readAttributes(url)).toEqual({
      ...DEFAULTS,
      DelaySeconds: "15",
      MaximumMessageSize: "4444",
      MessageRetentionPeriod: "17777",
      QueueArn: arnOf("MyStandardQueueWithADifferentName"),
      ReceiveMessageWaitTimeSeconds: "14",
      RedrivePolicy: { deadLetterTargetArn: queueArnOf(after.output("Dlq")), maxReceiveCount: 4 },
      VisibilityTimeout: "35",
    });
    expect(await tagsOf(url)).toEqual({ Department: "Marketing", Environment: "Pre-Test" });
    await expect(attributesOf(simAws, oldUrl)).rejects.toMatchObject({ Code: "AWS.SimpleQueueService.NonExistentQueue", message: "The specified queue does not exist." });
  });

  test("update_completely_remove_resource", async () => {
    const url = (await deploy({ Queue: queue({ QueueName: "MyStandardQueue" }), Other: queue() })).output("Queue");
    await update({ Other: queue() });
    await expect(attributesOf(simAws, url)).rejects.toMatchObject({ Code: "AWS.SimpleQueueService.NonExistentQueue" });
  });

  test("update_standard_queue_without_explicit_name", async () => {
    const sameUrl = (await deploy({ Queue: queue({ MaximumMessageSize: 1234, MessageRetentionPeriod: 13_579, ReceiveMessageWaitTimeSeconds: 18 }) })).output("Queue");
    const after = await update({ Queue: queue({ MaximumMessageSize: 4321, MessageRetentionPeriod: 17_539, ReceiveMessageWaitTimeSeconds: 17 }) });
    const url = after.output("Queue");
    expect(url).toBe(sameUrl);
    expect(await readAttributes(url)).toEqual({ ...DEFAULTS, MaximumMessageSize: "4321", MessageRetentionPeriod: "17539", QueueArn: queueArnOf(url), ReceiveMessageWaitTimeSeconds: "17" });
  });

  const FIFO_DEFAULTS = { ...DEFAULTS, ContentBasedDeduplication: "false", DeduplicationScope: "queue", FifoQueue: "true", FifoThroughputLimit: "perQueue" };
  const allOfFifo = {
    QueueName: "MyFifoQueue.fifo",
    FifoQueue: true,
    ContentBasedDeduplication: true,
    DeduplicationScope: "messageGroup",
    FifoThroughputLimit: "perMessageGroupId",
    DelaySeconds: 13,
    MaximumMessageSize: 3232,
    MessageRetentionPeriod: 13_425,
    ReceiveMessageWaitTimeSeconds: 15,
    VisibilityTimeout: 42,
    KmsMasterKeyId: "alias/aws/sqs",
    KmsDataKeyReusePeriodSeconds: 200,
    RedrivePolicy: redriveTo("Dlq", 7),
    Tags: tags({ Environment: "Production", Department: "Finance" }),
  };
  const fifoDlq = queue({ FifoQueue: true, RedriveAllowPolicy: { redrivePermission: "allowAll" } });

  test("create_fifo_queue_with_required_properties", async () => {
    const url = (await deploy({ Queue: queue({ FifoQueue: true }) })).output("Queue");
    expect(url).toMatch(/\/stack-Queue-\w{12}\.fifo$/);
    expect(await readAttributes(url)).toEqual({ ...FIFO_DEFAULTS, QueueArn: queueArnOf(url) });
  });

  test("create_fifo_queue_with_all_properties", async () => {
    const stack = await deploy({ Dlq: fifoDlq, Queue: queue({ ...allOfFifo, SqsManagedSseEnabled: false }) });
    expect(await readAttributes(stack.output("Queue"))).toEqual({
      ...DEFAULTS,
      ContentBasedDeduplication: "true",
      DeduplicationScope: "messageGroup",
      DelaySeconds: "13",
      FifoQueue: "true",
      FifoThroughputLimit: "perMessageGroupId",
      KmsDataKeyReusePeriodSeconds: "200",
      KmsMasterKeyId: "alias/aws/sqs",
      MaximumMessageSize: "3232",
      MessageRetentionPeriod: "13425",
      QueueArn: arnOf("MyFifoQueue.fifo"),
      ReceiveMessageWaitTimeSeconds: "15",
      RedrivePolicy: { deadLetterTargetArn: queueArnOf(stack.output("Dlq")), maxReceiveCount: 7 },
      SqsManagedSseEnabled: "false",
      VisibilityTimeout: "42",
    });
    expect(await tagsOf(stack.output("Queue"))).toEqual({ Department: "Finance", Environment: "Production" });
    expect(await readAttributes(stack.output("Dlq"))).toMatchObject({ RedriveAllowPolicy: { redrivePermission: "allowAll" } });
  });

  // It loses its explicit name and is replaced with that.
  test("update_fifo_queue_remove_all_properties", async () => {
    const oldUrl = (await deploy({ Dlq: fifoDlq, Queue: queue(allOfFifo) })).output("Queue");
    const url = (await update({ Dlq: fifoDlq, Queue: queue({ FifoQueue: true }) })).output("Queue");
    expect(url).toMatch(/\/stack-Queue-\w{12}\.fifo$/);
    expect(await readAttributes(url)).toEqual({ ...FIFO_DEFAULTS, QueueArn: queueArnOf(url) });
    expect(await tagsOf(url)).toBeUndefined();
    await expect(attributesOf(simAws, oldUrl)).rejects.toMatchObject({ name: "QueueDoesNotExist" });
  });
});

const SEND = ["sqs:SendMessage", "sqs:GetQueueAttributes", "sqs:GetQueueUrl"];
const documentFor = (Action: string[], Resource: unknown): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: "*", Action, Resource }] });

/** The policies of queues by name; `undefined` where there is none. */
async function policiesOf(...names: string[]): Promise<unknown[]> {
  const policies: unknown[] = [];
  for (const name of names) {
    const QueueUrl = `https://sqs.us-east-1.amazonaws.com/888888888888/${name}`;
    const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["Policy"] }));
    policies.push(Attributes?.Policy === undefined ? undefined : JSON.parse(Attributes.Policy));
  }
  return policies;
}

describe("AWS::SQS::QueuePolicy", () => {
  const NAMES = ["queue1", "queue2", "queue3"];
  const queues = Object.fromEntries(NAMES.map((QueueName) => [QueueName, queue({ QueueName })]));
  const first = { "Fn::GetAtt": ["queue1", "Arn"] };
  const policy = (Queues: string[], actions: string[]): Resource => ({ Type: "AWS::SQS::QueuePolicy", Properties: { Queues: Queues.map((Ref) => ({ Ref })), PolicyDocument: documentFor(actions, first) } });

  test("sqs_queue_policy", async () => {
    await deploy({ ...queues, Policy: policy(["queue1"], SEND) });
    expect(await policiesOf("queue1")).toEqual([documentFor(SEND, arnOf("queue1"))]);
  });

  test("update_sqs_queuepolicy", async () => {
    await deploy({ ...queues, Policy: policy(["queue1"], SEND) });
    expect(await policiesOf("queue1")).toEqual([documentFor(SEND, arnOf("queue1"))]);
    await update({ ...queues, Policy: policy(["queue1"], [...SEND, "sqs:DeleteMessage"]) });
    expect(await policiesOf("queue1")).toEqual([documentFor([...SEND, "sqs:DeleteMessage"], arnOf("queue1"))]);
  });

  test("update_add_two_additional_queues_to_policy", async () => {
    await deploy({ ...queues, Policy: policy(["queue1"], SEND) });
    expect(await policiesOf(...NAMES)).toEqual([documentFor(SEND, arnOf("queue1")), undefined, undefined]);
    const more = [...SEND, "sqs:ChangeMessageVisibility"];
    await update({ ...queues, Policy: policy(NAMES, more) });
    expect(await policiesOf(...NAMES)).toEqual(NAMES.map(() => documentFor(more, arnOf("queue1"))));
  });

  test("update_remove_two_queues_from_policy", async () => {
    const more = [...SEND, "sqs:ChangeMessageVisibility"];
    await deploy({ ...queues, Policy: policy(NAMES, more) });
    expect(await policiesOf(...NAMES)).toEqual(NAMES.map(() => documentFor(more, arnOf("queue1"))));
    await update({ ...queues, Policy: policy(["queue1"], SEND) });
    expect(await policiesOf(...NAMES)).toEqual([documentFor(SEND, arnOf("queue1")), undefined, undefined]);
  });

  test("update_to_remove_queuepolicy_from_template", async () => {
    await deploy({ ...queues, Policy: policy(["queue1"], SEND) });
    await update(queues);
    expect(await policiesOf("queue1")).toEqual([undefined]);
  });
});

describe("AWS::SQS::QueueInlinePolicy", () => {
  const queues = { Queue: queue({ QueueName: "queue" }) };
  const inline = (actions: string[]): Resource => ({ Type: "AWS::SQS::QueueInlinePolicy", Properties: { Queue: { Ref: "Queue" }, PolicyDocument: documentFor(actions, { "Fn::GetAtt": ["Queue", "Arn"] }) } });

  test("create_sqs_with_inlinepolicy and update_sqs_with_inlinepolicy", async () => {
    await deploy({ ...queues, Policy: inline(SEND) });
    expect(await policiesOf("queue")).toEqual([documentFor(SEND, arnOf("queue"))]);
    const more = [...SEND, "sqs:DeleteMessage", "sqs:ReceiveMessage"];
    await update({ ...queues, Policy: inline(more) });
    expect(await policiesOf("queue")).toEqual([documentFor(more, arnOf("queue"))]);
  });

  test("update_sqs_remove_inlinepolicy", async () => {
    await deploy({ ...queues, Policy: inline(SEND) });
    await update(queues);
    expect(await policiesOf("queue")).toEqual([undefined]);
  });

  test("a queue outside the stack may have one, and keeps its messages", async () => {
    const url = await createQueue(simAws, "outside");
    await send(simAws, url, "kept");
    await deploy({ ...queues, Policy: { Type: "AWS::SQS::QueueInlinePolicy", Properties: { Queue: url, PolicyDocument: documentFor(SEND, "*") } } });
    expect(await policiesOf("outside")).toEqual([documentFor(SEND, "*")]);
    expect(await receive(simAws, url)).toMatchObject([{ Body: "kept" }]);
  });
});
