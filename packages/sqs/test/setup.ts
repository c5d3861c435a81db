import { ChangeMessageVisibilityCommand, CreateQueueCommand, DeleteMessageCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, type Message, type QueueAttributeName } from "@aws-sdk/client-sqs";
import type { SimAws } from "sandstack";

export const ACCOUNT = "888888888888";
export const REGION = "us-east-1";
/** The URL of a queue that no test creates. */
export const MISSING = `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/missing`;

export function arnOf(name: string): string {
  return `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
}

export async function createQueue(simAws: SimAws, QueueName: string, Attributes: Partial<Record<QueueAttributeName, string>> = {}): Promise<string> {
  const { QueueUrl } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName, Attributes }));
  return QueueUrl!; // CreateQueue always answers it
}

export function redrivePolicy(deadLetterQueueName: string, maxReceiveCount: number): { RedrivePolicy: string } {
  return { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(deadLetterQueueName), maxReceiveCount }) };
}

export async function send(simAws: SimAws, QueueUrl: string, ...bodies: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const MessageBody of bodies) {
    const { MessageId } = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody }));
    ids.push(MessageId!); // SendMessage always answers it
  }
  return ids;
}

/** Receives up to 10 messages in a short poll. */
export async function receive(simAws: SimAws, QueueUrl: string, options: Omit<ConstructorParameters<typeof ReceiveMessageCommand>[0], "QueueUrl"> = {}): Promise<Message[]> {
  const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0, ...options }));
  return Messages ?? [];
}

/** Receives one message, which must be there. */
export async function receiveOne(simAws: SimAws, QueueUrl: string, options: Omit<ConstructorParameters<typeof ReceiveMessageCommand>[0], "QueueUrl"> = {}): Promise<Message & { ReceiptHandle: string }> {
  const [message] = await receive(simAws, QueueUrl, { MaxNumberOfMessages: 1, ...options });
  if (message?.ReceiptHandle === undefined) throw new Error("There was no message to receive.");
  return { ...message, ReceiptHandle: message.ReceiptHandle };
}

export async function attributesOf(simAws: SimAws, QueueUrl: string): Promise<Partial<Record<string, string>>> {
  const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
  return Attributes ?? {};
}

/** Visible, in flight, delayed. */
export async function counts(simAws: SimAws, QueueUrl: string): Promise<[number, number, number]> {
  const attributes = await attributesOf(simAws, QueueUrl);
  const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible, ApproximateNumberOfMessagesDelayed } = attributes;
  return [Number(ApproximateNumberOfMessages), Number(ApproximateNumberOfMessagesNotVisible), Number(ApproximateNumberOfMessagesDelayed)];
}

/** What a refusal is recognised by. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
  readonly status: number | undefined;
}

/** The refusal of a call that has to fail. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    return { name, message, status: $metadata?.httpStatusCode };
  }
  throw new Error("The call was expected to fail.");
}

export const invalidParameter = (message: string): Refusal => ({ name: "InvalidParameterValue", message, status: 400 });
export const missingParameter = (name: string): Refusal => ({ name: "MissingParameter", message: `The request must contain the parameter ${name}.`, status: 400 });
export const queueDoesNotExist: Refusal = { name: "QueueDoesNotExist", message: "The specified queue does not exist.", status: 400 };

export async function createFifoQueue(simAws: SimAws, QueueName = "q.fifo", Attributes: Partial<Record<QueueAttributeName, string>> = {}): Promise<string> {
  return createQueue(simAws, QueueName, { FifoQueue: "true", ContentBasedDeduplication: "true", ...Attributes });
}

/** Sends messages to a FIFO queue one after the other, each to the group its body begins with: `g1-m2` to `g1`. */
export async function sendToGroups(simAws: SimAws, QueueUrl: string, ...bodies: string[]): Promise<void> {
  for (const MessageBody of bodies) await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: MessageBody.split("-")[0] }));
}

export const bodiesOf = (messages: readonly Message[]): (string | undefined)[] => messages.map(({ Body }) => Body);

export async function deleteMessages(simAws: SimAws, QueueUrl: string, ...messages: Message[]): Promise<void> {
  for (const { ReceiptHandle } of messages) await simAws.sqs().deleteMessage(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
}

export async function changeVisibility(simAws: SimAws, QueueUrl: string, { ReceiptHandle }: Message, VisibilityTimeout: number): Promise<void> {
  await simAws.sqs().changeMessageVisibility(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
}
