import * as sdk from "@aws-sdk/client-sqs";
import { SQSClient, SQSServiceException } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import * as simSqs from "sandstack/sqs";
import { arnOf, createQueue, MISSING, receiveOne } from "./setup.js";

type Sqs = ReturnType<SimAws["sqs"]>;
type ErrorClass = abstract new (...args: never[]) => Error;

interface Answer {
  readonly name: keyof typeof sdk | "AccessDenied" | "InvalidParameterValue" | "MissingParameter";
  /** As the older protocol and its clients name it. */
  readonly code?: string;
  readonly status: number;
  readonly call: (sqs: Sqs, QueueUrl: string) => Promise<unknown>;
}

const entries = (count: number): { Id: string; MessageBody: string }[] => Array.from({ length: count }, (_, index) => ({ Id: `id${index}`, MessageBody: "m" }));

/** Every error that SQS answers here, with a call that gets it. */
const answers: readonly Answer[] = [
  { name: "AccessDenied", status: 403, call: (sqs) => sqs.listQueues({ input: {} }, { caller: { kind: "anonymous" } }) },
  { name: "BatchEntryIdsNotDistinct", code: "AWS.SimpleQueueService.BatchEntryIdsNotDistinct", status: 400, call: (sqs, QueueUrl) => sqs.sendMessageBatch({ input: { QueueUrl, Entries: [...entries(1), ...entries(1)] } }) },
  {
    name: "BatchRequestTooLong",
    code: "AWS.SimpleQueueService.BatchRequestTooLong",
    status: 400,
    call: (sqs, QueueUrl) => sqs.sendMessageBatch({ input: { QueueUrl, Entries: [{ Id: "1", MessageBody: "x".repeat(1_048_577) }] } }),
  },
  { name: "EmptyBatchRequest", code: "AWS.SimpleQueueService.EmptyBatchRequest", status: 400, call: (sqs, QueueUrl) => sqs.sendMessageBatch({ input: { QueueUrl, Entries: [] } }) },
  { name: "InvalidAttributeName", status: 400, call: (sqs, QueueUrl) => sqs.setQueueAttributes({ input: { QueueUrl, Attributes: { FifoQueue: "true" } } }) },
  { name: "InvalidAttributeValue", status: 400, call: (sqs, QueueUrl) => sqs.setQueueAttributes({ input: { QueueUrl, Attributes: { DelaySeconds: "901" } } }) },
  { name: "InvalidBatchEntryId", code: "AWS.SimpleQueueService.InvalidBatchEntryId", status: 400, call: (sqs, QueueUrl) => sqs.sendMessageBatch({ input: { QueueUrl, Entries: [{ Id: "a b", MessageBody: "m" }] } }) },
  { name: "InvalidMessageContents", status: 400, call: (sqs, QueueUrl) => sqs.sendMessage({ input: { QueueUrl, MessageBody: "\u0000" } }) },
  { name: "InvalidParameterValue", status: 400, call: (sqs, QueueUrl) => sqs.receiveMessage({ input: { QueueUrl, MaxNumberOfMessages: 11 } }) },
  { name: "MissingParameter", status: 400, call: (sqs, QueueUrl) => sqs.sendMessage({ input: { QueueUrl, MessageBody: "" } }) },
  { name: "OverLimit", status: 403, call: (sqs, QueueUrl) => sqs.addPermission({ input: { QueueUrl, Label: "l", AWSAccountIds: ["111111111111"], Actions: Array.from({ length: 8 }, () => "SendMessage") } }) },
  {
    name: "PurgeQueueInProgress",
    code: "AWS.SimpleQueueService.PurgeQueueInProgress",
    status: 403,
    call: async (sqs, QueueUrl) => [await sqs.purgeQueue({ input: { QueueUrl } }), await sqs.purgeQueue({ input: { QueueUrl } })],
  },
  {
    name: "QueueDeletedRecently",
    code: "AWS.SimpleQueueService.QueueDeletedRecently",
    status: 400,
    call: async (sqs, QueueUrl) => [await sqs.deleteQueue({ input: { QueueUrl } }), await sqs.createQueue({ input: { QueueName: "q" } })],
  },
  { name: "QueueDoesNotExist", code: "AWS.SimpleQueueService.NonExistentQueue", status: 400, call: (sqs) => sqs.purgeQueue({ input: { QueueUrl: MISSING } }) },
  { name: "QueueNameExists", code: "QueueAlreadyExists", status: 400, call: (sqs) => sqs.createQueue({ input: { QueueName: "q", Attributes: { DelaySeconds: "1" } } }) },
  { name: "ReceiptHandleIsInvalid", status: 400, call: (sqs, QueueUrl) => sqs.deleteMessage({ input: { QueueUrl, ReceiptHandle: "garbage" } }) },
  { name: "ResourceNotFoundException", status: 404, call: (sqs) => sqs.startMessageMoveTask({ input: { SourceArn: arnOf("nowhere") } }) },
  { name: "TooManyEntriesInBatchRequest", code: "AWS.SimpleQueueService.TooManyEntriesInBatchRequest", status: 400, call: (sqs, QueueUrl) => sqs.sendMessageBatch({ input: { QueueUrl, Entries: entries(11) } }) },
];

describe.each(answers)("$name", ({ name, code = name, status, call }) => {
  const sdkClass = (sdk[name as keyof typeof sdk] ?? SQSServiceException) as unknown as ErrorClass; // an error's export is its class
  const simClass = simSqs[`SimSqs${name}` as keyof typeof simSqs] as unknown as ErrorClass; // as above

  test("is an instance of the SDK's class and of its own, and no other", async () => {
    const simAws = new SimAws();
    const error: unknown = await call(simAws.sqs(), await createQueue(simAws, "q")).then(() => undefined, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(sdkClass);
    expect(error).toBeInstanceOf(SQSServiceException);
    expect(error).toBeInstanceOf(simClass);
    expect(error).toMatchObject({ name, Code: code, $fault: "client", $metadata: { httpStatusCode: status, requestId: expect.any(String) } });
    const others = Object.entries(simSqs).filter(([, each]) => each !== (simClass as unknown));
    for (const [otherName, other] of others) expect([otherName, error instanceof (other as unknown as ErrorClass)]).toEqual([otherName, false]);
  });
});

test("what a real client throws is recognised by the same classes", async () => {
  const simAws = new SimAws();
  const client = new SQSClient(simAws.sdkConfig());
  const QueueUrl = await createQueue(simAws, "q");
  await expect(client.send(new sdk.PurgeQueueCommand({ QueueUrl: MISSING }))).rejects.toBeInstanceOf(simSqs.SimSqsQueueDoesNotExist);
  await expect(client.send(new sdk.ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 11 }))).rejects.toBeInstanceOf(simSqs.SimSqsInvalidParameterValue);
  await expect(client.send(new sdk.StartMessageMoveTaskCommand({ SourceArn: arnOf("nowhere") }))).rejects.toBeInstanceOf(simSqs.SimSqsResourceNotFound);
  await expect(new SQSClient(simAws.sdkConfig({ caller: { kind: "anonymous" } })).send(new sdk.ListQueuesCommand({}))).rejects.toBeInstanceOf(simSqs.SimSqsAccessDenied);
});

test("there is a class for every exception that the SDK's client has, by its name there, too", () => {
  const modelled = Object.entries(sdk).filter(([, value]) => typeof value === "function" && value.prototype instanceof SQSServiceException).map(([name]) => name);
  expect(modelled.length).toBeGreaterThan(20);
  expect(modelled.filter((name) => !(`SimSqs${name}` in simSqs))).toEqual([]);
  expect([simSqs.SimSqsAccessDeniedException, simSqs.SimSqsInvalidParameterValueException, simSqs.SimSqsMissingRequiredParameterException, simSqs.SimSqsResourceNotFoundException]).toEqual([
    simSqs.SimSqsAccessDenied,
    simSqs.SimSqsInvalidParameterValue,
    simSqs.SimSqsMissingParameter,
    simSqs.SimSqsResourceNotFound,
  ]);
});

test("a refusal inside a batch has the code of the error, and the whole succeeds", async () => {
  const simAws = new SimAws();
  const QueueUrl = await createQueue(simAws, "q");
  await simAws.sqs().sendMessage({ input: { QueueUrl, MessageBody: "m" } });
  const { ReceiptHandle } = await receiveOne(simAws, QueueUrl);
  const { Successful, Failed } = await simAws.sqs().deleteMessageBatch({ input: { QueueUrl, Entries: [{ Id: "good", ReceiptHandle }, { Id: "bad", ReceiptHandle: "x" }] } });
  expect(Successful).toEqual([{ Id: "good" }]);
  expect(Failed).toEqual([{ Id: "bad", SenderFault: true, Code: "ReceiptHandleIsInvalid", Message: 'The input receipt handle "x" is not a valid receipt handle.' }]);
});
