import { SendMessageCommand, SQSClient, type MessageAttributeValue, type SendMessageCommandInput } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { attributesOf, counts, createQueue, invalidParameter, missingParameter, receive, receiveOne, refusalOf, type Refusal } from "./setup.js";

let simAws: SimAws;
let QueueUrl: string;
beforeEach(async () => {
  simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z") });
  QueueUrl = await createQueue(simAws, "q");
});

type Given = Omit<SendMessageCommandInput, "QueueUrl" | "MessageBody"> & { MessageBody?: string };

const sendMessage = (given: Given) => simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "message", ...given }));

/** The refusal of a message that must not be stored. */
async function refused(given: Given): Promise<Refusal> {
  const refusal = await refusalOf(sendMessage(given));
  expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 0]);
  return refusal;
}

const text = (StringValue: string, DataType = "String"): MessageAttributeValue => ({ DataType, StringValue });

describe("bodies", () => {
  test.each([
    { name: "one character", body: "x" },
    { name: "carriage returns and entities", body: 'a\r\nb\rc\n"&quot;\t' },
    { name: "the ends of the ranges", body: "\u{20}\uD7FF\uE000\uFFFD\u{10000}\u{10FFFF}" },
    { name: "1 MiB", body: "a".repeat(1_048_576) },
    { name: "1 MiB of two-byte characters", body: "é".repeat(524_288) },
  ])("of $name are kept as they are", async ({ body }) => {
    await sendMessage({ MessageBody: body });
    const { Body } = await receiveOne(simAws, QueueUrl);
    expect(Body === body).toBe(true);
  });

  test.each(["\u0000", "\u0008", "\u000B", "\u000C", "\u000E", "\u0013", "\u001F", "\uD800", "\uDFFF", "\uDC00\uD800", "\uFFFE", "\uFFFF"])("with %j are refused", async (character) => {
    expect(await refused({ MessageBody: `before${character}after` })).toEqual({
      name: "InvalidMessageContents",
      message: "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
      status: 400,
    });
  });

  test.each([{ MessageBody: "" }, { MessageBody: undefined }])("must be there: $MessageBody", async (given) => {
    expect(await refused(given)).toEqual(missingParameter("MessageBody"));
  });
});

describe("the size", () => {
  test.each([
    { name: "the body", given: { MessageBody: "€".repeat(341) + "a" } },
    { name: "names, types and values", given: { MessageBody: "a".repeat(1015), MessageAttributes: { k: text("xx") } } },
    { name: "binary values", given: { MessageBody: "a".repeat(1014), MessageAttributes: { k: { DataType: "Binary", BinaryValue: new Uint8Array(3) } } } },
  ])("counts the bytes of $name, and exactly the limit is taken", async ({ given }) => {
    QueueUrl = await createQueue(simAws, "small", { MaximumMessageSize: "1024" });
    expect(await refused({ ...given, MessageBody: `${given.MessageBody}a` })).toEqual(invalidParameter("One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes."));
    await sendMessage(given);
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
  });

  test("one byte over 1 MiB is refused by the default limit", async () => {
    expect(await refused({ MessageBody: "a".repeat(1_048_577) })).toEqual(invalidParameter("One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes."));
  });

  test("leaves system attributes out", async () => {
    QueueUrl = await createQueue(simAws, "small", { MaximumMessageSize: "1024" });
    await sendMessage({ MessageBody: "a".repeat(1024), MessageSystemAttributes: { AWSTraceHeader: text("Root=1") } });
  });
});

describe("digests", () => {
  const weeks = { Author: text("John Grisham"), Title: text("The Whistler"), WeeksOn: text("6", "Number") };
  const trace = new TextEncoder().encode("traceparent\u001E00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01");
  test.each<{ name: string; attributes: Record<string, MessageAttributeValue>; digest: string }>([
    { name: "a number", attributes: { timestamp: text("1493147359900", "Number") }, digest: "235c5c510d26fb653d073faed50ae77c" },
    { name: "a string", attributes: { MyAttribute: text("foobar") }, digest: "adb59cd4678ea5a855436b949cd07ab6" },
    { name: "another string", attributes: { Foo: text("Bar") }, digest: "ae7155c6026991b6d54b11589678bf9c" },
    { name: "several, sorted", attributes: weeks, digest: "d25a6aea97eb8f585bfa92d314504a92" },
    { name: "several, unsorted", attributes: { WeeksOn: weeks.WeeksOn, Title: weeks.Title, Author: weeks.Author }, digest: "d25a6aea97eb8f585bfa92d314504a92" },
    { name: "bytes", attributes: { attr1: { DataType: "Binary", BinaryValue: trace } }, digest: "8cbe4db156db8a94db8b801b7addb984" },
    { name: "a custom type", attributes: { somevalue: text("somevalue", "String.custom") }, digest: "9e05cca738e70ff6c6041e82d5e77ef1" },
  ])("of $name are AWS's", async ({ attributes, digest }) => {
    expect(await sendMessage({ MessageAttributes: attributes })).toMatchObject({ MD5OfMessageBody: "78e731027d8fd50ed642340b7c9a63b3", MD5OfMessageAttributes: digest });
    const message = await receiveOne(simAws, QueueUrl, { MessageAttributeNames: ["All"] });
    expect(message).toMatchObject({ MD5OfBody: "78e731027d8fd50ed642340b7c9a63b3", MD5OfMessageAttributes: digest, MessageAttributes: attributes });
  });

  test("are absent where there is nothing to digest, and system attributes have their own", async () => {
    const plain = await sendMessage({});
    expect(Object.keys(plain).sort()).toEqual(["$metadata", "MD5OfMessageBody", "MessageId"]);
    const AWSTraceHeader = text("Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1");
    const traced = await sendMessage({ MessageSystemAttributes: { AWSTraceHeader }, MessageAttributes: { Foo: text("Bar") } });
    expect(traced).toMatchObject({ MD5OfMessageSystemAttributes: "5ae4d5d7636402d80f4eb6d213245a88", MD5OfMessageAttributes: "ae7155c6026991b6d54b11589678bf9c" });
  });
});

describe("message attributes", () => {
  test.each<{ name: string; attributes: Record<string, MessageAttributeValue> }>([
    { name: "all characters of names", attributes: { "Az09-_.x": text("v") } },
    { name: "letters beyond ASCII", attributes: { "attr.1øßä": text("v") } },
    { name: "a name of 256 bytes", attributes: { ["n".repeat(256)]: text("v") } },
    { name: "a name that JavaScript knows", attributes: { ["__proto__"]: text("v"), constructor: text("v") } },
    { name: "custom types", attributes: { a: text("v", "String.custom.type"), b: text("1", "Number.int") } },
    { name: "numbers", attributes: { a: text("-1.5", "Number"), b: text("+3e10", "Number"), c: text(".5", "Number") } },
    { name: "ten of them", attributes: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`a${index}`, text("v")])) },
  ])("may have $name", async ({ attributes }) => {
    await sendMessage({ MessageAttributes: attributes });
    const { MessageAttributes } = await receiveOne(simAws, QueueUrl, { MessageAttributeNames: ["All"] });
    expect(new Map(Object.entries(MessageAttributes!))).toEqual(new Map(Object.entries(attributes)));
  });

  test.each<{ name: string; attributes: Record<string, MessageAttributeValue>; message: string | RegExp }>([
    { name: "an empty string", attributes: { ErrorDetails: text("") }, message: "Message (user) attribute 'ErrorDetails' must contain a non-empty value of type 'String'." },
    { name: "no value", attributes: { a: { DataType: "Number" } }, message: "Message (user) attribute 'a' must contain a non-empty value of type 'Number'." },
    { name: "no bytes", attributes: { a: { DataType: "Binary", BinaryValue: new Uint8Array(0) } }, message: "Message (user) attribute 'a' must contain a non-empty value of type 'Binary'." },
    { name: "text where bytes belong", attributes: { a: text("v", "Binary") }, message: "Message (user) attribute 'a' must contain a non-empty value of type 'Binary'." },
    { name: "no type", attributes: { a: { DataType: undefined, StringValue: "v" } }, message: /'a'/ },
    { name: "an unknown type", attributes: { a: text("v", "Text") }, message: /'a'/ },
    { name: "a type that only begins like one", attributes: { a: text("v", "Stringly") }, message: /'a'/ },
    { name: "a type of 257 bytes", attributes: { a: text("v", `String.${"t".repeat(250)}`) }, message: /'a'/ },
    { name: "a number in words", attributes: { a: text("one", "Number") }, message: "Can't cast the value of message (user) attribute 'a' to a number." },
    { name: "a forbidden character", attributes: { a: text("\u0001") }, message: /#x9/ },
    { name: "a list", attributes: { a: { DataType: "String", StringValue: "v", StringListValues: ["v"] } }, message: "Message attribute list values in SendMessage operation are not supported." },
    {
      name: "eleven of them",
      attributes: Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`a${index}`, text("v")])),
      message: "Number of message attributes [11] exceeds the allowed maximum [10].",
    },
    ...["AWS.x", "aws.x", "Amazon.x", "aMaZoN.x", ".x", "x.", "a!", 'a"', "a§", "a(", "a?", "a b", "", "n".repeat(257), "é".repeat(129)].map((name) => ({
      name: `the name '${name.slice(0, 20)}'`,
      attributes: { [name]: text("v") },
      message: /name/,
    })),
  ])("may not have $name", async ({ attributes, message }) => {
    const refusal = await refused({ MessageAttributes: attributes });
    expect(refusal).toMatchObject({ name: "InvalidParameterValue", status: 400 });
    if (typeof message === "string") expect(refusal.message).toBe(message);
    else expect(refusal.message).toMatch(message);
  });

  test.each([
    { name: "another name", attributes: { Other: text("v") } },
    { name: "another type", attributes: { AWSTraceHeader: text("1", "Number") } },
    { name: "no value", attributes: { AWSTraceHeader: text("") } },
  ])("of the system are refused with $name", async ({ attributes }) => {
    const MessageSystemAttributes = attributes as SendMessageCommandInput["MessageSystemAttributes"]; // the SDK's type has the one good name only
    expect(await refused({ MessageSystemAttributes })).toMatchObject({ name: "InvalidParameterValue" });
  });

  test("without a value are none, and text for bytes is UTF-8, as from a client", async () => {
    const attributes: Record<string, unknown> = { a: { DataType: "Binary", BinaryValue: "é" }, none: undefined };
    for (let index = 0; index < 9; index++) attributes[`n${index}`] = text("v");
    const given = { MessageAttributes: attributes, MessageSystemAttributes: { AWSTraceHeader: undefined } } as unknown as Given; // no types of the SDK's
    const { MD5OfMessageAttributes, ...sent } = await sendMessage(given);
    expect(sent).not.toHaveProperty("MD5OfMessageSystemAttributes");
    const client = new SQSClient(simAws.sdkConfig());
    expect((await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "m", ...given }))).MD5OfMessageAttributes).toBe(MD5OfMessageAttributes);
    const messages = await receive(simAws, QueueUrl, { MessageAttributeNames: ["a"] });
    expect(messages.map(({ MessageAttributes }) => MessageAttributes)).toEqual([0, 1].map(() => ({ a: { DataType: "Binary", BinaryValue: new Uint8Array([0xc3, 0xa9]) } })));
  });

  test("are the caller's own no more, nor the queue's", async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const attributes: Record<string, MessageAttributeValue> = { a: { DataType: "Binary", BinaryValue: bytes } };
    const input = { QueueUrl, MessageBody: "m", MessageAttributes: attributes };
    const before = structuredClone(input);
    await simAws.sqs().sendMessage({ input });
    expect(input).toEqual(before);
    bytes[0] = 99;
    attributes.b = text("added later");
    const received = await receiveOne(simAws, QueueUrl, { MessageAttributeNames: ["All"], VisibilityTimeout: 0 });
    expect(received.MessageAttributes).toEqual({ a: { DataType: "Binary", BinaryValue: new Uint8Array([1, 2, 3]) } });
    received.MessageAttributes!.a!.BinaryValue![0] = 98;
    expect((await receiveOne(simAws, QueueUrl, { MessageAttributeNames: ["All"] })).MessageAttributes).toEqual({ a: { DataType: "Binary", BinaryValue: new Uint8Array([1, 2, 3]) } });
  });
});

describe("delays", () => {
  test("a delayed message is not there before its time, not a millisecond", async () => {
    await sendMessage({ MessageBody: "later", DelaySeconds: 5 });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 1]);
    await simAws.clock().advanceBy({ milliseconds: 4_999 });
    expect(await receive(simAws, QueueUrl)).toEqual([]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(await counts(simAws, QueueUrl)).toEqual([1, 0, 0]);
    expect(await receive(simAws, QueueUrl)).toMatchObject([{ Body: "later" }]);
  });

  test("a message's own delay overrides the queue's, 0 included", async () => {
    QueueUrl = await createQueue(simAws, "delayed", { DelaySeconds: "10" });
    await sendMessage({ MessageBody: "queue's" });
    await sendMessage({ MessageBody: "own", DelaySeconds: 3 });
    await sendMessage({ MessageBody: "none", DelaySeconds: 0 });
    const bodies = async (): Promise<unknown[]> => (await receive(simAws, QueueUrl)).map(({ Body }) => Body);
    expect(await bodies()).toEqual(["none"]);
    await simAws.clock().advanceBy({ seconds: 3 });
    expect(await bodies()).toEqual(["own"]);
    await simAws.clock().advanceBy({ seconds: 7 });
    expect(await bodies()).toEqual(["queue's"]);
  });

  test("a changed delay of the queue does not concern the messages in it", async () => {
    QueueUrl = await createQueue(simAws, "delayed", { DelaySeconds: "10" });
    await sendMessage({});
    await simAws.sqs().setQueueAttributes({ input: { QueueUrl, Attributes: { DelaySeconds: "0" } } });
    expect(await counts(simAws, QueueUrl)).toEqual([0, 0, 1]);
    expect(await attributesOf(simAws, QueueUrl)).toMatchObject({ DelaySeconds: "0" });
  });

  test("900 s are the most", async () => {
    await sendMessage({ DelaySeconds: 900 });
    await simAws.sqs().purgeQueue({ input: { QueueUrl } });
    for (const DelaySeconds of [901, 1800, -1, 1.5]) {
      expect(await refused({ DelaySeconds })).toEqual(invalidParameter(`Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.`));
    }
  });
});

describe("ids", () => {
  test("a group is taken and answered on a standard queue, without a sequence number", async () => {
    const MessageGroupId = "A!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~z";
    expect(await sendMessage({ MessageGroupId })).not.toHaveProperty("SequenceNumber");
    const { Attributes } = await receiveOne(simAws, QueueUrl, { MessageSystemAttributeNames: ["All"] });
    expect(Object.keys(Attributes!).sort()).toEqual(["ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "MessageGroupId", "SenderId", "SentTimestamp"]);
    expect(Attributes).toMatchObject({ MessageGroupId });
    await sendMessage({ MessageGroupId: "g".repeat(128) });
  });

  test.each(["", "group 123", "g".repeat(129), "é"])("the group '%s' is refused", async (MessageGroupId) => {
    const reason = "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.";
    expect(await refused({ MessageGroupId })).toEqual(invalidParameter(`Value ${MessageGroupId} for parameter MessageGroupId is invalid. Reason: ${reason}`));
  });

  test("an id for deduplication is refused on a standard queue", async () => {
    const reason = "The request includes a parameter that is not valid for this queue type.";
    expect(await refused({ MessageDeduplicationId: "x" })).toEqual(invalidParameter(`Value x for parameter MessageDeduplicationId is invalid. Reason: ${reason}`));
  });
});

test("the same seed gives the same ids, another seed others", async () => {
  const idsOf = async (seed: number): Promise<unknown[]> => {
    const world = new SimAws({ seed });
    const url = await createQueue(world, "q");
    const { MessageId } = await world.sqs().sendMessage(new SendMessageCommand({ QueueUrl: url, MessageBody: "m" }));
    return [MessageId, (await receiveOne(world, url)).ReceiptHandle];
  };
  expect(await idsOf(1)).toEqual(await idsOf(1));
  expect(await idsOf(1)).not.toEqual(await idsOf(2));
});
