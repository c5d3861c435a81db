import {
  AlreadyExistsException,
  CloudFormationServiceException,
  CreateStackCommand,
  DescribeStackEventsCommand,
  DescribeStackResourceCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  GetTemplateSummaryCommand,
  InsufficientCapabilitiesException,
  ListStackResourcesCommand,
  ListStacksCommand,
  UpdateStackCommand,
  UpdateTerminationProtectionCommand,
  ValidateTemplateCommand,
  type CreateStackCommandInput,
} from "@aws-sdk/client-cloudformation";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimCloudFormationAlreadyExistsException, SimCloudFormationInsufficientCapabilitiesException, SimCloudFormationValidationError } from "sandstack/cloudformation";
import { deploy, makeWorld, queueNames, rejection, START } from "./setup.js";

const trust = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: "lambda.amazonaws.com" } }] };
const queueTemplate = { Resources: { Q: { Type: "AWS::SQS::Queue" } } };
const roleTemplate = (properties: object = {}): object => ({ Resources: { R: { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: trust, ...properties } } } });

test("a stack is described as AWS describes it", async () => {
  const simAws = makeWorld();
  const cloudFormation = simAws.cloudFormation();
  const TemplateBody = "Description: queues\nResources:\n  B: {Type: AWS::SQS::Queue, Metadata: {a: 1}}\n  A: {Type: AWS::SQS::Queue}\nOutputs:\n  Url: {Value: !Ref A, Description: of A, Export: {Name: url}}\n";
  const { StackId, $metadata } = await cloudFormation.createStack(new CreateStackCommand({ StackName: "shop", TemplateBody, Tags: [{ Key: "team", Value: "orders" }], EnableTerminationProtection: true, TimeoutInMinutes: 5 }));
  expect($metadata.httpStatusCode).toBe(200);
  await simAws.backgroundTasksComplete();

  const { Stacks } = await cloudFormation.describeStacks(new DescribeStacksCommand({ StackName: "shop" }));
  expect(Stacks).toEqual([
    {
      StackId,
      StackName: "shop",
      Description: "queues",
      CreationTime: START,
      RollbackConfiguration: {},
      StackStatus: "CREATE_COMPLETE",
      DisableRollback: false,
      NotificationARNs: [],
      TimeoutInMinutes: 5,
      Outputs: [{ OutputKey: "Url", OutputValue: expect.stringMatching(/^https:\/\/sqs/), Description: "of A", ExportName: "url" }],
      Tags: [{ Key: "team", Value: "orders" }],
      EnableTerminationProtection: true,
      DriftInformation: { StackDriftStatus: "NOT_CHECKED" },
    },
  ]);
  expect(await cloudFormation.getTemplate(new GetTemplateCommand({ StackName: "shop" }))).toMatchObject({ TemplateBody, StagesAvailable: ["Original", "Processed"] });
  const { StackResources } = await cloudFormation.describeStackResources(new DescribeStackResourcesCommand({ StackName: "shop" }));
  expect(StackResources?.map(({ LogicalResourceId, ResourceStatus, StackName }) => [LogicalResourceId, ResourceStatus, StackName])).toEqual([["A", "CREATE_COMPLETE", "shop"], ["B", "CREATE_COMPLETE", "shop"]]);
  const byPhysicalId = await cloudFormation.describeStackResources(new DescribeStackResourcesCommand({ PhysicalResourceId: StackResources?.[1]?.PhysicalResourceId }));
  expect(byPhysicalId.StackResources).toEqual(StackResources);
  const { StackResourceSummaries } = await cloudFormation.listStackResources(new ListStackResourcesCommand({ StackName: "shop" }));
  expect(StackResourceSummaries?.[0]).toEqual({ LogicalResourceId: "A", PhysicalResourceId: StackResources?.[0]?.PhysicalResourceId, ResourceType: "AWS::SQS::Queue", ResourceStatus: "CREATE_COMPLETE", LastUpdatedTimestamp: START, DriftInformation: { StackResourceDriftStatus: "NOT_CHECKED" } });
  const { StackResourceDetail } = await cloudFormation.describeStackResource(new DescribeStackResourceCommand({ StackName: "shop", LogicalResourceId: "B" }));
  expect(StackResourceDetail).toMatchObject({ LogicalResourceId: "B", Metadata: '{"a":1}' });
  const { StackEvents } = await cloudFormation.describeStackEvents(new DescribeStackEventsCommand({ StackName: StackId }));
  expect(StackEvents?.[0]).toMatchObject({ LogicalResourceId: "shop", PhysicalResourceId: StackId, ResourceType: "AWS::CloudFormation::Stack", ResourceStatus: "CREATE_COMPLETE" });
  expect(StackEvents?.find(({ LogicalResourceId }) => LogicalResourceId === "A")).toMatchObject({ EventId: expect.stringMatching(/^A-CREATE_COMPLETE-2024-05-01T12:00:00\.\d{3}Z$/), ResourceProperties: "{}" });

  expect(await rejection(cloudFormation.deleteStack({ stackName: "shop" }))).toMatchObject({ message: "Stack [shop] cannot be deleted while TerminationProtection is enabled" });
  await cloudFormation.updateTerminationProtection(new UpdateTerminationProtectionCommand({ StackName: "shop", EnableTerminationProtection: false }));
  await cloudFormation.deleteStack({ stackName: "shop" });
  expect((await cloudFormation.describeStacks(new DescribeStacksCommand({}))).Stacks).toEqual([]);
  const { StackSummaries } = await cloudFormation.listStacks(new ListStacksCommand({ StackStatusFilter: ["DELETE_COMPLETE"] }));
  expect(StackSummaries).toMatchObject([{ StackId, StackName: "shop", StackStatus: "DELETE_COMPLETE", DeletionTime: START, TemplateDescription: "queues" }]);
  const deleted = await cloudFormation.describeStacks(new DescribeStacksCommand({ StackName: StackId }));
  expect(deleted.Stacks?.[0]).toMatchObject({ StackStatus: "DELETE_COMPLETE" });
  expect(deleted.Stacks?.[0]).not.toHaveProperty("EnableTerminationProtection", expect.anything());
});

test.each<{ template: object; Capabilities?: CreateStackCommandInput["Capabilities"]; missing: string }>([
  { template: roleTemplate(), missing: "CAPABILITY_IAM" },
  { template: roleTemplate({ RoleName: "r" }), missing: "CAPABILITY_NAMED_IAM" },
  { template: roleTemplate({ RoleName: "r" }), Capabilities: ["CAPABILITY_IAM"], missing: "CAPABILITY_NAMED_IAM" },
  { template: { Transform: "AWS::LanguageExtensions", ...queueTemplate }, missing: "CAPABILITY_AUTO_EXPAND" },
])("CreateStack wants $missing; deployTemplate grants it", async ({ template, Capabilities, missing }) => {
  const simAws = makeWorld();
  const error = await rejection(simAws.cloudFormation().createStack(new CreateStackCommand({ StackName: "shop", TemplateBody: JSON.stringify(template), Capabilities })));
  expect(error).toBeInstanceOf(InsufficientCapabilitiesException);
  expect(error).toBeInstanceOf(SimCloudFormationInsufficientCapabilitiesException);
  expect(error).toMatchObject({ name: "InsufficientCapabilitiesException", message: `Requires capabilities : [${missing}]`, $metadata: { httpStatusCode: 400 } });
  expect(simAws.cloudFormation().findStack("shop")).toBeUndefined();
  await deploy(simAws, template);
});

test("errors are of the SDK's classes, by the SDK's names and the sandbox's", async () => {
  const simAws = makeWorld();
  await deploy(simAws, queueTemplate);
  const exists = await rejection(simAws.cloudFormation().deployTemplate({ stackName: "shop", template: queueTemplate }));
  expect(exists).toMatchObject({ name: "AlreadyExistsException", message: "Stack [shop] already exists" });
  expect(exists).toBeInstanceOf(AlreadyExistsException);
  expect(exists).toBeInstanceOf(SimCloudFormationAlreadyExistsException);
  const missing = await rejection(simAws.cloudFormation().describeStacks(new DescribeStacksCommand({ StackName: "other" })));
  expect(missing).toBeInstanceOf(CloudFormationServiceException);
  expect(missing).toBeInstanceOf(SimCloudFormationValidationError);
});

type Call = (cloudFormation: ReturnType<ReturnType<typeof makeWorld>["cloudFormation"]>) => Promise<unknown>;

test.each<{ name: string; call: Call; message: string }>([
  { name: "DescribeStacks of none", call: (cfn) => cfn.describeStacks(new DescribeStacksCommand({ StackName: "other" })), message: "Stack with id other does not exist" },
  { name: "DescribeStackEvents of none", call: (cfn) => cfn.describeStackEvents(new DescribeStackEventsCommand({ StackName: "other" })), message: "Stack [other] does not exist" },
  { name: "GetTemplate of none", call: (cfn) => cfn.getTemplate(new GetTemplateCommand({ StackName: "other" })), message: "Stack with id other does not exist" },
  { name: "GetTemplate of nothing", call: (cfn) => cfn.getTemplate(new GetTemplateCommand({})), message: "StackName is required if ChangeSetName is not specified." },
  { name: "DescribeStackResource of none", call: (cfn) => cfn.describeStackResource(new DescribeStackResourceCommand({ StackName: "shop", LogicalResourceId: "X" })), message: "Resource X does not exist for stack shop" },
  { name: "UpdateStack of none", call: (cfn) => cfn.updateStack(new UpdateStackCommand({ StackName: "other", TemplateBody: JSON.stringify(queueTemplate) })), message: "Stack [other] does not exist" },
  { name: "UpdateStack without template", call: (cfn) => cfn.updateStack(new UpdateStackCommand({ StackName: "shop" })), message: "Either Template URL or Template Body must be specified." },
  { name: "UpdateStack without change", call: (cfn) => cfn.updateStack(new UpdateStackCommand({ StackName: "shop", UsePreviousTemplate: true })), message: "No updates are to be performed." },
  { name: "UpdateStack with the previous value of a new parameter", call: (cfn) => cfn.updateStack(new UpdateStackCommand({ StackName: "shop", TemplateBody: JSON.stringify({ Parameters: { P: { Type: "String" } }, ...queueTemplate }), Parameters: [{ ParameterKey: "P", UsePreviousValue: true }] })), message: "Invalid input for parameter key P. Cannot specify usePreviousValue as true for a parameter key not in the previous template" },
  { name: "a name that no stack can have", call: (cfn) => cfn.createStack(new CreateStackCommand({ StackName: "*@da591fa3_$", TemplateBody: JSON.stringify(queueTemplate) })), message: "1 validation error detected: Value '*@da591fa3_$' at 'stackName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*|arn:[-a-zA-Z0-9:/._+]*" },
  { name: "a template URL that is none of S3's", call: (cfn) => cfn.createStack(new CreateStackCommand({ StackName: "new", TemplateURL: "https://example.com/a/template.yaml" })), message: "TemplateURL must be a supported URL." },
  { name: "a template URL of the scheme s3", call: (cfn) => cfn.createStack(new CreateStackCommand({ StackName: "new", TemplateURL: "s3://bucket/template.yaml" })), message: "S3 error: Domain name specified in BUCKET is not a valid S3 domain" },
  { name: "a tag of AWS's own", call: (cfn) => cfn.createStack(new CreateStackCommand({ StackName: "new", TemplateBody: JSON.stringify(queueTemplate), Tags: [{ Key: "aws:x", Value: "y" }] })), message: "aws: prefixed tag key names are not allowed for external use." },
  { name: "types that the request does not allow", call: (cfn) => cfn.createStack(new CreateStackCommand({ StackName: "new", TemplateBody: JSON.stringify(queueTemplate), ResourceTypes: ["AWS::EC2::*"] })), message: "Resource type AWS::SQS::Queue is not allowed by parameter ResourceTypes [AWS::EC2::*]" },
  { name: "a role that there is not", call: (cfn) => cfn.createStack(new CreateStackCommand({ StackName: "new", TemplateBody: JSON.stringify(queueTemplate), RoleARN: "arn:aws:iam::888888888888:role/none" })), message: "Role ARN is invalid or cannot be assumed" },
  { name: "a way to fail that there is not", call: (cfn) => cfn.createStack({ input: { StackName: "new", TemplateBody: JSON.stringify(queueTemplate), OnFailure: "KEEP" as "DELETE" } }), message: "1 validation error detected: Value 'KEEP' at 'onFailure' failed to satisfy constraint: Member must satisfy enum value set: [DO_NOTHING, ROLLBACK, DELETE]" },
  { name: "a kind of change set that there is not", call: (cfn) => cfn.createChangeSet({ input: { StackName: "new", ChangeSetName: "c", TemplateBody: JSON.stringify(queueTemplate), ChangeSetType: "MAKE" as "CREATE" } }), message: "1 validation error detected: Value 'MAKE' at 'changeSetType' failed to satisfy constraint: Member must satisfy enum value set: [CREATE, UPDATE, IMPORT]" },
  { name: "a capability that there is not", call: (cfn) => cfn.createStack({ input: { StackName: "new", TemplateBody: JSON.stringify(queueTemplate), Capabilities: ["CAPABILITY_IAM", "IAM" as "CAPABILITY_IAM"] } }), message: "1 validation error detected: Value '[CAPABILITY_IAM, IAM]' at 'capabilities' failed to satisfy constraint: Member must satisfy constraint: [Member must satisfy enum value set: [CAPABILITY_NAMED_IAM, CAPABILITY_IAM, CAPABILITY_AUTO_EXPAND]]" },
  { name: "501 resources", call: (cfn) => cfn.createStack(new CreateStackCommand({ StackName: "new", TemplateBody: JSON.stringify({ Resources: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`Q${index}`, { Type: "AWS::SQS::Queue" }])) }) })), message: "Template format error: Number of resources, 501, is greater than maximum allowed, 500" },
])("refused: $name", async ({ call, message }) => {
  const simAws = makeWorld();
  await deploy(simAws, queueTemplate);
  const names = await queueNames(simAws);
  const error = await rejection(call(simAws.cloudFormation()));
  expect(error).toMatchObject({ name: "ValidationError", $metadata: { httpStatusCode: 400 } });
  expect(error.message).toBe(message);
  await simAws.backgroundTasksComplete();
  expect(simAws.cloudFormation().findStack("new")).toBeUndefined();
  expect(await queueNames(simAws)).toEqual(names);
});

test.each([
  { name: "as large as it may be", bytes: 51_200, accepted: true },
  { name: "one byte larger", bytes: 51_201, accepted: false },
])("TemplateBody $name", async ({ bytes, accepted }) => {
  const simAws = makeWorld();
  const TemplateBody = JSON.stringify(queueTemplate).padEnd(bytes);
  const created = simAws.cloudFormation().createStack(new CreateStackCommand({ StackName: "shop", TemplateBody }));
  if (accepted) await created;
  else expect((await rejection(created)).message).toMatch(/at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to 51200$/);
});

test("500 queues with policies are deployed, beyond AWS's quota where it is not asked for", async () => {
  const simAws = makeWorld();
  const resources = Array.from({ length: 500 }, (_, index) => [
    [`Q${index}`, { Type: "AWS::SQS::Queue" }],
    [`P${index}`, { Type: "AWS::SQS::QueuePolicy", Properties: { Queues: [{ Ref: `Q${index}` }], PolicyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Deny", Principal: "*", Action: "sqs:*", Resource: { "Fn::GetAtt": [`Q${index}`, "Arn"] }, Condition: { Bool: { "aws:SecureTransport": "false" } } }] } } }],
  ]).flat();
  const stack = await deploy(simAws, { Resources: Object.fromEntries(resources) });
  expect(stack.resources.filter(({ deployed }) => deployed).length).toBe(1000);
});

test("a template is summarized and validated", async () => {
  const simAws = makeWorld();
  const TemplateBody = JSON.stringify({
    AWSTemplateFormatVersion: "2010-09-09",
    Description: "a role",
    Parameters: { Stage: { Type: "String", Default: "dev", AllowedValues: ["dev", "prod"], Description: "where" }, Secret: { Type: "String", NoEcho: "true" } },
    ...roleTemplate(),
  });
  const parameters = [{ ParameterKey: "Stage", DefaultValue: "dev", NoEcho: false, Description: "where" }, { ParameterKey: "Secret", NoEcho: true }];
  const capabilities = { Capabilities: ["CAPABILITY_IAM"], CapabilitiesReason: "The following resource(s) require capabilities: [AWS::IAM::Role]", Description: "a role" };
  expect(await simAws.cloudFormation().validateTemplate(new ValidateTemplateCommand({ TemplateBody }))).toMatchObject({ Parameters: parameters, ...capabilities });
  expect(await simAws.cloudFormation().getTemplateSummary(new GetTemplateSummaryCommand({ TemplateBody }))).toMatchObject({
    Parameters: [{ ...parameters[0], ParameterType: "String", ParameterConstraints: { AllowedValues: ["dev", "prod"] } }, { ...parameters[1], ParameterType: "String" }],
    ...capabilities,
    ResourceTypes: ["AWS::IAM::Role"],
    Version: "2010-09-09",
    ResourceIdentifierSummaries: [{ ResourceType: "AWS::IAM::Role", LogicalResourceIds: ["R"], ResourceIdentifiers: ["RoleName"] }],
  });
});

test("a template lies in a file, which names its stack", async () => {
  const folder = mkdtempSync(join(tmpdir(), "templates-"));
  try {
    const path = join(folder, "orders.template.yaml");
    writeFileSync(path, "Resources:\n  Q: {Type: AWS::SQS::Queue}\n");
    const simAws = makeWorld();
    expect((await simAws.cloudFormation().deployTemplateFile(path)).stackName).toBe("orders");
    expect((await simAws.cloudFormation().deployTemplateFile({ path, stackName: "mine", tags: { a: "b" } })).stackName).toBe("mine");
    await simAws.backgroundTasksComplete();
    expect((await queueNames(simAws)).length).toBe(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
