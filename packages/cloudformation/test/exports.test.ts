import { DeleteStackCommand, ListExportsCommand, ListImportsCommand } from "@aws-sdk/client-cloudformation";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import type { SimAws } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";
import { deploy, eventLines, makeWorld, queueNames, rejection } from "./setup.js";

const producer = (others: object = {}, value: object = { "Fn::GetAtt": ["Q", "Arn"] }): object => ({
  Resources: { Q: { Type: "AWS::SQS::Queue", Properties: { QueueName: "shared" } }, ...others },
  Outputs: { Arn: { Value: value, Export: { Name: { "Fn::Sub": "${AWS::StackName}-arn" } } } },
});
const withoutOutput = { Resources: { Q: { Type: "AWS::SQS::Queue", Properties: { QueueName: "shared" } } } };
const consumer = { Resources: { W: { Type: "AWS::SQS::Queue", Properties: { RedrivePolicy: { deadLetterTargetArn: { "Fn::ImportValue": { "Fn::Join": ["-", ["prod", "arn"]] } }, maxReceiveCount: 1 } } } }, Outputs: { Url: { Value: { Ref: "W" } } } };

test("an export can be read by other stacks, and is held while they do", async () => {
  const simAws = makeWorld();
  const prod = await deploy(simAws, producer(), { stackName: "prod" });
  const cons = await deploy(simAws, consumer, { stackName: "cons" });
  const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl: cons.output("Url"), AttributeNames: ["RedrivePolicy"] }));
  expect(JSON.parse(Attributes?.RedrivePolicy ?? "")).toMatchObject({ deadLetterTargetArn: prod.output("Arn") });
  expect((await simAws.cloudFormation().listExports(new ListExportsCommand({}))).Exports).toEqual([{ ExportingStackId: prod.stackId, Name: "prod-arn", Value: prod.output("Arn") }]);
  expect((await simAws.cloudFormation().listImports(new ListImportsCommand({ ExportName: "prod-arn" }))).Imports).toEqual(["cons"]);

  for (const { template, verb } of [
    { template: withoutOutput, verb: "deleted" },
    { template: producer({}, { Ref: "Q" }), verb: "updated" },
  ]) {
    const stack = await simAws.cloudFormation().updateTemplate({ stackName: "prod", template });
    expect((await rejection(stack.waitForDeployComplete())).message).toContain(`Export prod-arn cannot be ${verb} as it is in use by cons`);
    expect(prod.status).toBe("UPDATE_ROLLBACK_COMPLETE");
    expect(eventLines(prod)).toContain(`shop UPDATE_ROLLBACK_IN_PROGRESS Export prod-arn cannot be ${verb} as it is in use by cons.`.replace("shop", "prod"));
    expect(prod.exports).toEqual({ "prod-arn": prod.output("Arn") });
  }
  expect(await rejection(simAws.cloudFormation().deleteStack({ stackName: "prod" }))).toMatchObject({ name: "ValidationError", message: "Export prod-arn cannot be deleted as it is in use by cons" });
  expect(await queueNames(simAws)).toContain("shared");

  await simAws.cloudFormation().deleteStack({ stackName: "cons" });
  expect(await rejection(simAws.cloudFormation().listImports(new ListImportsCommand({ ExportName: "prod-arn" })))).toMatchObject({ message: "Export 'prod-arn' is not imported by any stack." });
  await simAws.cloudFormation().deleteStack({ stackName: "prod" });
  expect((await simAws.cloudFormation().listExports(new ListExportsCommand({}))).Exports).toEqual([]);
});

test("a stack may change beside an export that is in use", async () => {
  const simAws = makeWorld();
  await deploy(simAws, producer(), { stackName: "prod" });
  await deploy(simAws, consumer, { stackName: "cons" });
  const stack = await simAws.cloudFormation().updateTemplate({ stackName: "prod", template: producer({ Other: { Type: "AWS::SQS::Queue" } }) });
  await stack.waitForDeployComplete();
  expect(stack.status).toBe("UPDATE_COMPLETE");
});

test("an export's name is one stack's, in one account and region", async () => {
  const simAws = makeWorld();
  const named = { Resources: { Q: { Type: "AWS::SQS::Queue" } }, Outputs: { Arn: { Value: { "Fn::GetAtt": ["Q", "Arn"] }, Export: { Name: "shared" } } } };
  await deploy(simAws, named, { stackName: "one" });
  const two = await simAws.cloudFormation().deployTemplate({ stackName: "two", template: named });
  expect((await rejection(two.waitForDeployComplete())).message).toContain("Export with name shared is already exported by stack one.");
  expect(two.status).toBe("ROLLBACK_COMPLETE");
  expect(eventLines(two)).toContain("two ROLLBACK_IN_PROGRESS Export with name shared is already exported by stack one. Rollback requested by user.");
  expect((await queueNames(simAws)).length).toBe(1);

  const elsewhere = await simAws.region("eu-west-1").cloudFormation().deployTemplate({ stackName: "two", template: named });
  await elsewhere.waitForDeployComplete();
  expect(elsewhere.status).toBe("CREATE_COMPLETE");
});

test("an export cannot be given twice by one stack", async () => {
  const simAws = makeWorld();
  const output = { Value: "v", Export: { Name: "twice" } };
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "one", template: { Resources: { Q: { Type: "AWS::SQS::Queue" } }, Outputs: { A: output, B: output } } });
  expect((await rejection(stack.waitForDeployComplete())).message).toContain("Export with name twice is already exported by stack one.");
  expect(stack.status).toBe("ROLLBACK_COMPLETE");
  expect((await simAws.cloudFormation().listExports(new ListExportsCommand({}))).Exports).toEqual([]);
  expect(await queueNames(simAws)).toEqual([]);
});

describe("while a stack that reads an export is being made", () => {
  async function makeBoth(): Promise<{ simAws: SimAws; prod: SimStack; cons: SimStack }> {
    const simAws = makeWorld();
    const prod = await deploy(simAws, producer(), { stackName: "prod" });
    return { simAws, prod, cons: await simAws.cloudFormation().deployTemplate({ stackName: "cons", template: consumer }) };
  }

  test("the stack that has it is not deleted", async () => {
    const { simAws, prod, cons } = await makeBoth();
    expect(await rejection(simAws.cloudFormation().deleteStack({ stackName: "prod" }))).toMatchObject({ name: "ValidationError", message: "Export prod-arn cannot be deleted as it is in use by cons" });
    await cons.waitForDeployComplete();
    expect([prod.status, cons.status]).toEqual(["CREATE_COMPLETE", "CREATE_COMPLETE"]);
    expect(await queueNames(simAws)).toContain("shared");
  });

  test("it keeps its value", async () => {
    const { simAws, prod, cons } = await makeBoth();
    await simAws.cloudFormation().updateTemplate({ stackName: "prod", template: producer({}, { Ref: "Q" }) });
    await simAws.backgroundTasksComplete();
    expect([prod.status, cons.status]).toEqual(["UPDATE_ROLLBACK_COMPLETE", "CREATE_COMPLETE"]);
    expect(prod.exports["prod-arn"]).toMatch(/^arn:/);
  });
});

test("a deletion that had to wait for an update fails when another stack has come to read an export", async () => {
  const simAws = makeWorld();
  const prod = await deploy(simAws, producer(), { stackName: "prod" });
  await simAws.cloudFormation().updateTemplate({ stackName: "prod", template: producer({ Other: { Type: "AWS::SQS::Queue" } }) });
  await simAws.cloudFormation().deleteStack(new DeleteStackCommand({ StackName: "prod" }));
  await simAws.cloudFormation().deployTemplate({ stackName: "cons", template: consumer });
  await simAws.backgroundTasksComplete();
  expect([prod.status, simAws.cloudFormation().findStack("cons")?.status]).toEqual(["DELETE_FAILED", "CREATE_COMPLETE"]);
  expect(eventLines(prod).slice(-3)).toEqual(["prod UPDATE_COMPLETE", "prod DELETE_IN_PROGRESS User Initiated", "prod DELETE_FAILED Export prod-arn cannot be deleted as it is in use by cons"]);
  await simAws.cloudFormation().deleteStack({ stackName: "cons" });
  await simAws.cloudFormation().deleteStack({ stackName: "prod" });
  expect(prod.status).toBe("DELETE_COMPLETE");
});
