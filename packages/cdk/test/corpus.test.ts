// Real assemblies as the CDK's command line leaves them. The corpus lies beside the repository; without it there is nothing to run.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { GetEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { GetQueueAttributesCommand, PurgeQueueCommand, ReceiveMessageCommand, SendMessageCommand, type SendMessageCommandInput } from "@aws-sdk/client-sqs";
import { SimAws, type Caller } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";

const corpus = fileURLToPath(new URL("../../../../shared/corpus/cdk", import.meta.url));
const describeCorpus = existsSync(corpus) ? describe : describe.skip;
const assemblyOf = (name: string): string => `${corpus}/${name}/cdk.out`;

describeCorpus("01-queue-dlq", () => {
  let simAws: SimAws;
  let stack: SimStack;
  beforeEach(async () => {
    simAws = new SimAws();
    stack = await simAws.cdk().deployStack(assemblyOf("01-queue-dlq"));
  });

  test("five queues with their attributes, and the KMS key is stood in for", async () => {
    expect(stack.status).toBe("CREATE_COMPLETE");
    expect(countByType(stack)).toMatchObject({ "AWS::SQS::Queue": 5 });
    expect(stack.skippedResources.map(({ type }) => type)).toEqual(["AWS::KMS::Key"]);
    expect(new Set(stack.outputs.keys())).toEqual(new Set(["QueueUrl", "QueueArn", "QueueName", "DlqArn", "NamedUrl", "SealedArn"]));
    expect(stack.output("NamedUrl")).toMatch(/\/orders-named$/);
    expect(stack.exports.get("orders-queue-arn")).toBe(stack.output("QueueArn"));
    expect(await attributesOf(simAws, stack.output("QueueUrl"))).toMatchObject({
      DelaySeconds: "2",
      MaximumMessageSize: "65536",
      MessageRetentionPeriod: "172800",
      ReceiveMessageWaitTimeSeconds: "10",
      VisibilityTimeout: "45",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: stack.output("DlqArn"), maxReceiveCount: 3 }),
    });
  });

  test("on deletion the queue with the policy Retain stays", async () => {
    const { physicalId: retained = "" } = stack.getResource("QueueDlq/Cmk");
    await simAws.cloudFormation().deleteStack({ stackName: stack.stackName });
    await simAws.backgroundTasksComplete();
    expect(stack.status).toBe("DELETE_COMPLETE");
    expect(stack.getResource("QueueDlq/Cmk").status).toBe("DELETE_SKIPPED");
    expect(await attributesOf(simAws, retained)).toBeDefined();
    await expect(attributesOf(simAws, stack.output("QueueUrl"))).rejects.toMatchObject({ name: "QueueDoesNotExist" });
  });
});

describeCorpus("02-queue-lambda", () => {
  let simAws: SimAws;
  let stack: SimStack;
  beforeEach(async () => {
    simAws = new SimAws();
    stack = await simAws.cdk().deployStack(assemblyOf("02-queue-lambda"));
  });

  test("queues, functions and mappings, one of them disabled", async () => {
    expect(countByType(stack)).toMatchObject({ "AWS::SQS::Queue": 5, "AWS::Lambda::Function": 4, "AWS::Lambda::EventSourceMapping": 4 });
    const mappings = await Promise.all(
      [...stack.resources].filter(({ type }) => type === "AWS::Lambda::EventSourceMapping").map(({ physicalId }) => simAws.lambda().getEventSourceMapping(new GetEventSourceMappingCommand({ UUID: physicalId }))),
    );
    expect(mappings.map(({ State }) => State).sort()).toEqual(["Disabled", "Enabled", "Enabled", "Enabled"]);
  });

  test("a message that the function reports as failed is tried again alone", async () => {
    const QueueUrl = stack.output("DirQueueUrl");
    const { MessageId } = await send(simAws, { QueueUrl, MessageBody: "will fail" });
    await send(simAws, { QueueUrl, MessageBody: "fine" });
    await simAws.clock().advanceBy({ seconds: 61 });
    const batches = invocationsOf(simAws, stack.output("DirFunctionArn"));
    expect(batches.map((messageIds) => messageIds.length)).toEqual([2, 1]);
    expect(batches[1]).toEqual([MessageId]);
  });

  test("what the filters want reaches the bundled function, when its batching window is over", async () => {
    const QueueUrl = stack.output("BundledQueueUrl");
    const order = JSON.stringify({ kind: "order", amount: 11 });
    await send(simAws, { QueueUrl, MessageBody: order });
    await send(simAws, { QueueUrl, MessageBody: "urgent", MessageAttributes: { priority: { DataType: "String", StringValue: "high" } } });
    await simAws.clock().advanceBy({ seconds: 19 });
    expect(await seenIn(simAws, stack.output("ResultsUrl"))).toEqual(new Set());
    await simAws.clock().advanceBy({ seconds: 1 });
    expect(await seenIn(simAws, stack.output("ResultsUrl"))).toEqual(new Set([order, "urgent"]));
  });
});

describeCorpus("03-grants", () => {
  test("who was granted what may do it, and nothing else", async () => {
    const simAws = new SimAws();
    const stack = await simAws.cdk().deployStack(assemblyOf("03-grants"));
    expect(countByType(stack)).toMatchObject({ "AWS::SQS::QueuePolicy": 2 });

    const QueueUrl = stack.output("QueueUrl");
    const user = `arn:aws:iam::${simAws.defaultAccountId}:user/${stack.output("UserName")}`;
    const attempts: { who: string; action: "send" | "receive" | "purge"; isAllowed: boolean }[] = [
      { who: stack.output("SenderArn"), action: "send", isAllowed: true },
      { who: stack.output("SenderArn"), action: "receive", isAllowed: false },
      { who: stack.output("ConsumerArn"), action: "receive", isAllowed: true },
      { who: stack.output("ConsumerArn"), action: "send", isAllowed: false },
      { who: stack.output("OpsArn"), action: "send", isAllowed: false },
      { who: "arn:aws:iam::222222222222:root", action: "receive", isAllowed: true },
      { who: "arn:aws:iam::222222222222:root", action: "purge", isAllowed: false },
      { who: "arn:aws:iam::444444444444:root", action: "send", isAllowed: false },
      { who: user, action: "send", isAllowed: false },
      { who: user, action: "purge", isAllowed: true },
    ];
    for (const { who, action, isAllowed } of attempts) {
      expect({ who, action, isAllowed: await isLetThrough(simAws, QueueUrl, action, { kind: "arn", arn: who }) }).toEqual({ who, action, isAllowed });
    }
  });
});

async function isLetThrough(simAws: SimAws, QueueUrl: string, action: "send" | "receive" | "purge", caller: Caller): Promise<boolean> {
  const call = {
    send: () => simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "A-1" }), { caller }),
    receive: () => simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl }), { caller }),
    purge: () => simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl }), { caller }),
  }[action];
  try {
    await call();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ message: expect.stringContaining("is not authorized to perform: sqs:") });
    return false;
  }
}

async function seenIn(simAws: SimAws, QueueUrl: string): Promise<Set<string>> {
  const { Messages = [] } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  return new Set(Messages.map(({ Body = "" }) => JSON.parse(Body).seen));
}

async function send(simAws: SimAws, input: SendMessageCommandInput): Promise<{ MessageId?: string | undefined }> {
  return simAws.sqs().sendMessage(new SendMessageCommand(input));
}

async function attributesOf(simAws: SimAws, QueueUrl: string): Promise<Record<string, string> | undefined> {
  return (await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }))).Attributes;
}

function invocationsOf(simAws: SimAws, functionArn: string): (readonly string[])[] {
  return simAws.log().filter({ function: functionArn, kind: "lambda.invocation.started" }).records.map(({ messageIds = [] }) => messageIds);
}

function countByType(stack: SimStack): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, deployed } of stack.resources) if (deployed) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
