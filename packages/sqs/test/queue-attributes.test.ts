import { GetQueueAttributesCommand, SetQueueAttributesCommand, type QueueAttributeName } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { ACCOUNT, arnOf, attributesOf, createQueue, invalidParameter, missingParameter, redrivePolicy, refusalOf, type Refusal } from "./setup.js";

type Attributes = Partial<Record<QueueAttributeName, string>>;

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00.900Z") });
});

async function setAttributes(QueueUrl: string, attributes: Attributes): Promise<void> {
  await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: attributes }));
}

/** Refused at creation, when nothing is created, and later, when nothing is changed. */
async function refusedEverywhere(attributes: Attributes): Promise<Refusal> {
  const atCreation = await refusalOf(createQueue(simAws, "refused", attributes));
  const url = await createQueue(simAws, "q");
  const before = await attributesOf(simAws, url);
  await simAws.clock().advanceBy({ seconds: 1 });
  expect(await refusalOf(setAttributes(url, { VisibilityTimeout: "11", ...attributes }))).toEqual(atCreation);
  expect(await attributesOf(simAws, url)).toEqual(before);
  expect(await refusalOf(simAws.sqs().getQueueUrl({ input: { QueueName: "refused" } }))).toMatchObject({ name: "QueueDoesNotExist" });
  return atCreation;
}

test("a fresh queue has these attributes and no others", async () => {
  expect(await attributesOf(simAws, await createQueue(simAws, "q"))).toEqual({
    ApproximateNumberOfMessages: "0",
    ApproximateNumberOfMessagesDelayed: "0",
    ApproximateNumberOfMessagesNotVisible: "0",
    CreatedTimestamp: "1767225600",
    DelaySeconds: "0",
    LastModifiedTimestamp: "1767225600",
    MaximumMessageSize: "1048576",
    MessageRetentionPeriod: "345600",
    QueueArn: arnOf("q"),
    ReceiveMessageWaitTimeSeconds: "0",
    SqsManagedSseEnabled: "true",
    VisibilityTimeout: "30",
  });
});

test("attributes given at creation and set later are answered as set", async () => {
  const url = await createQueue(simAws, "q", { ReceiveMessageWaitTimeSeconds: "10", VisibilityTimeout: "20", MessageRetentionPeriod: "604800" });
  await simAws.clock().advanceBy({ seconds: 5 });
  await setAttributes(url, { DelaySeconds: "420", MaximumMessageSize: "2048", VisibilityTimeout: "69" });
  expect(await attributesOf(simAws, url)).toMatchObject({
    DelaySeconds: "420",
    MaximumMessageSize: "2048",
    MessageRetentionPeriod: "604800",
    ReceiveMessageWaitTimeSeconds: "10",
    VisibilityTimeout: "69",
    CreatedTimestamp: "1767225600",
    LastModifiedTimestamp: "1767225605",
  });
});

describe("asking for attributes", () => {
  const get = async (QueueUrl: string, AttributeNames?: QueueAttributeName[]): Promise<object | undefined> =>
    (await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }))).Attributes;

  test("gives those asked for; one that is not set is left out, and with none left there is no member", async () => {
    const url = await createQueue(simAws, "q");
    expect(await get(url, ["VisibilityTimeout", "Policy", "FifoQueue", "KmsDataKeyReusePeriodSeconds"])).toEqual({ VisibilityTimeout: "30" });
    expect(await get(url, ["Policy"])).toBeUndefined();
    expect(await get(url)).toBeUndefined();
  });

  test("refuses an unknown name, also among good ones and with All", async () => {
    const url = await createQueue(simAws, "q");
    for (const names of [["Foobar"], ["QueueArn", "Foobar"], ["All", "Foobar"]] as QueueAttributeName[][]) {
      expect(await refusalOf(get(url, names))).toEqual({ name: "InvalidAttributeName", message: "Unknown Attribute Foobar.", status: 400 });
    }
  });
});

describe.each<{ name: QueueAttributeName; least: number; most: number }>([
  { name: "DelaySeconds", least: 0, most: 900 },
  { name: "MaximumMessageSize", least: 1_024, most: 1_048_576 },
  { name: "MessageRetentionPeriod", least: 60, most: 1_209_600 },
  { name: "ReceiveMessageWaitTimeSeconds", least: 0, most: 20 },
  { name: "VisibilityTimeout", least: 0, most: 43_200 },
  { name: "KmsDataKeyReusePeriodSeconds", least: 60, most: 86_400 },
])("$name", ({ name, least, most }) => {
  test.each([least, most])("may be %d", async (value) => {
    const url = await createQueue(simAws, "q", { [name]: String(value) });
    expect(await attributesOf(simAws, url)).toMatchObject({ [name]: String(value) });
  });

  test.each([String(least - 1), String(most + 1), "", "ten", "1e2", "100.5"])("may not be '%s'", async (value) => {
    expect(await refusedEverywhere({ [name]: value })).toEqual({ name: "InvalidAttributeValue", message: `Invalid value for the parameter ${name}.`, status: 400 });
  });
});

test.each(["Foobar", "QueueArn", "CreatedTimestamp", "ApproximateNumberOfMessages", "FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit", "toString"])(
  "%s cannot be set on a standard queue",
  async (name) => {
    expect(await refusedEverywhere({ [name]: "false" })).toEqual({ name: "InvalidAttributeName", message: `Unknown Attribute ${name}.`, status: 400 });
  },
);

test("an attribute without a value is left alone; numbers and truth values are read as the text they are", async () => {
  const url = await createQueue(simAws, "q", { DelaySeconds: "5", VisibilityTimeout: undefined });
  await setAttributes(url, { DelaySeconds: undefined, VisibilityTimeout: 7 as never });
  expect(await attributesOf(simAws, url)).toMatchObject({ DelaySeconds: "5", VisibilityTimeout: "7" });
  const fifo = await createQueue(simAws, "q.fifo", { FifoQueue: true as never });
  expect(await attributesOf(simAws, fifo)).toMatchObject({ FifoQueue: "true" });
});

test("setting no attributes at all names what is missing", async () => {
  const QueueUrl = await createQueue(simAws, "q");
  expect(await refusalOf(simAws.sqs().setQueueAttributes({ input: { QueueUrl, Attributes: undefined } }))).toEqual(missingParameter("Attributes"));
});

describe("Policy", () => {
  const policy = JSON.stringify({ Version: "2012-10-17", Statement: { Effect: "Allow", Principal: "*", Action: "sqs:SendMessage", Resource: "*" } }, null, 1);

  test("is kept as given, and taken off by an empty text", async () => {
    const url = await createQueue(simAws, "q", { Policy: policy });
    expect(await attributesOf(simAws, url)).toMatchObject({ Policy: policy });
    await setAttributes(url, { Policy: "" });
    expect(await attributesOf(simAws, url)).not.toHaveProperty("Policy");
  });

  test.each([
    { name: "no JSON", Policy: "{" },
    { name: "no object", Policy: "[]" },
    { name: "no statement", Policy: '{"Version":"2012-10-17"}' },
    { name: "an unknown version", Policy: '{"Version":"2020-01-01","Statement":[]}' },
    { name: "an unknown effect", Policy: '{"Statement":[{"Effect":"Maybe","Principal":"*","Action":"*"}]}' },
    { name: "no principal", Policy: '{"Statement":[{"Effect":"Allow","Action":"*"}]}' },
    { name: "no action", Policy: '{"Statement":[{"Effect":"Allow","Principal":"*"}]}' },
  ])("is refused with $name", async ({ Policy }) => {
    expect(await refusedEverywhere({ Policy })).toEqual({ name: "InvalidAttributeValue", message: "Invalid value for the parameter Policy.", status: 400 });
  });
});

describe("Policy within AWS's quotas", () => {
  const policyOf = (Action: string[], Sid = "s"): string => JSON.stringify({ Version: "2012-10-17", Statement: [{ Sid, Effect: "Allow", Principal: "*", Action, Resource: "*" }] });
  const actions = (count: number): string[] => Array.from({ length: count }, (_, index) => `sqs:Get${index}`);

  test("seven actions in a statement fit, eight do not", async () => {
    await createQueue(simAws, "seven", { Policy: policyOf(actions(7)) });
    const message = "8 actions were found in a statement from the submitted policy, max allowed is 7";
    expect(await refusedEverywhere({ Policy: policyOf(actions(8)) })).toEqual({ name: "OverLimit", message, status: 403 });
  });

  const allow = { Effect: "Allow", Principal: "*", Action: "sqs:SendMessage", Resource: "*" };
  const policyWith = (...Statement: object[]): string => JSON.stringify({ Version: "2012-10-17", Statement });
  const many = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => make(index));
  const accounts = (count: number): object => ({ ...allow, Principal: { Service: "sns.amazonaws.com", AWS: many(count - 1, (index) => String(100_000_000_000 + index)) } });
  const conditions = (count: number): object => {
    const keys = (length: number): object => Object.fromEntries(many(length, (index) => [`aws:RequestTag/${index}`, ["a", "b"]]));
    return { ...allow, Condition: { StringEquals: keys(3), StringLike: keys(count - 3) } };
  };
  test.each([
    { quota: "20 statements", policy: (more: number) => policyWith(...many(20 + more, () => allow)), message: "21 statements were found in the submitted policy, max allowed is 20" },
    { quota: "50 principals in a statement", policy: (more: number) => policyWith(accounts(50 + more)), message: "51 principals were found in a statement from the submitted policy, max allowed is 50" },
    { quota: "10 conditions in a statement", policy: (more: number) => policyWith(conditions(10 + more)), message: "11 conditions were found in a statement from the submitted policy, max allowed is 10" },
  ])("$quota fit, one more does not", async ({ policy, message }) => {
    await createQueue(simAws, "full", { Policy: policy(0) });
    expect(await refusedEverywhere({ Policy: policy(1) })).toEqual({ name: "OverLimit", message, status: 403 });
  });

  test("8,192 bytes fit, one more does not", async () => {
    const bytes = Buffer.byteLength(policyOf(["sqs:*"], ""));
    await createQueue(simAws, "full", { Policy: policyOf(["sqs:*"], "x".repeat(8_192 - bytes)) });
    const Policy = policyOf(["sqs:*"], "x".repeat(8_193 - bytes));
    expect(await refusedEverywhere({ Policy })).toEqual({ name: "OverLimit", message: "Submitted policy is over max allowed size.", status: 403 });
  });

  test.each(["sqs:SendMessageBatch", "SQS:DeleteMessageBatch", "sqs:changemessagevisibilitybatch"])("%s cannot be granted", async (action) => {
    const message = `Value ${action} for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL for a list of valid actions. `;
    expect(await refusedEverywhere({ Policy: policyOf(["sqs:SendMessage", action]) })).toEqual(invalidParameter(message));
  });
});

describe("RedrivePolicy", () => {
  const dlq = arnOf("dlq");
  beforeEach(() => createQueue(simAws, "dlq"));

  test.each([1, "42", 1000])("maxReceiveCount %p is taken and answered as a number", async (maxReceiveCount) => {
    const url = await createQueue(simAws, "q", { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dlq, maxReceiveCount }) });
    const { RedrivePolicy } = await attributesOf(simAws, url);
    expect(JSON.parse(RedrivePolicy!)).toEqual({ deadLetterTargetArn: dlq, maxReceiveCount: Number(maxReceiveCount) });
    await setAttributes(url, { RedrivePolicy: "" });
    expect(await attributesOf(simAws, url)).not.toHaveProperty("RedrivePolicy");
  });

  const count = (shown: string): string => `Invalid value for maxReceiveCount: ${shown}, valid values are from 1 to 1000 both inclusive.`;
  test.each([
    { name: "no target", policy: { maxReceiveCount: 3 }, reason: "Redrive policy does not contain mandatory attribute: deadLetterTargetArn." },
    { name: "no count", policy: { deadLetterTargetArn: dlq }, reason: "Redrive policy does not contain mandatory attribute: maxReceiveCount." },
    { name: "a count of 0", policy: { deadLetterTargetArn: dlq, maxReceiveCount: 0 }, reason: count("0") },
    { name: "a count of 1001", policy: { deadLetterTargetArn: dlq, maxReceiveCount: 1001 }, reason: count("1001") },
    { name: "a broken count", policy: { deadLetterTargetArn: dlq, maxReceiveCount: 1.5 }, reason: count("1.5") },
    { name: "a count in words", policy: { deadLetterTargetArn: dlq, maxReceiveCount: "invalid" }, reason: count("invalid") },
    { name: "a target that is no ARN", policy: { deadLetterTargetArn: "dummy", maxReceiveCount: 3 }, reason: "Invalid value for deadLetterTargetArn." },
    { name: "a target that does not exist", policy: { deadLetterTargetArn: arnOf("nowhere"), maxReceiveCount: 3 }, reason: "Dead letter target does not exist." },
    { name: "a target in another region", policy: { deadLetterTargetArn: `arn:aws:sqs:eu-west-1:${ACCOUNT}:dlq`, maxReceiveCount: 3 }, reason: "Dead letter target does not exist." },
    {
      name: "a target in another account",
      policy: { deadLetterTargetArn: "arn:aws:sqs:us-east-1:210987654321:dlq", maxReceiveCount: 3 },
      reason: "Dead-letter target owner should be same as the source.",
    },
  ])("is refused with $name", async ({ policy, reason }) => {
    const RedrivePolicy = JSON.stringify(policy);
    expect(await refusedEverywhere({ RedrivePolicy })).toEqual(invalidParameter(`Value ${RedrivePolicy} for parameter RedrivePolicy is invalid. Reason: ${reason}`));
  });

  test.each(["no JSON", "[]", "null", "3"])("is refused as %s", async (RedrivePolicy) => {
    expect(await refusedEverywhere({ RedrivePolicy })).toEqual(invalidParameter(`Value ${RedrivePolicy} for parameter RedrivePolicy is invalid. Reason: Redrive policy is not a valid JSON map.`));
  });
});

describe("RedriveAllowPolicy", () => {
  test.each([
    { name: "all", policy: { redrivePermission: "allowAll" }, allowed: true },
    { name: "none", policy: { redrivePermission: "denyAll" }, allowed: false },
    { name: "the ones it names", policy: { redrivePermission: "byQueue", sourceQueueArns: [arnOf("other"), arnOf("q")] }, allowed: true },
    { name: "none but the ones it names", policy: { redrivePermission: "byQueue", sourceQueueArns: [arnOf("other")] }, allowed: false },
  ])("lets $name use the queue for dead letters", async ({ policy, allowed }) => {
    const dlq = await createQueue(simAws, "dlq", { RedriveAllowPolicy: JSON.stringify(policy) });
    expect(JSON.parse((await attributesOf(simAws, dlq)).RedriveAllowPolicy!)).toEqual(policy);
    const url = await createQueue(simAws, "q");
    const set = setAttributes(url, redrivePolicy("dlq", 3));
    if (allowed) await set;
    else expect((await refusalOf(set)).message).toMatch(/^Value .* for parameter RedrivePolicy is invalid\. Reason: Queue does not have permission to use the dead letter queue\.$/);
    expect("RedrivePolicy" in (await attributesOf(simAws, url))).toBe(allowed);
  });

  test.each([
    "no JSON",
    '{"redrivePermission":"sometimes"}',
    '{"redrivePermission":"allowAll","sourceQueueArns":["arn:aws:sqs:us-east-1:888888888888:q"]}',
    '{"redrivePermission":"byQueue"}',
    '{"redrivePermission":"byQueue","sourceQueueArns":[]}',
    '{"redrivePermission":"byQueue","sourceQueueArns":["q"]}',
    JSON.stringify({ redrivePermission: "byQueue", sourceQueueArns: Array.from({ length: 11 }, (_, index) => arnOf(`q${index}`)) }),
  ])("is refused as %s", async (RedriveAllowPolicy) => {
    const { name, message } = await refusedEverywhere({ RedriveAllowPolicy });
    expect(name).toBe("InvalidParameterValue");
    expect(message).toContain(`Value ${RedriveAllowPolicy} for parameter RedriveAllowPolicy is invalid. Reason: `);
  });
});

describe("encryption", () => {
  test("by a key turns that by SQS off, and the other way round", async () => {
    const url = await createQueue(simAws, "q");
    await setAttributes(url, { KmsMasterKeyId: "testKeyId", KmsDataKeyReusePeriodSeconds: "6000" });
    expect(await attributesOf(simAws, url)).toMatchObject({ KmsMasterKeyId: "testKeyId", KmsDataKeyReusePeriodSeconds: "6000", SqsManagedSseEnabled: "false" });
    await setAttributes(url, { SqsManagedSseEnabled: "TRUE" });
    const attributes = await attributesOf(simAws, url);
    expect(attributes).toMatchObject({ SqsManagedSseEnabled: "true" });
    expect(attributes).not.toHaveProperty("KmsMasterKeyId");
    expect(attributes).not.toHaveProperty("KmsDataKeyReusePeriodSeconds");
  });

  test("of both kinds at once is refused", async () => {
    expect(await refusedEverywhere({ KmsMasterKeyId: "k", SqsManagedSseEnabled: "true" })).toMatchObject({ name: "InvalidAttributeValue" });
  });

  test("cannot be half on", async () => {
    expect(await refusedEverywhere({ SqsManagedSseEnabled: "maybe" })).toEqual({
      name: "InvalidAttributeValue",
      message: "Invalid value for the parameter SqsManagedSseEnabled.",
      status: 400,
    });
  });
});
