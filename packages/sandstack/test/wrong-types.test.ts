import { SimAws } from "sandstack";

/** Inputs that TypeScript forbids and JavaScript lets through. */
test.each([
  { name: "a number for a text", operation: "sendMessage", input: { MessageBody: 42 }, message: "NUMBER_VALUE can not be converted to a String" },
  { name: "an object for a text", operation: "sendMessage", input: { MessageBody: { order: 1 } }, message: "Start of structure or map found where not expected." },
  { name: "a text for a list", operation: "sendMessageBatch", input: { Entries: "m" }, message: "Unexpected field type" },
  { name: "a number in an attribute", operation: "sendMessage", input: { MessageBody: "m", MessageAttributes: { a: { DataType: "Number", StringValue: 1 } } }, message: "NUMBER_VALUE can not be converted to a String" },
])("$name is AWS's SerializationException, and changes nothing", async ({ operation, input, message }) => {
  const simAws = new SimAws();
  const { QueueUrl } = await simAws.sqs().createQueue({ input: { QueueName: "q" } });
  const sqs = simAws.sqs() as unknown as Record<string, (command: { input: object }) => Promise<unknown>>;
  const answer = sqs[operation]!({ input: { QueueUrl, ...input } });
  await expect(answer).rejects.toMatchObject({ name: "SerializationException", message: expect.stringContaining(message), $metadata: { httpStatusCode: 400, requestId: expect.any(String) } });
  expect(simAws.sqs().messages(QueueUrl)).toEqual([]);
});
