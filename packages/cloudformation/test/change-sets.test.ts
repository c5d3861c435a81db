import {
  ChangeSetNotFoundException,
  CreateChangeSetCommand,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  ListChangeSetsCommand,
  type CreateChangeSetCommandInput,
} from "@aws-sdk/client-cloudformation";
import type { SimAws } from "sandstack";
import { deploy, eventLines, makeWorld, queueNames, rejection } from "./setup.js";

const queue = (properties: object = {}, others: object = {}): object => ({ Type: "AWS::SQS::Queue", Properties: properties, ...others });

async function createChangeSet(simAws: SimAws, template: object, input: Partial<CreateChangeSetCommandInput> = {}): Promise<string> {
  const { Id = "" } = await simAws.cloudFormation().createChangeSet(new CreateChangeSetCommand({ StackName: "shop", ChangeSetName: "next", TemplateBody: JSON.stringify(template), ...input }));
  return Id;
}

test("a change set of a new stack is reviewed, then executed", async () => {
  const simAws = makeWorld();
  const cloudFormation = simAws.cloudFormation();
  const template = { Resources: { Q: queue({ QueueName: "q" }) }, Outputs: { Url: { Value: { Ref: "Q" } } } };
  const id = await createChangeSet(simAws, template, { ChangeSetType: "CREATE" });
  expect(id).toMatch(/^arn:aws:cloudformation:us-east-1:888888888888:changeSet\/next\/[0-9a-f-]{36}$/);
  const stack = cloudFormation.findStack("shop");
  expect(stack?.status).toBe("REVIEW_IN_PROGRESS");
  expect(await queueNames(simAws)).toEqual([]);

  const described = await cloudFormation.describeChangeSet(new DescribeChangeSetCommand({ StackName: "shop", ChangeSetName: "next" }));
  expect(described).toMatchObject({ ChangeSetName: "next", ChangeSetId: id, StackName: "shop", StackId: stack?.stackId, Status: "CREATE_COMPLETE", ExecutionStatus: "AVAILABLE", IncludeNestedStacks: false });
  expect(described.Changes).toMatchObject([{ Type: "Resource", ResourceChange: { Action: "Add", LogicalResourceId: "Q", ResourceType: "AWS::SQS::Queue", Scope: [], Details: [] } }]);

  await cloudFormation.executeChangeSet(new ExecuteChangeSetCommand({ ChangeSetName: id }));
  await simAws.backgroundTasksComplete();
  expect(stack?.status).toBe("CREATE_COMPLETE");
  expect(await queueNames(simAws)).toEqual(["q"]);
  expect(stack && eventLines(stack).slice(0, 2)).toEqual(["shop REVIEW_IN_PROGRESS User Initiated", "shop CREATE_IN_PROGRESS User Initiated"]);
  const { Stacks } = await cloudFormation.describeStacks(new DescribeStacksCommand({ StackName: "shop" }));
  expect(Stacks?.[0]).toMatchObject({ ChangeSetId: id, LastUpdatedTime: expect.any(Date) });
  expect(await rejection(cloudFormation.executeChangeSet(new ExecuteChangeSetCommand({ ChangeSetName: id })))).toMatchObject({ name: "InvalidChangeSetStatusException", message: `ChangeSet [${id}] cannot be executed in its current status of [EXECUTE_COMPLETE]` });
});

test("the changes say what is modified, replaced, added and removed, and why", async () => {
  const simAws = makeWorld();
  const cloudFormation = simAws.cloudFormation();
  const template = (name: string, others: object): object => ({
    Parameters: { Seconds: { Type: "Number", Default: 5 } },
    Resources: {
      Dead: queue({ QueueName: name }),
      Orders: queue({ RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dead", "Arn"] }, maxReceiveCount: 3 } }),
      Slow: queue({ DelaySeconds: { Ref: "Seconds" } }),
      Same: queue(),
      ...others,
    },
  });
  const stack = await deploy(simAws, template("dead-1", { Gone: queue({}, { DeletionPolicy: "Retain" }) }));
  const id = await createChangeSet(simAws, template("dead-2", { New: queue() }), { Parameters: [{ ParameterKey: "Seconds", ParameterValue: "6" }] });
  const { Changes } = await cloudFormation.describeChangeSet(new DescribeChangeSetCommand({ ChangeSetName: id, IncludePropertyValues: true }));
  const changes = Object.fromEntries((Changes ?? []).map(({ ResourceChange }) => [ResourceChange?.LogicalResourceId, ResourceChange]));

  expect(Object.keys(changes).sort()).toEqual(["Dead", "Gone", "New", "Orders", "Slow"]);
  expect(changes["Dead"]).toMatchObject({
    Action: "Modify",
    PhysicalResourceId: stack.getResource("Dead").physicalId,
    Replacement: "True",
    PolicyAction: "ReplaceAndDelete",
    Scope: ["Properties"],
    Details: [{ Target: { Attribute: "Properties", Name: "QueueName", RequiresRecreation: "Always", BeforeValue: "dead-1", AfterValue: "dead-2", AttributeChangeType: "Modify" }, Evaluation: "Static", ChangeSource: "DirectModification" }],
  });
  expect(changes["Orders"]).toMatchObject({
    Action: "Modify",
    Replacement: "False",
    Details: [{ Target: { Name: "RedrivePolicy", RequiresRecreation: "Never" }, Evaluation: "Static", ChangeSource: "ResourceAttribute", CausingEntity: "Dead.Arn" }],
    AfterContext: expect.stringContaining("{{changeSet:KNOWN_AFTER_APPLY}}"),
  });
  expect(changes["Slow"]?.Details).toMatchObject([
    { CausingEntity: "Seconds", ChangeSource: "ParameterReference", Evaluation: "Static" },
    { ChangeSource: "DirectModification", Evaluation: "Dynamic" },
  ]);
  expect(changes["New"]).toMatchObject({ Action: "Add", Scope: [], Details: [] });
  expect(changes["Gone"]).toMatchObject({ Action: "Remove", PolicyAction: "Retain", Scope: [], Details: [] });

  await cloudFormation.executeChangeSet(new ExecuteChangeSetCommand({ ChangeSetName: "next", StackName: "shop" }));
  await stack.waitForDeployComplete();
  expect(stack.status).toBe("UPDATE_COMPLETE");
  expect(stack.resources.map(({ logicalId }) => logicalId).sort()).toEqual(["Dead", "New", "Orders", "Same", "Slow"]);
});

test("a change set without changes is no error, and cannot be executed", async () => {
  const simAws = makeWorld();
  const template = { Resources: { Q: queue() } };
  await deploy(simAws, template);
  const id = await createChangeSet(simAws, template);
  expect(await simAws.cloudFormation().describeChangeSet(new DescribeChangeSetCommand({ ChangeSetName: id }))).toMatchObject({
    Status: "FAILED",
    ExecutionStatus: "UNAVAILABLE",
    StatusReason: "The submitted information didn't contain changes. Submit different information to create a change set.",
  });
  expect(await rejection(simAws.cloudFormation().executeChangeSet(new ExecuteChangeSetCommand({ ChangeSetName: id })))).toMatchObject({ message: `ChangeSet [${id}] cannot be executed in its current status of [FAILED]` });
});

test("change sets are listed and deleted, and older ones become obsolete", async () => {
  const simAws = makeWorld();
  const cloudFormation = simAws.cloudFormation();
  await deploy(simAws, { Resources: { Q: queue() } });
  const first = await createChangeSet(simAws, { Resources: { Q: queue({ DelaySeconds: 1 }) } }, { ChangeSetName: "first" });
  await createChangeSet(simAws, { Resources: { Q: queue({ DelaySeconds: 2 }) } }, { ChangeSetName: "second" });
  await cloudFormation.executeChangeSet(new ExecuteChangeSetCommand({ ChangeSetName: "second", StackName: "shop" }));
  await simAws.backgroundTasksComplete();
  const { Summaries } = await cloudFormation.listChangeSets(new ListChangeSetsCommand({ StackName: "shop" }));
  expect(Summaries).toMatchObject([{ ChangeSetName: "first", ExecutionStatus: "OBSOLETE" }, { ChangeSetName: "second", ExecutionStatus: "EXECUTE_COMPLETE" }]);
  await cloudFormation.deleteChangeSet(new DeleteChangeSetCommand({ ChangeSetName: first }));
  await cloudFormation.deleteChangeSet(new DeleteChangeSetCommand({ ChangeSetName: first }));
  const error = await rejection(cloudFormation.describeChangeSet(new DescribeChangeSetCommand({ ChangeSetName: first })));
  expect(error).toBeInstanceOf(ChangeSetNotFoundException);
  expect(error).toMatchObject({ message: `ChangeSet [${first}] does not exist`, $metadata: { httpStatusCode: 404 } });
});

test.each<{ name: string; input: Partial<CreateChangeSetCommandInput>; message: string }>([
  { name: "CREATE of a stack that is there", input: { ChangeSetType: "CREATE" }, message: "Stack [shop] already exists and cannot be created again with the changeSet [next]." },
  { name: "UPDATE of a stack that is not there", input: { StackName: "other" }, message: "Stack [other] does not exist" },
  { name: "a template that is wrong", input: { TemplateBody: "{}" }, message: "Template format error: At least one Resources member must be defined." },
  { name: "no template", input: { TemplateBody: undefined }, message: "Either Template URL or Template Body must be specified." },
  { name: "a name that no change set can have", input: { ChangeSetName: "1st" }, message: "1 validation error detected: Value '1st' at 'changeSetName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*" },
])("refused: $name", async ({ input, message }) => {
  const simAws = makeWorld();
  await deploy(simAws, { Resources: { Q: queue() } });
  expect(await rejection(createChangeSet(simAws, { Resources: { Q: queue({ DelaySeconds: 1 }) } }, input))).toMatchObject({ name: "ValidationError", message });
  expect((await simAws.cloudFormation().listChangeSets(new ListChangeSetsCommand({ StackName: "shop" }))).Summaries).toEqual([]);
});

test("a change set is asked for by ARN, or by name and stack", async () => {
  const simAws = makeWorld();
  expect(await rejection(simAws.cloudFormation().describeChangeSet(new DescribeChangeSetCommand({ ChangeSetName: "next" })))).toMatchObject({ message: "StackName must be specified if ChangeSetName is not specified as an ARN." });
});
