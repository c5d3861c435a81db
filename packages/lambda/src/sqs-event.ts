import type { ReceivedAttribute, ReceivedMessage } from "./state.js";

/** The event of a batch of messages. Handlers typed with `@types/aws-lambda`'s `SQSEvent` accept it. */
export interface SimLambdaSqsEvent {
  Records: SimLambdaSqsEventRecord[];
}

export interface SimLambdaSqsEventRecord {
  messageId: string;
  receiptHandle: string;
  /** The raw text: JSON is not parsed. */
  body: string;
  attributes: SimLambdaSqsEventAttributes;
  messageAttributes: { [name: string]: SimLambdaSqsMessageAttribute };
  md5OfMessageAttributes?: string;
  md5OfBody: string;
  eventSource: string;
  eventSourceARN: string;
  awsRegion: string;
}

export interface SimLambdaSqsEventAttributes {
  AWSTraceHeader?: string | undefined;
  ApproximateReceiveCount: string;
  SentTimestamp: string;
  SenderId: string;
  ApproximateFirstReceiveTimestamp: string;
  SequenceNumber?: string | undefined;
  MessageGroupId?: string | undefined;
  MessageDeduplicationId?: string | undefined;
  DeadLetterQueueSourceArn?: string | undefined;
}

export interface SimLambdaSqsMessageAttribute {
  stringValue?: string | undefined;
  /** Base64. */
  binaryValue?: string | undefined;
  stringListValues?: string[] | undefined;
  binaryListValues?: string[] | undefined;
  dataType: string;
}

/** The order in which AWS gives the attributes (recorded). */
const ATTRIBUTE_ORDER = [
  "ApproximateReceiveCount",
  "AWSTraceHeader",
  "SentTimestamp",
  "SequenceNumber",
  "MessageGroupId",
  "SenderId",
  "MessageDeduplicationId",
  "ApproximateFirstReceiveTimestamp",
  "DeadLetterQueueSourceArn",
];

export interface EventSource {
  readonly queueArn: string;
  readonly region: string;
  /** With a batching window AWS gives `null` for the digest of attributes that are not there, without one it leaves the key out (recorded). */
  readonly hasWindow: boolean;
}

/** The event's JSON text, its keys in AWS's order. */
export function sqsEventText(messages: readonly ReceivedMessage[], source: EventSource): string {
  return JSON.stringify({ Records: messages.map((message) => sqsEventRecord(message, source)) });
}

/** One message as the event has it, its keys in AWS's order. */
export function sqsEventRecord(message: ReceivedMessage, { queueArn, region, hasWindow }: EventSource): Record<string, unknown> & { body: string } {
  const digest = message.MD5OfMessageAttributes;
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body ?? "",
    attributes: inOrder(message.Attributes ?? {}),
    messageAttributes: Object.fromEntries(Object.entries(message.MessageAttributes ?? {}).map(([name, attribute]) => [name, attributeOf(attribute)])),
    ...(digest === undefined ? (hasWindow ? { md5OfMessageAttributes: null } : {}) : { md5OfMessageAttributes: digest }),
    md5OfBody: message.MD5OfBody,
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

function inOrder(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const known = ATTRIBUTE_ORDER.filter((name) => attributes[name] !== undefined);
  const others = Object.keys(attributes).filter((name) => !ATTRIBUTE_ORDER.includes(name));
  return Object.fromEntries([...known, ...others].map((name) => [name, attributes[name]!])); // both lists are of names that are there
}

function attributeOf({ StringValue, BinaryValue, DataType }: ReceivedAttribute): SimLambdaSqsMessageAttribute {
  return {
    ...(StringValue === undefined ? {} : { stringValue: StringValue }),
    ...(BinaryValue === undefined ? {} : { binaryValue: Buffer.from(BinaryValue).toString("base64") }),
    stringListValues: [],
    binaryListValues: [],
    dataType: DataType ?? "String",
  };
}
