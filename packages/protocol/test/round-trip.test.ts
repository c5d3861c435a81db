import { CloudFormationClient, CreateChangeSetCommand, DescribeStackEventsCommand, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { CreateRoleCommand, DeleteRoleCommand, IAMClient, ListUsersCommand, SimulateCustomPolicyCommand } from "@aws-sdk/client-iam";
import {
  CreateEventSourceMappingCommand,
  CreateFunctionCommand,
  DeleteFunctionCommand,
  GetFunctionCommand,
  InvokeCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  TagResourceCommand,
  UntagResourceCommand,
} from "@aws-sdk/client-lambda";
import { CreateQueueCommand, DeleteMessageCommand, ListQueuesCommand, ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { SimAws } from "sandstack";
import { wireServicesOf } from "../src/services.js";
import { travel, type RoundTrip } from "./round-trip.js";
import { worldOf } from "./world.js";

const services = wireServicesOf(worldOf(new SimAws()));
const queueUrl = "https://sqs.us-east-1.amazonaws.com/123456789012/orders";
const bytes = new Uint8Array([0, 1, 2, 253, 254, 255]);
const instant = new Date("2025-11-24T23:11:18.123Z");
const whole = new Date("2025-11-24T23:11:18.000Z");
const awkward = "<a & \"b\" 'c'>\r\n\t% +=&;é€😀";

const sqs = (config: object) => new SQSClient(config);
const iam = (config: object) => new IAMClient(config);
const sts = (config: object) => new STSClient(config);
const lambda = (config: object) => new LambdaClient(config);
const cloudFormation = (config: object) => new CloudFormationClient(config);

const roundTrips: RoundTrip[] = [
  {
    name: "AWS JSON: text, numbers, maps, binary",
    client: sqs,
    command: new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: awkward,
      DelaySeconds: 0,
      MessageAttributes: { bytes: { DataType: "Binary", BinaryValue: bytes }, text: { DataType: "String", StringValue: awkward }, ["__proto__"]: { DataType: "String", StringValue: "x" } },
    }),
    output: { MessageId: "m-1", MD5OfMessageBody: undefined, SequenceNumber: "1" },
    given: { MessageId: "m-1", SequenceNumber: "1" },
  },
  {
    name: "AWS JSON: lists of structures, members of an output that is no member of the model are left out",
    client: sqs,
    command: new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [{ Id: "a", MessageBody: "1" }, { Id: "b", MessageBody: "2" }] }),
    output: { Successful: [{ Id: "a", MessageId: "m", MD5OfMessageBody: "x" }], Failed: [{ Id: "b", SenderFault: true, Code: "C" }], ours: 1 },
    given: { Successful: [{ Id: "a", MessageId: "m", MD5OfMessageBody: "x" }], Failed: [{ Id: "b", SenderFault: true, Code: "C" }] },
  },
  {
    name: "AWS JSON: an output with binary values",
    client: sqs,
    command: new ReceiveMessageCommand({ QueueUrl: queueUrl, MessageAttributeNames: ["All"], WaitTimeSeconds: 20 }),
    output: { Messages: [{ MessageId: "m", Body: awkward, Attributes: { SentTimestamp: "1" }, MessageAttributes: { b: { DataType: "Binary", BinaryValue: bytes } } }] },
  },
  { name: "AWS JSON: an empty output", client: sqs, command: new ReceiveMessageCommand({ QueueUrl: queueUrl }), output: {} },
  { name: "AWS JSON: no output", client: sqs, command: new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: "h" }), output: {} },
  { name: "AWS JSON: no input", client: sqs, command: new ListQueuesCommand({}), output: { QueueUrls: [queueUrl] } },
  { name: "AWS JSON: maps of text", client: sqs, command: new CreateQueueCommand({ QueueName: "orders", Attributes: { DelaySeconds: "1" }, tags: { a: "" } }), output: { QueueUrl: queueUrl } },

  { name: "Query: no output", client: iam, command: new DeleteRoleCommand({ RoleName: "r" }), output: {} },
  {
    name: "Query: lists, text that must be escaped, timestamps without milliseconds",
    client: iam,
    command: new CreateRoleCommand({ RoleName: "r", AssumeRolePolicyDocument: awkward, MaxSessionDuration: 3600, Tags: [{ Key: "k", Value: "" }, { Key: "l", Value: "w" }] }),
    output: { Role: { Path: "/", RoleName: "r", RoleId: "AROA", Arn: "arn", CreateDate: whole, AssumeRolePolicyDocument: awkward, Tags: [{ Key: "k", Value: "v" }] } },
  },
  {
    name: "Query: empty lists, booleans, numbers",
    client: iam,
    command: new ListUsersCommand({ MaxItems: 7 }),
    output: { Users: [], IsTruncated: false },
  },
  {
    name: "Query: lists in structures in lists",
    client: iam,
    command: new SimulateCustomPolicyCommand({
      PolicyInputList: ["{}"],
      ActionNames: ["sqs:SendMessage"],
      ContextEntries: [{ ContextKeyName: "aws:SourceIp", ContextKeyType: "string", ContextKeyValues: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"] }],
    }),
    output: { EvaluationResults: [{ EvalActionName: "a", EvalDecision: "allowed", MatchedStatements: [{ SourcePolicyId: "p", StartPosition: { Line: 1, Column: 2 } }] }], IsTruncated: false },
  },
  {
    name: "Query: an empty list and a member deep inside",
    client: cloudFormation,
    command: new CreateChangeSetCommand({ StackName: "s", ChangeSetName: "c", Parameters: [], Tags: [{ Key: "k", Value: "v" }], ClientToken: "t", DeploymentConfig: { Mode: "STANDARD" } }),
    output: { Id: "id", StackId: "sid" },
  },
  {
    name: "Query: an output of nested lists and maps, timestamps with milliseconds",
    client: cloudFormation,
    command: new DescribeStackEventsCommand({ StackName: "s" }),
    output: { StackEvents: [{ StackId: "s", EventId: "e", StackName: "s", Timestamp: instant, ResourceProperties: awkward }] },
  },
  {
    name: "Query: empty text in an output",
    client: cloudFormation,
    command: new DescribeStacksCommand({ StackName: "s" }),
    output: { Stacks: [{ StackName: "s", CreationTime: whole, StackStatus: "CREATE_COMPLETE", Parameters: [{ ParameterKey: "k", ParameterValue: "" }], Outputs: [] }] },
  },
  { name: "Query: no input", client: sts, command: new GetCallerIdentityCommand({}), output: { UserId: "u", Account: "1", Arn: "a" } },
  {
    name: "Query: structures in an output",
    client: sts,
    command: new AssumeRoleCommand({ RoleArn: "arn:aws:iam::123456789012:role/r", RoleSessionName: "s", PolicyArns: [{ arn: "a" }] }),
    output: { Credentials: { AccessKeyId: "A", SecretAccessKey: "S", SessionToken: "T", Expiration: whole }, AssumedRoleUser: { AssumedRoleId: "i", Arn: "a" }, PackedPolicySize: 3 },
  },

  {
    name: "REST JSON: a body with binary and enumerations, 201",
    client: lambda,
    command: new CreateFunctionCommand({ FunctionName: "f", Role: "r", Code: { ZipFile: bytes }, Runtime: "nodejs22.x", Environment: { Variables: { A: awkward } }, Timeout: 3 }),
    output: { FunctionName: "f", LastModified: "2025", Environment: { Variables: { A: "b" } }, Layers: [] },
  },
  { name: "REST JSON: a path part that must be escaped", client: lambda, command: new GetFunctionCommand({ FunctionName: "arn:aws:lambda:us-east-1:1:function:a b/é" }), output: { Tags: { a: "b" } } },
  { name: "REST JSON: no body, 204", client: lambda, command: new DeleteFunctionCommand({ FunctionName: "f", Qualifier: "1" }), output: { StatusCode: 204 } },
  {
    name: "REST JSON: payload and headers both ways, and the status of the output",
    client: lambda,
    command: new InvokeCommand({ FunctionName: "f", InvocationType: "Event", Payload: bytes, LogType: "Tail" }),
    output: { StatusCode: 202, FunctionError: "Unhandled", Payload: bytes, ExecutedVersion: "$LATEST" },
  },
  { name: "REST JSON: timestamps are numbers", client: lambda, command: new CreateEventSourceMappingCommand({ FunctionName: "f", BatchSize: 1, FunctionResponseTypes: [] }), output: { UUID: "u", LastModified: instant, Topics: [] } },
  { name: "REST JSON: the query", client: lambda, command: new ListEventSourceMappingsCommand({ EventSourceArn: "arn:a:b", MaxItems: 5 }), output: { EventSourceMappings: [] } },
  { name: "REST JSON: a list in the query", client: lambda, command: new UntagResourceCommand({ Resource: "arn:x/y", TagKeys: ["a", "b&c"] }), output: {} },
  { name: "REST JSON: a body of a map", client: lambda, command: new TagResourceCommand({ Resource: "arn:x", Tags: { a: "b" } }), output: {} },
];

test.each(roundTrips)("$name", async (roundTrip) => {
  const { decoded, input, answered, given } = await travel(services, roundTrip);
  expect(decoded).toStrictEqual(input);
  expect(answered).toStrictEqual(given);
});
