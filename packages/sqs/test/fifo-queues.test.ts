import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand, SetQueueAttributesCommand, type QueueAttributeName } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { arnOf, attributesOf, counts, createFifoQueue, createQueue, receive, refusalOf, send, sendToGroups } from "./setup.js";

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws();
});

type Attributes = Partial<Record<QueueAttributeName, string>>;

const create = (QueueName: string, attributes?: Attributes) => simAws.sqs().createQueue(new CreateQueueCommand({ QueueName, Attributes: attributes }));
const set = (QueueUrl: string, attributes: Attributes) => simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: attributes }));
const FIFO = { FifoQueue: "true" };
const NAME_RULE = "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length";
const PLAIN_NAME_RULE = "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length";

describe("names", () => {
  test.each([
    { name: "no suffix", QueueName: "q", attributes: FIFO, message: NAME_RULE },
    { name: "nothing but the suffix", QueueName: ".fifo", attributes: FIFO, message: NAME_RULE },
    { name: "another dot", QueueName: "a.b.fifo", attributes: FIFO, message: NAME_RULE },
    { name: "the suffix in capitals", QueueName: "q.FIFO", attributes: FIFO, message: NAME_RULE },
    { name: "81 characters with the suffix", QueueName: `${"a".repeat(76)}.fifo`, attributes: FIFO, message: NAME_RULE },
    { name: "the suffix without FifoQueue", QueueName: "q.fifo", attributes: undefined, message: PLAIN_NAME_RULE },
  ])("$name: refused", async ({ QueueName, attributes, message }) => {
    expect(await refusalOf(create(QueueName, attributes))).toEqual({ name: "InvalidParameterValue", message, status: 400 });
    expect((await simAws.sqs().listQueues({ input: {} })).QueueUrls).toBeUndefined();
  });

  test.each([`${"a".repeat(75)}.fifo`, "a.fifo", "aZ0_-.fifo"])("%s: accepted", async (QueueName) => {
    const { QueueUrl } = await create(QueueName, FIFO);
    expect(QueueUrl).toBe(`https://sqs.us-east-1.amazonaws.com/888888888888/${QueueName}`);
    expect(await attributesOf(simAws, QueueUrl!)).toMatchObject({ QueueArn: arnOf(QueueName), FifoQueue: "true" });
  });
});

describe("attributes", () => {
  test("of a new FIFO queue are those of a standard queue and four more", async () => {
    const timestamp = expect.stringMatching(/^\d{10}$/) as string; // a matcher stands for a text
    expect(await attributesOf(simAws, (await create("q.fifo", FIFO)).QueueUrl!)).toEqual({
      ApproximateNumberOfMessages: "0",
      ApproximateNumberOfMessagesDelayed: "0",
      ApproximateNumberOfMessagesNotVisible: "0",
      ContentBasedDeduplication: "false",
      CreatedTimestamp: timestamp,
      DeduplicationScope: "queue",
      DelaySeconds: "0",
      FifoQueue: "true",
      FifoThroughputLimit: "perQueue",
      LastModifiedTimestamp: timestamp,
      MaximumMessageSize: "1048576",
      MessageRetentionPeriod: "345600",
      QueueArn: arnOf("q.fifo"),
      ReceiveMessageWaitTimeSeconds: "0",
      SqsManagedSseEnabled: "true",
      VisibilityTimeout: "30",
    });
  });

  test("can be changed, all but the type", async () => {
    const QueueUrl = await createQueue(simAws, "q.fifo", { FifoQueue: "True", ContentBasedDeduplication: "TRUE" });
    await set(QueueUrl, { FifoQueue: "true", ContentBasedDeduplication: "False", DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" });
    const changed = { FifoQueue: "true", ContentBasedDeduplication: "false", DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };
    expect(await attributesOf(simAws, QueueUrl)).toMatchObject(changed);
    const refused = set(QueueUrl, { FifoQueue: "false", VisibilityTimeout: "5" });
    expect(await refusalOf(refused)).toEqual({ name: "InvalidAttributeValue", message: "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported.", status: 400 });
    expect(await attributesOf(simAws, QueueUrl)).toMatchObject({ ...changed, VisibilityTimeout: "30" });
  });

  test.each<Attributes>([{ FifoQueue: "yes" }, { ContentBasedDeduplication: "1" }, { DeduplicationScope: "Queue" }, { DeduplicationScope: "" }, { FifoThroughputLimit: "perGroup" }])("%p is no value", async (attributes) => {
    const [name] = Object.keys(attributes);
    const refusal = { name: "InvalidAttributeValue", message: `Invalid value for the parameter ${name}.`, status: 400 };
    const QueueUrl = await createQueue(simAws, "q.fifo", FIFO);
    const before = await attributesOf(simAws, QueueUrl);
    expect(await refusalOf(set(QueueUrl, attributes))).toEqual(refusal);
    expect(await attributesOf(simAws, QueueUrl)).toEqual(before);
    if (name !== "FifoQueue") expect(await refusalOf(create("r.fifo", { ...FIFO, ...attributes }))).toEqual(refusal);
  });

  describe("high throughput needs the scope of the group", () => {
    const refusal = { name: "InvalidAttributeValue", message: expect.stringMatching(/^Invalid value for the parameter FifoThroughputLimit\./) as string, status: 400 };

    test.each<{ name: string; first?: Attributes; then: Attributes; accepted: boolean }>([
      { name: "the limit alone", then: { FifoThroughputLimit: "perMessageGroupId" }, accepted: false },
      { name: "both", then: { FifoThroughputLimit: "perMessageGroupId", DeduplicationScope: "messageGroup" }, accepted: true },
      { name: "the scope alone", then: { DeduplicationScope: "messageGroup" }, accepted: true },
      { name: "the limit where the scope is set", first: { DeduplicationScope: "messageGroup" }, then: { FifoThroughputLimit: "perMessageGroupId" }, accepted: true },
      { name: "the scope of the queue where the limit is set", first: { DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" }, then: { DeduplicationScope: "queue" }, accepted: false },
    ])("$name", async ({ first = {}, then, accepted }) => {
      const QueueUrl = await createQueue(simAws, "q.fifo", { ...FIFO, ...first });
      const before = await attributesOf(simAws, QueueUrl);
      if (accepted) await set(QueueUrl, then);
      else expect(await refusalOf(set(QueueUrl, then))).toEqual(refusal);
      expect(await attributesOf(simAws, QueueUrl)).toEqual(accepted ? { ...before, ...then } : before);
      const created = create("r.fifo", { ...FIFO, ...first, ...then });
      if (accepted) await created;
      else expect(await refusalOf(created)).toEqual(refusal);
    });
  });

  test.each<Attributes>([{ FifoQueue: "true" }, { FifoQueue: "false" }, { ContentBasedDeduplication: "false" }, { DeduplicationScope: "queue" }, { FifoThroughputLimit: "perQueue" }])("%p is unknown on a standard queue", async (attributes) => {
    const [name] = Object.keys(attributes);
    const refusal = { name: "InvalidAttributeName", message: `Unknown Attribute ${name}.`, status: 400 };
    const QueueUrl = await createQueue(simAws, "q");
    expect(await refusalOf(set(QueueUrl, attributes))).toEqual(refusal);
    if (attributes.FifoQueue !== "true") expect(await refusalOf(create("r", attributes))).toEqual(refusal);
    const { Attributes: asked } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name as QueueAttributeName] }));
    expect(asked).toBeUndefined();
  });
});

test("a queue that exists is answered again only with the values it has", async () => {
  const QueueUrl = await createQueue(simAws, "q.fifo", { ...FIFO, ContentBasedDeduplication: "true" });
  for (const same of [FIFO, { ...FIFO, ContentBasedDeduplication: "true" }, { ...FIFO, DeduplicationScope: "queue" }]) expect((await create("q.fifo", same)).QueueUrl).toBe(QueueUrl);
  expect(await refusalOf(create("q.fifo", { ...FIFO, ContentBasedDeduplication: "false" }))).toEqual({
    name: "QueueNameExists",
    message: "A queue already exists with the same name and a different value for attribute ContentBasedDeduplication",
    status: 400,
  });
});

test("a queue that is deleted and made again remembers nothing", async () => {
  const QueueUrl = await createFifoQueue(simAws);
  await sendToGroups(simAws, QueueUrl, "g-1");
  await receive(simAws, QueueUrl);
  await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl }));
  await simAws.clock().advanceBy({ seconds: 60 });
  await createFifoQueue(simAws);
  await sendToGroups(simAws, QueueUrl, "g-1");
  expect(await receive(simAws, QueueUrl)).toHaveLength(1);
});

describe("AWS::SQS::Queue", () => {
  const templateOf = (...queues: object[]): object => ({
    Resources: Object.fromEntries(queues.map((Properties, index) => [`Q${index}`, { Type: "AWS::SQS::Queue", Properties }])),
    Outputs: { Url: { Value: { Ref: "Q0" } }, Name: { Value: { "Fn::GetAtt": ["Q0", "QueueName"] } } },
  });
  async function deploy(...queues: object[]) {
    const stack = await simAws.cloudFormation().deployTemplate({ stackName: "app", template: templateOf(...queues) });
    await stack.waitForDeployComplete();
    return stack;
  }
  async function update(...queues: object[]) {
    const stack = await simAws.cloudFormation().updateTemplate({ stackName: "app", template: templateOf(...queues) });
    await stack.waitForDeployComplete();
    return stack;
  }

  test("makes a FIFO queue with all its properties; without a name it gets one with the suffix", async () => {
    const stack = await deploy(
      {
        FifoQueue: "true",
        ContentBasedDeduplication: true,
        DeduplicationScope: "messageGroup",
        FifoThroughputLimit: "perMessageGroupId",
        DelaySeconds: "13",
        RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Q1", "Arn"] }, maxReceiveCount: 7 },
      },
      { FifoQueue: true, QueueName: "dead.fifo" },
    );
    expect(stack.output("Name")).toMatch(/^app-Q0-\w+\.fifo$/);
    expect(await attributesOf(simAws, stack.output("Url"))).toMatchObject({
      FifoQueue: "true",
      ContentBasedDeduplication: "true",
      DeduplicationScope: "messageGroup",
      FifoThroughputLimit: "perMessageGroupId",
      DelaySeconds: "13",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf("dead.fifo"), maxReceiveCount: 7 }),
    });
    expect(stack.ignoredProperties).toEqual([]);
  });

  test("changes what can be changed in place, keeping the messages, and goes back to AWS's values for what is left out", async () => {
    const all = { FifoQueue: true, ContentBasedDeduplication: true, DeduplicationScope: "messageGroup", FifoThroughputLimit: "perMessageGroupId" };
    const url = (await deploy(all)).output("Url");
    await sendToGroups(simAws, url, "g-1");
    expect((await update({ ...all, ContentBasedDeduplication: false, VisibilityTimeout: 7 })).output("Url")).toBe(url);
    expect(await attributesOf(simAws, url)).toMatchObject({ ContentBasedDeduplication: "false", VisibilityTimeout: "7", DeduplicationScope: "messageGroup" });
    expect((await update({ FifoQueue: true })).output("Url")).toBe(url);
    expect(await attributesOf(simAws, url)).toMatchObject({ ContentBasedDeduplication: "false", DeduplicationScope: "queue", FifoThroughputLimit: "perQueue", VisibilityTimeout: "30" });
    expect(await counts(simAws, url)).toEqual([1, 0, 0]);
  });

  test("is replaced when its type changes", async () => {
    const url = (await deploy({})).output("Url");
    await send(simAws, url, "m");
    const fifoUrl = (await update({ FifoQueue: true })).output("Url");
    expect(fifoUrl).toMatch(/\.fifo$/);
    expect((await simAws.sqs().listQueues({ input: {} })).QueueUrls).toEqual([fifoUrl]);
  });
});
