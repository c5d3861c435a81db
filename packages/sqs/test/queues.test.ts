import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  PurgeQueueCommand,
  QueueDoesNotExist,
  QueueNameExists,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  TagQueueCommand,
  UntagQueueCommand,
} from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { ACCOUNT, arnOf, attributesOf, counts, createQueue, invalidParameter, missingParameter, MISSING, queueDoesNotExist, receive, redrivePolicy, refusalOf, REGION, send } from "./setup.js";

const BAD_NAME = "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length";

let simAws: SimAws;
beforeEach(() => {
  simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z") });
});

describe("names and URLs", () => {
  test.each([
    { name: "the shortest", QueueName: "q" },
    { name: "the longest", QueueName: "a".repeat(80) },
    { name: "all characters", QueueName: "Az09-_" },
  ])("a queue may be called by $name", async ({ QueueName }) => {
    expect(await createQueue(simAws, QueueName)).toBe(`https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${QueueName}`);
    expect(await attributesOf(simAws, await createQueue(simAws, QueueName))).toMatchObject({ QueueArn: arnOf(QueueName) });
  });

  test.each([
    { name: "nothing", QueueName: "" },
    { name: "81 characters", QueueName: "a".repeat(81) },
    { name: "a slash", QueueName: "queue/name" },
    { name: "a dot", QueueName: "queue.name" },
    { name: "the FIFO suffix without FifoQueue", QueueName: "queue.fifo" },
  ])("a queue may not be called by $name", async ({ QueueName }) => {
    expect(await refusalOf(simAws.sqs().createQueue(new CreateQueueCommand({ QueueName })))).toEqual(invalidParameter(BAD_NAME));
    expect(await simAws.sqs().listQueues(new ListQueuesCommand({}))).not.toHaveProperty("QueueUrls");
  });

  test("a FIFO queue needs its suffix", async () => {
    const withoutSuffix = simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "q", Attributes: { FifoQueue: "true" } }));
    expect(await refusalOf(withoutSuffix)).toEqual(
      invalidParameter("The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length"),
    );
  });

  test.each([
    { host: "http://some-other-host:9999" },
    { host: "http://127.0.0.1" },
    { host: "https://us-east-1.queue.amazonaws.com" },
    { host: "https://queue.amazonaws.com" },
    { host: "http://localhost:4566/prefix" },
  ])("the account and name at the end of a URL name the queue, whatever its host: $host", async ({ host }) => {
    await createQueue(simAws, "q");
    expect(await attributesOf(simAws, `${host}/${ACCOUNT}/q`)).toMatchObject({ QueueArn: arnOf("q") });
  });

  test.each([
    { name: "a missing queue", QueueUrl: MISSING },
    { name: "another case", QueueUrl: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/Q` },
    { name: "no account", QueueUrl: "http://whatever-incorrect-queue-address" },
    { name: "a name alone", QueueUrl: "q" },
    { name: "an empty name", QueueUrl: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/` },
    { name: "an account that is none", QueueUrl: `https://sqs.${REGION}.amazonaws.com/88888888888x/q` },
  ])("a URL of $name is that of no queue, for every operation", async ({ QueueUrl }) => {
    await createQueue(simAws, "q");
    const sqs = simAws.sqs();
    const calls = [
      sqs.deleteQueue(new DeleteQueueCommand({ QueueUrl })),
      sqs.getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl })),
      sqs.setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl, Attributes: {} })),
      sqs.purgeQueue(new PurgeQueueCommand({ QueueUrl })),
      sqs.sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" })),
      sqs.receiveMessage(new ReceiveMessageCommand({ QueueUrl })),
      sqs.tagQueue(new TagQueueCommand({ QueueUrl, Tags: { a: "b" } })),
      sqs.untagQueue(new UntagQueueCommand({ QueueUrl, TagKeys: ["a"] })),
      sqs.listQueueTags(new ListQueueTagsCommand({ QueueUrl })),
      sqs.listDeadLetterSourceQueues(new ListDeadLetterSourceQueuesCommand({ QueueUrl })),
    ];
    for (const call of calls) expect(await refusalOf(call)).toEqual(queueDoesNotExist);
  });

  test("errors are instances of the SDK's own classes", async () => {
    const call = simAws.sqs().getQueueUrl(new GetQueueUrlCommand({ QueueName: "nope" }));
    await expect(call).rejects.toBeInstanceOf(QueueDoesNotExist);
    const members = { $fault: "client", Code: "AWS.SimpleQueueService.NonExistentQueue", $metadata: { httpStatusCode: 400, requestId: expect.any(String) } };
    await expect(call).rejects.toMatchObject({ name: "QueueDoesNotExist", ...members });
  });

  test("a call without a URL or name says what is missing", async () => {
    expect(await refusalOf(simAws.sqs().deleteQueue({ input: { QueueUrl: undefined } }))).toEqual(missingParameter("QueueUrl"));
    expect(await refusalOf(simAws.sqs().createQueue({ input: { QueueName: undefined } }))).toEqual(missingParameter("QueueName"));
    expect(await refusalOf(simAws.sqs().getQueueUrl({ input: { QueueName: undefined } }))).toEqual(missingParameter("QueueName"));
  });
});

describe("accounts and regions", () => {
  test("one name in two accounts and two regions is four queues", async () => {
    const other = "210987654321";
    const scopes = [simAws, simAws.region("eu-west-1"), simAws.account(other), simAws.account(other).region("eu-west-1")];
    const urls: string[] = [];
    for (const scope of scopes) {
      expect(await refusalOf(scope.sqs().getQueueUrl(new GetQueueUrlCommand({ QueueName: "q" })))).toEqual(queueDoesNotExist);
      urls.push((await scope.sqs().createQueue(new CreateQueueCommand({ QueueName: "q" }))).QueueUrl!);
      expect((await scope.sqs().listQueues(new ListQueuesCommand({}))).QueueUrls).toHaveLength(1);
    }
    expect(urls).toEqual([
      `https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/q`,
      `https://sqs.eu-west-1.amazonaws.com/${ACCOUNT}/q`,
      `https://sqs.us-east-1.amazonaws.com/${other}/q`,
      `https://sqs.eu-west-1.amazonaws.com/${other}/q`,
    ]);
    await simAws.region("eu-west-1").sqs().sendMessage(new SendMessageCommand({ QueueUrl: urls[1], MessageBody: "eu" }));
    expect(await receive(simAws, urls[0]!)).toEqual([]);
  });

  test("the region that is called counts, not the one in the URL's host", async () => {
    await createQueue(simAws, "q");
    const { QueueUrl } = await simAws.region("eu-west-1").sqs().createQueue(new CreateQueueCommand({ QueueName: "q" }));
    expect(await attributesOf(simAws, QueueUrl!)).toMatchObject({ QueueArn: arnOf("q") });
  });

  test("China's queues have China's partition and domain", async () => {
    const china = simAws.region("cn-north-1").sqs();
    const { QueueUrl } = await china.createQueue(new CreateQueueCommand({ QueueName: "q" }));
    expect(QueueUrl).toBe(`https://sqs.cn-north-1.amazonaws.com.cn/${ACCOUNT}/q`);
    const { Attributes } = await china.getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }));
    expect(Attributes).toEqual({ QueueArn: `arn:aws-cn:sqs:cn-north-1:${ACCOUNT}:q` });
  });
});

describe("creating again", () => {
  test("the same queue is answered while no attribute given differs from its current value", async () => {
    const url = await createQueue(simAws, "q", { DelaySeconds: "1", VisibilityTimeout: "40" });
    await send(simAws, url, "kept");
    expect(await createQueue(simAws, "q")).toBe(url);
    expect(await createQueue(simAws, "q", { DelaySeconds: "1" })).toBe(url);
    // A default counts as the current value.
    expect(await createQueue(simAws, "q", { MaximumMessageSize: "1048576", SqsManagedSseEnabled: "True" })).toBe(url);
    expect(await counts(simAws, url)).toEqual([0, 0, 1]);
  });

  test("an attribute that differs is named, and nothing is changed", async () => {
    const url = await createQueue(simAws, "q", { DelaySeconds: "1" });
    const differs = (attribute: string): object => ({ name: "QueueNameExists", message: `A queue already exists with the same name and a different value for attribute ${attribute}`, status: 400 });
    const again = simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "q", Attributes: { DelaySeconds: "2" } }));
    await expect(again).rejects.toBeInstanceOf(QueueNameExists);
    await expect(again).rejects.toMatchObject({ Code: "QueueAlreadyExists" });
    expect(await refusalOf(again)).toEqual(differs("DelaySeconds"));
    expect(await refusalOf(createQueue(simAws, "q", { VisibilityTimeout: "31" }))).toEqual(differs("VisibilityTimeout"));
    expect(await attributesOf(simAws, url)).toMatchObject({ DelaySeconds: "1", VisibilityTimeout: "30" });
  });

  test("what was set later is the current value", async () => {
    const url = await createQueue(simAws, "q", { DelaySeconds: "1" });
    await simAws.sqs().setQueueAttributes(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { DelaySeconds: "2" } }));
    expect(await createQueue(simAws, "q", { DelaySeconds: "2" })).toBe(url);
    expect(await refusalOf(createQueue(simAws, "q", { DelaySeconds: "1" }))).toMatchObject({ name: "QueueNameExists" });
  });

  test("policies are compared by what they say", async () => {
    await createQueue(simAws, "dlq");
    const policy = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: "*", Action: "sqs:*", Resource: "*" }] };
    const url = await createQueue(simAws, "q", { ...redrivePolicy("dlq", 3), Policy: JSON.stringify(policy, null, 2) });
    const asText = JSON.stringify({ maxReceiveCount: "3", deadLetterTargetArn: arnOf("dlq") });
    expect(await createQueue(simAws, "q", { RedrivePolicy: asText, Policy: JSON.stringify(policy) })).toBe(url);
    expect(await refusalOf(createQueue(simAws, "q", redrivePolicy("dlq", 4)))).toMatchObject({ name: "QueueNameExists" });
  });

  test("tags are not compared, and those of the queue stay", async () => {
    const url = await createQueue(simAws, "q");
    await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "q", tags: { a: "b" } }));
    expect(await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl: url }))).not.toHaveProperty("Tags");
  });
});

describe("deletion", () => {
  test("a deleted queue's name is held for 60 seconds, not a millisecond longer", async () => {
    const url = await createQueue(simAws, "q");
    await send(simAws, url, "gone");
    await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl: url }));
    expect(await refusalOf(simAws.sqs().getQueueUrl(new GetQueueUrlCommand({ QueueName: "q" })))).toEqual(queueDoesNotExist);
    expect(await refusalOf(simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl: url })))).toEqual(queueDoesNotExist);
    await simAws.clock().advanceBy({ milliseconds: 59_999 });
    expect(await refusalOf(createQueue(simAws, "q"))).toEqual({
      name: "QueueDeletedRecently",
      message: "You must wait 60 seconds after deleting a queue before you can create another with the same name.",
      status: 400,
    });
    expect(await createQueue(simAws, "another")).toContain("another");
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await counts(simAws, await createQueue(simAws, "q"))).toEqual([0, 0, 0]);
  });

  test("a deadline of a deleted queue does nothing to the next one of that name", async () => {
    const url = await createQueue(simAws, "q");
    await send(simAws, url, "old");
    await receive(simAws, url, { VisibilityTimeout: 120 });
    await simAws.sqs().deleteQueue(new DeleteQueueCommand({ QueueUrl: url }));
    await simAws.clock().advanceBy({ seconds: 60 });
    await createQueue(simAws, "q");
    await simAws.clock().advanceBy({ minutes: 5 });
    expect(await counts(simAws, url)).toEqual([0, 0, 0]);
  });
});

describe("listing", () => {
  test("queues are listed by prefix, and without a hit there is no list", async () => {
    for (const name of ["a-1", "a-2", "b-1"]) await createQueue(simAws, name);
    const { QueueUrls } = await simAws.sqs().listQueues(new ListQueuesCommand({ QueueNamePrefix: "a-" }));
    expect(QueueUrls?.map((url) => url.split("/").pop())).toEqual(["a-1", "a-2"]);
    expect(Object.keys(await simAws.sqs().listQueues(new ListQueuesCommand({ QueueNamePrefix: "none" })))).toEqual(["$metadata"]);
  });

  test("pages end in a token while more remain, and the next page may have another size", async () => {
    for (let index = 0; index < 10; index++) await createQueue(simAws, `q-${index}`);
    const first = await simAws.sqs().listQueues(new ListQueuesCommand({ MaxResults: 2 }));
    expect(first.QueueUrls).toHaveLength(2);
    const rest = await simAws.sqs().listQueues(new ListQueuesCommand({ MaxResults: 8, NextToken: first.NextToken }));
    expect(rest.NextToken).toBeUndefined();
    expect([...first.QueueUrls!, ...rest.QueueUrls!].map((url) => url.slice(-1))).toEqual("0123456789".split(""));
  });

  test.each([{ MaxResults: 0 }, { MaxResults: 1001 }])("MaxResults $MaxResults is refused", async ({ MaxResults }) => {
    const refusal = invalidParameter(`Value ${MaxResults} for parameter MaxResults is invalid. Reason: Must be between 1 and 1000, if provided.`);
    expect(await refusalOf(simAws.sqs().listQueues(new ListQueuesCommand({ MaxResults })))).toEqual(refusal);
  });

  test("1,000 queues are listed at most", async () => {
    for (let index = 0; index < 1001; index++) await createQueue(simAws, `q-${index}`);
    const all = await simAws.sqs().listQueues(new ListQueuesCommand({}));
    expect(all.QueueUrls).toHaveLength(1000);
    expect(all.NextToken).toBeUndefined();
    expect((await simAws.sqs().listQueues(new ListQueuesCommand({ MaxResults: 1000 }))).NextToken).toBeDefined();
  });

  test("the sources of a dead-letter queue are listed, in pages too", async () => {
    const dlq = await createQueue(simAws, "dlq");
    const none = await simAws.sqs().listDeadLetterSourceQueues(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dlq }));
    expect(none.queueUrls).toEqual([]);
    const urls = [await createQueue(simAws, "a", redrivePolicy("dlq", 1)), await createQueue(simAws, "b", redrivePolicy("dlq", 2))];
    await createQueue(simAws, "c");
    const first = await simAws.sqs().listDeadLetterSourceQueues(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dlq, MaxResults: 1 }));
    expect(first.queueUrls).toEqual([urls[0]]);
    const second = await simAws.sqs().listDeadLetterSourceQueues(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dlq, MaxResults: 1, NextToken: first.NextToken }));
    expect(second).toMatchObject({ queueUrls: [urls[1]] });
    expect(second.NextToken).toBeUndefined();
  });
});

describe("purging", () => {
  test("takes visible, in-flight and delayed messages, once in 60 seconds", async () => {
    const url = await createQueue(simAws, "q");
    await send(simAws, url, "in flight", "visible");
    await receive(simAws, url, { MaxNumberOfMessages: 1 });
    await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: url, MessageBody: "delayed", DelaySeconds: 30 }));
    expect(await counts(simAws, url)).toEqual([1, 1, 1]);
    await simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl: url }));
    expect(await counts(simAws, url)).toEqual([0, 0, 0]);
    await send(simAws, url, "after");
    await simAws.clock().advanceBy({ milliseconds: 59_999 });
    expect(await refusalOf(simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl: url })))).toEqual({
      name: "PurgeQueueInProgress",
      message: "Only one PurgeQueue operation on q is allowed every 60 seconds.",
      status: 403,
    });
    expect(await counts(simAws, url)).toEqual([1, 0, 0]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    await simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl: url }));
    expect(await counts(simAws, url)).toEqual([0, 0, 0]);
  });
});

describe("tags", () => {
  test("are merged, overwritten, taken off and told apart by case", async () => {
    const { QueueUrl } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "q", tags: { tag1: "value1", Tag1: "VALUE1" } }));
    const tags = async (): Promise<unknown> => (await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl }))).Tags;
    expect(await tags()).toEqual({ tag1: "value1", Tag1: "VALUE1" });
    await simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: { tag1: "new", tag3: "" } }));
    expect(await tags()).toEqual({ tag1: "new", Tag1: "VALUE1", tag3: "" });
    await simAws.sqs().untagQueue(new UntagQueueCommand({ QueueUrl, TagKeys: ["tag1", "Tag1", "unknown"] }));
    expect(await tags()).toEqual({ tag3: "" });
    await simAws.sqs().untagQueue(new UntagQueueCommand({ QueueUrl, TagKeys: ["tag3"] }));
    expect(await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl }))).not.toHaveProperty("Tags");
  });

  test("without a value are none", async () => {
    const tags = { kept: "", none: undefined } as unknown as Record<string, string>; // the SDK's type has no such tags
    const { QueueUrl } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "q", tags }));
    await simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: { ...tags, more: "x" } }));
    expect(await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl }))).toMatchObject({ Tags: { kept: "", more: "x" } });
    expect(await refusalOf(simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: { none: tags.none! } })))).toEqual(missingParameter("Tags")); // it is undefined
  });

  test("50 fit, 51 do not, and none cannot be added", async () => {
    const QueueUrl = await createQueue(simAws, "q");
    const tags = (count: number): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, "value"]));
    expect(await refusalOf(simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: tags(51) })))).toEqual(invalidParameter("Too many tags added for queue q."));
    expect(await simAws.sqs().listQueueTags(new ListQueueTagsCommand({ QueueUrl }))).not.toHaveProperty("Tags");
    await simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: tags(50) }));
    await simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: { "key-0": "overwritten" } }));
    expect(await refusalOf(simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: { another: "" } })))).toEqual(invalidParameter("Too many tags added for queue q."));
    expect(await refusalOf(simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: {} })))).toEqual(missingParameter("Tags"));
    const badKey = invalidParameter("Tag keys must be between 1 and 128 characters in length.");
    expect(await refusalOf(simAws.sqs().untagQueue(new UntagQueueCommand({ QueueUrl, TagKeys: [] })))).toEqual(badKey);
    expect(await refusalOf(simAws.sqs().tagQueue(new TagQueueCommand({ QueueUrl, Tags: { ["k".repeat(129)]: "" } })))).toEqual(badKey);
  });
});
