import { AttachRolePolicyCommand, CreateRoleCommand, PutRolePolicyCommand } from "@aws-sdk/client-iam";
import { CreateEventSourceMappingCommand, CreateFunctionCommand, InvokeCommand, type CreateEventSourceMappingCommandInput, type CreateFunctionCommandInput } from "@aws-sdk/client-lambda";
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, type Message } from "@aws-sdk/client-sqs";
import { SimAws, type SimAwsOptions } from "sandstack";
import { makeLambdaCodeZip, makeLambdaZipFileInput, type SimLambdaHandler } from "sandstack/lambda";

export const ACCOUNT = "888888888888";
export const ROLE = `arn:aws:iam::${ACCOUNT}:role/consumer`;

export function functionArn(name: string): string {
  return `arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}`;
}

export function queueArn(name: string): string {
  return `arn:aws:sqs:us-east-1:${ACCOUNT}:${name}`;
}

export function queueUrl(name: string): string {
  return `https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/${name}`;
}

/** A world with a role that Lambda may assume and that AWS's own policy lets consume queues. */
export async function functionWorld(options: SimAwsOptions = {}): Promise<SimAws> {
  const simAws = new SimAws({ startTime: new Date("2026-01-01T00:00:00Z"), ...options });
  await createRole(simAws, "consumer", ["sqs:*"]);
  return simAws;
}

export async function createRole(simAws: SimAws, RoleName: string, actions: readonly string[], service = "lambda.amazonaws.com"): Promise<void> {
  const trust = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { Service: service }, Action: "sts:AssumeRole" }] };
  await simAws.iam().createRole(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: JSON.stringify(trust) }));
  if (actions.length === 0) return;
  const PolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: actions, Resource: "*" }] });
  await simAws.iam().putRolePolicy(new PutRolePolicyCommand({ RoleName, PolicyName: "actions", PolicyDocument }));
}

export async function attachExecutionPolicy(simAws: SimAws, RoleName: string): Promise<void> {
  await simAws.iam().attachRolePolicy(new AttachRolePolicyCommand({ RoleName, PolicyArn: "arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole" }));
}

export async function createHandler(simAws: SimAws, FunctionName: string, handler: SimLambdaHandler, more: Partial<CreateFunctionCommandInput> = {}): Promise<void> {
  await simAws.lambda().createFunction(new CreateFunctionCommand({ FunctionName, Role: ROLE, Code: { ZipFile: makeLambdaZipFileInput(handler) }, ...more }));
}

/** A function of real code: the text of index.js, or files by path. */
export async function createCode(simAws: SimAws, FunctionName: string, source: string | Record<string, string>, more: Partial<CreateFunctionCommandInput> = {}): Promise<void> {
  await simAws
    .lambda()
    .createFunction(new CreateFunctionCommand({ FunctionName, Role: ROLE, Runtime: "nodejs22.x", Handler: "index.handler", Code: { ZipFile: makeLambdaCodeZip(source) }, ...more }));
}

/** What an invocation answered, its payload parsed and its log read. */
export interface Answer {
  readonly result: any;
  readonly functionError: string | undefined;
  readonly log: string;
}

export async function invoke(simAws: SimAws, FunctionName: string, event: unknown = {}): Promise<Answer> {
  const { Payload, FunctionError, LogResult = "" } = await simAws.lambda().invoke(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event), LogType: "Tail" }));
  return { result: JSON.parse(Buffer.from(Payload!).toString()), functionError: FunctionError, log: Buffer.from(LogResult, "base64").toString() };
}

export async function createQueue(simAws: SimAws, QueueName: string, Attributes: Record<string, string> = {}): Promise<string> {
  await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName, Attributes }));
  return queueUrl(QueueName);
}

export async function send(simAws: SimAws, queueName: string, ...bodies: readonly string[]): Promise<string[]> {
  const messageIds: string[] = [];
  for (const MessageBody of bodies) messageIds.push((await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: queueUrl(queueName), MessageBody }))).MessageId!);
  return messageIds;
}

export async function map(simAws: SimAws, FunctionName: string, queueName: string, more: Partial<CreateEventSourceMappingCommandInput> = {}): Promise<string> {
  const { UUID } = await simAws.lambda().createEventSourceMapping(new CreateEventSourceMappingCommand({ FunctionName, EventSourceArn: queueArn(queueName), ...more }));
  return UUID!;
}

/** How many messages of a queue are visible and in flight. */
export async function counts(simAws: SimAws, queueName: string): Promise<{ visible: number; inFlight: number }> {
  const { Attributes = {} } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl: queueUrl(queueName), AttributeNames: ["All"] }));
  return { visible: Number(Attributes["ApproximateNumberOfMessages"]), inFlight: Number(Attributes["ApproximateNumberOfMessagesNotVisible"]) };
}

export async function receive(simAws: SimAws, queueName: string): Promise<Message[]> {
  const { Messages = [] } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: queueUrl(queueName), MaxNumberOfMessages: 10, MessageAttributeNames: ["All"], AttributeNames: ["All"] }));
  return Messages;
}

/** The bodies of a batch's messages. */
export function bodiesOf(event: { Records: readonly { body: string }[] }): string[] {
  return event.Records.map(({ body }) => body);
}
