import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type MessageAttributeValue,
  type SendMessageBatchCommandOutput,
  type SendMessageBatchRequestEntry,
} from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { counts, createQueue, missingParameter, MISSING, queueDoesNotExist, receive, refusalOf, send } from "./setup.js";

let simAws: SimAws;
let QueueUrl: string;
beforeEach(async () => {
  simAws = new SimAws();
  QueueUrl = await createQueue(simAws, "q");
});

type Entry = { Id: string | undefined } & Partial<Omit<SendMessageBatchRequestEntry, "Id">>;

const sendBatch = (entries: Entry[]): Promise<SendMessageBatchCommandOutput> =>
  simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries: entries.map((entry) => ({ MessageBody: "m", ...entry })) }));

/** The same entries to each of the three batch actions. */
const ACTIONS = {
  SendMessageBatch: (url: string, entries: Entry[]) => simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries.map((entry) => ({ MessageBody: "m", ...entry })) })),
  DeleteMessageBatch: (url: string, entries: Entry[]) => simAws.sqs().deleteMessageBatch(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entries.map(({ Id }) => ({ Id, ReceiptHandle: "garbage" })) })),
  ChangeMessageVisibilityBatch: (url: string, entries: Entry[]) =>
    simAws.sqs().changeMessageVisibilityBatch(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries: entries.map(({ Id }) => ({ Id, ReceiptHandle: "garbage", VisibilityTimeout: 0 })) })),
};

const INVALID_ID = "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.";
const manyEntries = (count: number): Entry[] => Array.from({ length: count }, (_, index) => ({ Id: `id_${index}` }));

describe.each(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])("%s fails as a whole, and does nothing,", (action) => {
  test.each<{ name: string; entries: Entry[]; error: string; message: string }>([
    { name: "without entries", entries: [], error: "EmptyBatchRequest", message: `There should be at least one ${action}RequestEntry in the request.` },
    { name: "with 11 entries", entries: manyEntries(11), error: "TooManyEntriesInBatchRequest", message: "Maximum number of entries per request are 10. You have sent 11." },
    { name: "with 20 entries", entries: manyEntries(20), error: "TooManyEntriesInBatchRequest", message: "Maximum number of entries per request are 10. You have sent 20." },
    { name: "with a repeated id", entries: [{ Id: "id_1" }, { Id: "id_2" }, { Id: "id_2" }, { Id: "id_1" }], error: "BatchEntryIdsNotDistinct", message: "Id id_2 repeated." },
    ...["", "a".repeat(81), "invalid:id", "id 1", "é"].map((Id) => ({ name: `with the id '${Id}'`, entries: [{ Id: "good" }, { Id }], error: "InvalidBatchEntryId", message: INVALID_ID })),
    { name: "without an id", entries: [{ Id: "good" }, { Id: undefined }], error: "MissingParameter", message: `The request must contain the parameter ${action}RequestEntry.2.Id.` },
  ])("$name", async ({ entries, error, message }) => {
    expect(await refusalOf(ACTIONS[action](QueueUrl, entries))).toEqual({ name: error, message, status: 400 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("with an entry that lacks what it is about", async () => {
    const Entries = [{ Id: "1", MessageBody: "m", ReceiptHandle: "garbage", VisibilityTimeout: 0 }, { Id: "2", MessageBody: undefined, ReceiptHandle: undefined }];
    const member = action === "SendMessageBatch" ? "MessageBody" : "ReceiptHandle";
    const sqs = simAws.sqs();
    const call = { SendMessageBatch: sqs.sendMessageBatch, DeleteMessageBatch: sqs.deleteMessageBatch, ChangeMessageVisibilityBatch: sqs.changeMessageVisibilityBatch }[action];
    expect(await refusalOf(call({ input: { QueueUrl, Entries } }))).toEqual(missingParameter(`${action}RequestEntry.2.${member}`));
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });

  test("on a queue that does not exist", async () => {
    expect(await refusalOf(ACTIONS[action](MISSING, []))).toEqual(queueDoesNotExist);
  });

  test("but not with 10 entries and ids of 80 characters", async () => {
    await ACTIONS[action](QueueUrl, [...manyEntries(9), { Id: "aZ09-_".padEnd(80, "x") }]);
  });
});

describe("sending", () => {
  test("answers each message as if it were sent alone, and a bad one fails alone", async () => {
    const attributes: Record<string, MessageAttributeValue> = { k: { DataType: "String", StringValue: "v" } };
    const { Successful, Failed, $metadata } = await sendBatch([
      { Id: "1", MessageBody: "hi", MessageAttributes: attributes },
      { Id: "bad", MessageBody: "\u0001" },
      { Id: "2", MessageBody: "tab\there 😀" },
      { Id: "late", DelaySeconds: 901 },
      { Id: "nothing", MessageBody: "" },
      { Id: "group", MessageGroupId: "a b" },
      { Id: "delayed", DelaySeconds: 5 },
    ]);
    expect($metadata.httpStatusCode).toBe(200);
    expect(Successful).toEqual([
      { Id: "1", MessageId: expect.any(String), MD5OfMessageBody: "49f68a5c8493ec2c0bf489821c21fc3b", MD5OfMessageAttributes: "0a77b0642718c3d9dd47090567d11e0d" },
      { Id: "2", MessageId: expect.any(String), MD5OfMessageBody: "d1ab65a48ffa92ede113df874de13c0c" },
      { Id: "delayed", MessageId: expect.any(String), MD5OfMessageBody: "6f8f57715090da2632453988d9a1501b" },
    ]);
    expect(Failed).toEqual([
      { Id: "bad", SenderFault: true, Code: "InvalidMessageContents", Message: expect.stringContaining("#x9") },
      { Id: "late", SenderFault: true, Code: "InvalidParameterValue", Message: "Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900." },
      { Id: "nothing", SenderFault: true, Code: "MissingParameter", Message: "The request must contain the parameter MessageBody." },
      { Id: "group", SenderFault: true, Code: "InvalidParameterValue", Message: expect.stringContaining("MessageGroupId") },
    ]);
    expect(await counts(simAws, QueueUrl)).toEqual([2, 0, 1]);
    expect((await receive(simAws, QueueUrl)).map(({ Body }) => Body)).toEqual(["hi", "tab\there 😀"]);
  });

  test("leaves out the list that would be empty", async () => {
    expect(Object.keys(await sendBatch([{ Id: "a" }])).sort()).toEqual(["$metadata", "Successful"]);
    expect(Object.keys(await sendBatch([{ Id: "a", MessageBody: "\u0001" }])).sort()).toEqual(["$metadata", "Failed"]);
  });

  test("takes 1 MiB in all, attributes included, not a byte more", async () => {
    const halves = (second: number): Entry[] => [
      { Id: "1", MessageBody: "a".repeat(524_288 - 8), MessageAttributes: { k: { DataType: "String", StringValue: "x" } } },
      { Id: "2", MessageBody: "b".repeat(second) },
    ];
    const tooLong = { name: "BatchRequestTooLong", message: "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.", status: 400 };
    expect(await refusalOf(sendBatch(halves(524_289)))).toEqual(tooLong);
    // A single entry is refused as a batch, too.
    expect(await refusalOf(sendBatch([{ Id: "1", MessageBody: "a".repeat(1_048_577) }]))).toEqual(tooLong);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
    expect((await sendBatch(halves(524_288))).Successful).toHaveLength(2);
  });

  test("fails an entry that is larger than the queue takes, alone", async () => {
    QueueUrl = await createQueue(simAws, "small", { MaximumMessageSize: "1024" });
    const { Successful, Failed } = await sendBatch([{ Id: "fits", MessageBody: "a".repeat(1024) }, { Id: "not", MessageBody: "a".repeat(1025) }]);
    expect(Successful).toMatchObject([{ Id: "fits" }]);
    expect(Failed).toEqual([{ Id: "not", SenderFault: true, Code: "InvalidParameterValue", Message: "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes." }]);
  });

  test("answers a waiting receive with all that came at once", async () => {
    const waiting = simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 }));
    await sendBatch(manyEntries(3));
    expect((await waiting).Messages).toHaveLength(3);
  });
});

describe("deleting", () => {
  test("a bad handle fails alone, and one used twice is a success", async () => {
    await send(simAws, QueueUrl, "m");
    const [message] = await receive(simAws, QueueUrl);
    const entry = (Id: string, ReceiptHandle = message?.ReceiptHandle): { Id: string; ReceiptHandle: string | undefined } => ({ Id, ReceiptHandle });
    const Entries = [entry("good"), entry("bad", "garbage"), entry("again"), entry("none", "")];
    const { Successful, Failed } = await simAws.sqs().deleteMessageBatch(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    expect(Successful).toEqual([{ Id: "good" }, { Id: "again" }]);
    expect(Failed).toEqual([
      { Id: "bad", SenderFault: true, Code: "ReceiptHandleIsInvalid", Message: 'The input receipt handle "garbage" is not a valid receipt handle.' },
      { Id: "none", SenderFault: true, Code: "MissingParameter", Message: "The request must contain the parameter ReceiptHandle." },
    ]);
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  });
});

describe("changing visibility", () => {
  test("sets each message's own timeout, and what cannot be changed fails alone", async () => {
    await send(simAws, QueueUrl, "now", "later", "too late");
    const handles = (await receive(simAws, QueueUrl)).map(({ ReceiptHandle }) => ReceiptHandle);
    const entry = (Id: string, ReceiptHandle: string | undefined, VisibilityTimeout: number): object => ({ Id, ReceiptHandle, VisibilityTimeout });
    const Entries = [entry("a", handles[0], 0), entry("b", handles[1], 100), entry("c", handles[2], 43_201), entry("d", "garbage", 1), entry("again", handles[0], 1)] as { Id: string; ReceiptHandle: string }[];
    const { Successful, Failed } = await simAws.sqs().changeMessageVisibilityBatch(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    expect(Successful).toEqual([{ Id: "a" }, { Id: "b" }]);
    expect(Failed).toMatchObject([
      { Id: "c", SenderFault: true, Code: "InvalidParameterValue", Message: "Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided." },
      { Id: "d", SenderFault: true, Code: "ReceiptHandleIsInvalid" },
      { Id: "again", SenderFault: true, Code: "InvalidParameterValue", Message: expect.stringContaining("Message does not exist or is not available for visibility timeout change.") },
    ]);
    expect(await counts(simAws, QueueUrl)).toEqual([1, 2, 0]);
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await counts(simAws, QueueUrl)).toEqual([2, 1, 0]);
    await simAws.clock().advanceBy({ seconds: 70 });
    expect(await counts(simAws, QueueUrl)).toEqual([3, 0, 0]);
  });
});
