/** A change of one property of a type's sample: what it is set to, over or in place of the sample's own value. */
export interface SampleChange {
  readonly [property: string]: unknown;
}

/** How the generic suite tries a resource type. */
export interface ResourceTypeSample {
  /** Other resources that it needs, by logical id. */
  readonly others?: Readonly<Record<string, object>>;
  readonly properties: Readonly<Record<string, unknown>>;
  /** One for each property that the type acts on; two properties go together where AWS allows neither alone. */
  readonly changes: readonly SampleChange[];
}

const trust = (service: string): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: service } }] });
const allow = (action: string): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: action, Resource: "*" }] });
const onQueue = (action: string): object => ({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: action, Principal: { AWS: "123456789012" }, Resource: "*" }] });
const tags = (value: string): object[] => [{ Key: "team", Value: value }];
const code = (answer: number): string => `exports.handler = async () => ${answer};`;

const role = (service = "lambda.amazonaws.com"): object => ({
  Type: "AWS::IAM::Role",
  Properties: { AssumeRolePolicyDocument: trust(service), Policies: [{ PolicyName: "all", PolicyDocument: allow("*") }] },
});
const queue = (properties: object = {}): object => ({ Type: "AWS::SQS::Queue", Properties: properties });
const user = { Type: "AWS::IAM::User" };
const group = { Type: "AWS::IAM::Group" };
const policy = { Type: "AWS::IAM::ManagedPolicy", Properties: { PolicyDocument: allow("sqs:SendMessage") } };
const fn = (answer = 1): object => ({ Type: "AWS::Lambda::Function", Properties: { Code: { ZipFile: code(answer) }, Handler: "index.handler", Runtime: "nodejs22.x", Role: arnOf("Role") } });

const arnOf = (logicalId: string): object => ({ "Fn::GetAtt": [logicalId, "Arn"] });
const ref = (logicalId: string): object => ({ Ref: logicalId });

export const samples: Readonly<Record<string, ResourceTypeSample>> = {
  "AWS::CDK::Metadata": { properties: { Analytics: "v2:a" }, changes: [{ Analytics: "v2:b" }] },
  "AWS::CloudFormation::WaitConditionHandle": { properties: {}, changes: [] },
  "AWS::SQS::Queue": {
    others: { Dead: queue() },
    properties: { VisibilityTimeout: 20 },
    changes: [
      { QueueName: "renamed" },
      { Tags: tags("a") },
      { DelaySeconds: 1 },
      { MaximumMessageSize: 2048 },
      { MessageRetentionPeriod: 600 },
      { ReceiveMessageWaitTimeSeconds: 3 },
      { VisibilityTimeout: 21 },
      { RedrivePolicy: { deadLetterTargetArn: arnOf("Dead"), maxReceiveCount: 2 } },
      { RedriveAllowPolicy: { redrivePermission: "denyAll" } },
    ],
  },
  "AWS::SQS::QueuePolicy": {
    others: { One: queue(), Two: queue() },
    properties: { Queues: [ref("One")], PolicyDocument: onQueue("sqs:SendMessage") },
    changes: [{ Queues: [ref("Two")] }, { PolicyDocument: onQueue("sqs:ReceiveMessage") }],
  },
  "AWS::SQS::QueueInlinePolicy": {
    others: { One: queue(), Two: queue() },
    properties: { Queue: ref("One"), PolicyDocument: onQueue("sqs:SendMessage") },
    changes: [{ Queue: ref("Two") }, { PolicyDocument: onQueue("sqs:ReceiveMessage") }],
  },
  "AWS::IAM::Role": {
    others: { Managed: policy },
    properties: { AssumeRolePolicyDocument: trust("lambda.amazonaws.com"), Description: "works" },
    changes: [
      { RoleName: "renamed" },
      { Path: "/apps/" },
      { AssumeRolePolicyDocument: trust("sqs.amazonaws.com") },
      { Description: "rests" },
      { MaxSessionDuration: 7200 },
      { PermissionsBoundary: ref("Managed") },
      { Policies: [{ PolicyName: "p", PolicyDocument: allow("sqs:*") }] },
      { ManagedPolicyArns: [ref("Managed")] },
      { Tags: tags("a") },
    ],
  },
  "AWS::IAM::Policy": {
    others: { Role: role(), Other: role(), User: user, Group: group },
    properties: { PolicyName: "p", PolicyDocument: allow("sqs:SendMessage"), Roles: [ref("Role")] },
    changes: [{ PolicyName: "q" }, { PolicyDocument: allow("sqs:*") }, { Roles: [ref("Other")] }, { Users: [ref("User")] }, { Groups: [ref("Group")] }],
  },
  "AWS::IAM::ManagedPolicy": {
    others: { Role: role(), User: user, Group: group },
    properties: { PolicyDocument: allow("sqs:SendMessage"), Description: "sends" },
    changes: [
      { ManagedPolicyName: "renamed" },
      { Path: "/apps/" },
      { PolicyDocument: allow("sqs:*") },
      { Description: "does" },
      { Roles: [ref("Role")] },
      { Users: [ref("User")] },
      { Groups: [ref("Group")] },
    ],
  },
  "AWS::IAM::User": {
    others: { Managed: policy, Group: group },
    properties: {},
    changes: [
      { UserName: "renamed" },
      { Path: "/people/" },
      { Policies: [{ PolicyName: "p", PolicyDocument: allow("sqs:*") }] },
      { ManagedPolicyArns: [ref("Managed")] },
      { PermissionsBoundary: ref("Managed") },
      { Groups: [ref("Group")] },
      { Tags: tags("a") },
    ],
  },
  "AWS::IAM::Group": {
    others: { Managed: policy },
    properties: {},
    changes: [{ GroupName: "renamed" }, { Path: "/people/" }, { Policies: [{ PolicyName: "p", PolicyDocument: allow("sqs:*") }] }, { ManagedPolicyArns: [ref("Managed")] }],
  },
  "AWS::IAM::AccessKey": { others: { User: user, Other: user }, properties: { UserName: ref("User") }, changes: [{ UserName: ref("Other") }, { Status: "Inactive" }, { Serial: 1 }] },
  "AWS::IAM::UserToGroupAddition": {
    others: { User: user, Other: user, Group: group, Second: group },
    properties: { GroupName: ref("Group"), Users: [ref("User")] },
    changes: [{ GroupName: ref("Second") }, { Users: [ref("Other")] }],
  },
  "AWS::Lambda::Function": {
    others: { Role: role(), Other: role(), Dead: queue() },
    properties: { Code: { ZipFile: code(1) }, Handler: "index.handler", Runtime: "nodejs22.x", Role: arnOf("Role") },
    changes: [
      { Code: { ZipFile: code(2) } },
      { FunctionName: "renamed" },
      { Handler: "index.other" },
      { Runtime: "nodejs20.x" },
      { Role: arnOf("Other") },
      { Description: "consumes" },
      { Timeout: 30 },
      { MemorySize: 512 },
      { Environment: { Variables: { STAGE: "test", LIMIT: 2 } } },
      { DeadLetterConfig: { TargetArn: arnOf("Dead") } },
      { ReservedConcurrentExecutions: 5 },
      { Tags: tags("a") },
    ],
  },
  "AWS::Lambda::Version": {
    others: { Role: role(), Fn: fn(1), Second: fn(2) },
    properties: { FunctionName: ref("Fn") },
    // A description alone makes no other version of the same code.
    changes: [{ FunctionName: ref("Second") }, { FunctionName: ref("Second"), Description: "first" }],
  },
  "AWS::Lambda::Alias": {
    others: { Role: role(), Fn: fn(1), Second: fn(2), Version: { Type: "AWS::Lambda::Version", Properties: { FunctionName: ref("Fn") } } },
    properties: { FunctionName: ref("Fn"), FunctionVersion: "$LATEST", Name: "live" },
    changes: [{ FunctionName: ref("Second") }, { FunctionVersion: { "Fn::GetAtt": ["Version", "Version"] } }, { Name: "blue" }, { Description: "the one that is called" }],
  },
  "AWS::Lambda::EventSourceMapping": {
    others: { Role: role(), Fn: fn(1), Second: fn(2), Queue: queue(), Other: queue() },
    properties: { EventSourceArn: arnOf("Queue"), FunctionName: ref("Fn") },
    changes: [
      { EventSourceArn: arnOf("Other") },
      { FunctionName: ref("Second") },
      { Enabled: false },
      { BatchSize: 5 },
      { MaximumBatchingWindowInSeconds: 2 },
      { FilterCriteria: { Filters: [{ Pattern: '{"body":{"kind":["order"]}}' }] } },
      { FunctionResponseTypes: ["ReportBatchItemFailures"] },
      { ScalingConfig: { MaximumConcurrency: 3 } },
      { Tags: tags("a") },
    ],
  },
  "AWS::Lambda::Permission": {
    others: { Role: role(), Fn: fn(1), Second: fn(2), Queue: queue() },
    properties: { FunctionName: ref("Fn"), Action: "lambda:InvokeFunction", Principal: "sqs.amazonaws.com" },
    changes: [{ FunctionName: ref("Second") }, { Action: "lambda:GetFunction" }, { Principal: "sns.amazonaws.com" }, { SourceArn: arnOf("Queue") }, { SourceAccount: "123456789012" }],
  },
};
