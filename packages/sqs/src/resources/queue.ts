import { resourceType, type ResourceContext, type ResourceResult } from "@sandstack/core";
import { sqsError } from "../errors.js";
import { QUEUE_NAME_MAX_LENGTH } from "../limits.js";
import { ONLY_NEW, type NewQueueInput } from "../operations/create-queue.js";
import { queueArn, queueUrl } from "../queue-url.js";

type Scalar = string | number | boolean;

/** Properties that are queue attributes of the same name and can be changed in place, each with what it goes to when a template no longer has it. */
const ATTRIBUTE_PROPERTIES = {
  DelaySeconds: "0",
  // The default of AWS's handler, as recorded; that of the service was raised since.
  MaximumMessageSize: "262144",
  MessageRetentionPeriod: "345600",
  ReceiveMessageWaitTimeSeconds: "0",
  VisibilityTimeout: "30",
  RedrivePolicy: "",
  RedriveAllowPolicy: "",
  ContentBasedDeduplication: "false",
  DeduplicationScope: "queue",
  FifoThroughputLimit: "perQueue",
  KmsMasterKeyId: "",
  KmsDataKeyReusePeriodSeconds: "300",
  SqsManagedSseEnabled: "true",
} as const;

type AttributeProperty = keyof typeof ATTRIBUTE_PROPERTIES;
type Attributes = Partial<Record<AttributeProperty | "FifoQueue", string>>;

type QueueProperties = { readonly [Name in AttributeProperty | "FifoQueue"]?: Scalar | object } & {
  readonly QueueName?: string;
  readonly Tags?: readonly { readonly Key: string; readonly Value: Scalar }[];
};

const NOT_ENCRYPTED = "The queue keeps and reports it, but the sandbox encrypts nothing.";

/** AWS::SQS::Queue. `Ref` gives the queue's URL. */
export const queue = resourceType<QueueProperties>({
  type: "AWS::SQS::Queue",
  actsOn: [
    "QueueName",
    "Tags",
    "DelaySeconds",
    "MaximumMessageSize",
    "MessageRetentionPeriod",
    "ReceiveMessageWaitTimeSeconds",
    "VisibilityTimeout",
    "RedrivePolicy",
    "RedriveAllowPolicy",
    "FifoQueue",
    "ContentBasedDeduplication",
    "DeduplicationScope",
    "FifoThroughputLimit",
  ],
  ignoredBecause: { KmsMasterKeyId: NOT_ENCRYPTED, KmsDataKeyReusePeriodSeconds: NOT_ENCRYPTED, SqsManagedSseEnabled: NOT_ENCRYPTED },
  async create(ctx, wanted) {
    const Attributes = attributesOf(wanted);
    const suffix = Attributes.FifoQueue === "true" ? ".fifo" : "";
    const QueueName = wanted.QueueName ?? ctx.physicalName({ maxLength: QUEUE_NAME_MAX_LENGTH, suffix });
    const input: NewQueueInput = { QueueName, Attributes, tags: tagsOf(ctx, wanted), [ONLY_NEW]: true };
    const made = await ctx.call("sqs", "CreateQueue", input);
    // CreateQueue answers a queue that is there already; a stack takes over no queue that it has not made.
    if (made?.QueueUrl === undefined) throw sqsError("QueueNameExists", `Resource of type 'AWS::SQS::Queue' with identifier '${QueueName}' already exists.`);
    return resultOf(ctx, QueueName);
  },
  async update(ctx, wanted, current) {
    const QueueUrl = current.physicalId;
    const Attributes = changesOf(wanted, current.properties);
    if (Object.keys(Attributes).length > 0) await ctx.call("sqs", "SetQueueAttributes", { QueueUrl, Attributes });
    await replaceTags(ctx, QueueUrl, tagsOf(ctx, wanted));
    return { physicalId: QueueUrl, attributes: current.attributes };
  },
  async delete(ctx, current) {
    await ctx.call("sqs", "DeleteQueue", { QueueUrl: current.physicalId }, { ignore: ["QueueDoesNotExist"] });
  },
});

function resultOf({ scope }: ResourceContext, name: string): ResourceResult {
  const url = queueUrl(scope, name);
  return { physicalId: url, attributes: { Arn: queueArn(scope, name), QueueName: name, QueueUrl: url } };
}

function attributesOf(properties: QueueProperties): Attributes {
  const attributes: Attributes = {};
  for (const name of [...attributeNames(), "FifoQueue"] as const) {
    const value = properties[name];
    if (value !== undefined) attributes[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  return attributes;
}

/** What has to be set so that a queue made by `current` is as `wanted` says. */
function changesOf(wanted: QueueProperties, current: QueueProperties): Attributes {
  const before = attributesOf(current);
  const after = attributesOf(wanted);
  const changes: Attributes = {};
  for (const name of attributeNames()) {
    if (after[name] !== undefined && after[name] !== before[name]) changes[name] = after[name];
    if (after[name] === undefined && before[name] !== undefined) changes[name] = ATTRIBUTE_PROPERTIES[name];
  }
  const isEncryptionGone = before.KmsMasterKeyId !== undefined && after.KmsMasterKeyId === undefined;
  // A queue without a key of its own is encrypted with SQS's, unless it says otherwise; one with a key cannot be.
  if (isEncryptionGone) changes.SqsManagedSseEnabled = after.SqsManagedSseEnabled ?? "true";
  else if (after.KmsMasterKeyId !== undefined && after.SqsManagedSseEnabled === undefined) delete changes.SqsManagedSseEnabled;
  return changes;
}

function attributeNames(): AttributeProperty[] {
  return Object.keys(ATTRIBUTE_PROPERTIES) as AttributeProperty[]; // the table is `as const`: it has these keys and no more
}

/** The template's tags and the stack's. CloudFormation's own (`aws:…`) do not show on queues, as recorded. */
function tagsOf({ tags }: ResourceContext, { Tags = [] }: QueueProperties): Record<string, string> {
  const stackTags = Object.entries(tags).filter(([key]) => !key.startsWith("aws:"));
  return Object.fromEntries([...stackTags, ...Tags.map(({ Key, Value }): [string, string] => [Key, String(Value)])]);
}

async function replaceTags(ctx: ResourceContext, QueueUrl: string, wanted: Record<string, string>): Promise<void> {
  const listed = await ctx.call("sqs", "ListQueueTags", { QueueUrl });
  const TagKeys = Object.keys(listed?.Tags ?? {}).filter((key) => !Object.hasOwn(wanted, key));
  if (TagKeys.length > 0) await ctx.call("sqs", "UntagQueue", { QueueUrl, TagKeys });
  if (Object.keys(wanted).length > 0) await ctx.call("sqs", "TagQueue", { QueueUrl, Tags: wanted });
}
