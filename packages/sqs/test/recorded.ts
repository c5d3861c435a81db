import { SQS, SQSServiceException, type Message, type QueueAttributeName } from "@aws-sdk/client-sqs";
import { AwsQueryProtocol } from "@aws-sdk/core/protocols";
import { SimAws } from "sandstack";
import { ACCOUNT, REGION } from "./setup.js";

/*
 * Sessions with AWS, told again. What AWS answered was recorded by the LocalStack project (tests/aws, Apache License 2.0,
 * Copyright LocalStack contributors); the steps here are written after the names and outcomes of its entries.
 * Values that vary from run to run are compared by their kind and by their being the same or different.
 */

/** SQS as a session calls it: the methods of the SDK's aggregated client, each with its input. */
export type RecordedSqs = Pick<SQS, Extract<keyof SQS, `${string}${"Message" | "Queue" | "Permission" | "Attributes" | "Batch" | "Url" | "Tags" | "Queues" | "Visibility" | "Task" | "Tasks"}`>>;

export interface Session {
  readonly simAws: SimAws;
  readonly sqs: RecordedSqs;
}

const QUERY_PROTOCOL = {
  protocol: AwsQueryProtocol,
  protocolSettings: { defaultNamespace: "com.amazonaws.sqs", xmlNamespace: "http://queue.amazonaws.com/doc/2012-11-05/", version: "2012-11-05" },
};

/** The ways in which a session is told: each has to come out as recorded. */
export const ways: readonly { readonly way: string; readonly sqsOf: (simAws: SimAws) => RecordedSqs }[] = [
  { way: "called directly", sqsOf: calledDirectly },
  { way: "by a client speaking JSON", sqsOf: (simAws) => new SQS(simAws.sdkConfig()) },
  { way: "by a client speaking the Query protocol", sqsOf: (simAws) => new SQS({ ...simAws.sdkConfig(), ...QUERY_PROTOCOL }) },
];

function calledDirectly(simAws: SimAws): RecordedSqs {
  const facade = simAws.sqs() as unknown as Record<string, (command: { input: unknown }) => Promise<unknown>>;
  return new Proxy({} as RecordedSqs, { get: (_target, method) => async (input: unknown) => facade[String(method)]!({ input }) }); // every operation has its method
}

/** Tells a session in every way. */
export function recorded(name: string, tell: (session: Session) => Promise<void>): void {
  describe(name, () => {
    test.each(ways)("$way", async ({ sqsOf }) => {
      const simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z") });
      await tell({ simAws, sqs: sqsOf(simAws) });
    });
  });
}

/** The URL of a new queue. */
export async function newQueue({ sqs }: Session, QueueName = "q", Attributes?: Partial<Record<QueueAttributeName, string>>): Promise<string> {
  const { QueueUrl } = await sqs.createQueue({ QueueName, ...(Attributes && { Attributes }) });
  expect(QueueUrl).toBe(`https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${QueueName}`);
  return QueueUrl!; // as just seen
}

/** An answer as the recordings have it: without its metadata. */
export async function answerOf(call: Promise<object>): Promise<object> {
  const { $metadata, ...answer } = (await call) as { $metadata?: { httpStatusCode?: number } };
  expect($metadata?.httpStatusCode).toBe(200);
  // A client has members where AWS has none.
  return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined));
}

/** A refusal as the recordings have it. */
export interface RecordedError {
  /** The code of the Query protocol, which clients show in either. */
  readonly Code: string;
  readonly Message: string;
  readonly status: number;
}

export async function errorOf(call: Promise<unknown>): Promise<RecordedError> {
  const thrown: unknown = await call.then(() => undefined, (error: unknown) => error);
  expect(thrown).toBeInstanceOf(SQSServiceException);
  const { Code, message, $metadata } = thrown as SQSServiceException & { Code: string };
  return { Code, Message: message, status: $metadata.httpStatusCode! };
}

export const invalidParameterValue = (Message: string): RecordedError => ({ Code: "InvalidParameterValue", Message, status: 400 });
export const missingParameter = (name: string): RecordedError => ({ Code: "MissingParameter", Message: `The request must contain the parameter ${name}.`, status: 400 });

export const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string; // a matcher stands for a text
export const RECEIPT_HANDLE = expect.stringMatching(/^\S{20,}$/) as string; // as above
export const EPOCH_MILLISECONDS = expect.stringMatching(/^\d{13}$/) as string; // as above
export const EPOCH_SECONDS = expect.stringMatching(/^\d{10}$/) as string; // as above

/** A received message as recorded: what varies is compared by its kind. */
export const receivedMessage = (members: Partial<Message>): Partial<Message> => ({ MessageId: UUID, ReceiptHandle: RECEIPT_HANDLE, ...members });
