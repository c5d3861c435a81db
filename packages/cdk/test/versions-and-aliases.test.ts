import { GetAliasCommand, InvokeCommand, ListVersionsByFunctionCommand } from "@aws-sdk/client-lambda";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import type { Context, SQSEvent } from "aws-lambda";
import { App, CfnOutput, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Alias, Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { SimAws } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";

// The CDK's own synthesis takes seconds on a busy machine.
jest.setTimeout(60_000);

/** A queue that is consumed by the alias of a function's current version. What consumes tells another queue who it is. */
function shopWith(release: string, removalPolicy?: RemovalPolicy): App {
  const app = new App();
  const stack = new Stack(app, "Shop");
  const orders = new Queue(stack, "Orders");
  const consumer = new LambdaFunction(stack, "Consumer", {
    functionName: "consumer",
    runtime: Runtime.NODEJS_22_X,
    handler: "index.handler",
    code: Code.fromInline(`exports.handler = async ({ Records = [] }, context) => {
      for (const { body } of Records) console.log("${release} of version", context.functionVersion, "took", body);
      return "${release}";
    };`),
    currentVersionOptions: { removalPolicy },
  });
  const live = new Alias(stack, "Live", { aliasName: "live", version: consumer.currentVersion });
  live.addEventSource(new SqsEventSource(orders));
  new CfnOutput(stack, "OrdersUrl", { value: orders.queueUrl });
  new CfnOutput(stack, "LiveArn", { value: live.functionArn });
  new CfnOutput(stack, "VersionArn", { value: consumer.currentVersion.functionArn });
  return app;
}

async function versionsOf(simAws: SimAws): Promise<(string | undefined)[]> {
  const { Versions = [] } = await simAws.lambda().listVersionsByFunction(new ListVersionsByFunctionCommand({ FunctionName: "consumer" }));
  return Versions.map(({ Version }) => Version);
}

async function sendOrder(simAws: SimAws, stack: SimStack, MessageBody: string): Promise<void> {
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: stack.output("OrdersUrl"), MessageBody }));
  await simAws.backgroundTasksComplete();
}

function written(simAws: SimAws): unknown[] {
  return simAws.log().filter({ kind: "lambda.console.written" }).records.map((record) => "text" in record && record.text);
}

test.each([
  { name: "and the old one goes", removalPolicy: undefined, versions: ["$LATEST", "2"] },
  { name: "and the old one stays where it is retained", removalPolicy: RemovalPolicy.RETAIN, versions: ["$LATEST", "1", "2"] },
])("an alias of the current version consumes a queue; new code publishes a version, which the alias moves to, $name", async ({ removalPolicy, versions }) => {
  const simAws = new SimAws();
  const first = await simAws.cdk().deployStack(shopWith("first", removalPolicy));
  expect(first.skippedResources).toEqual([]);
  expect(first.output("LiveArn")).toBe("arn:aws:lambda:us-east-1:888888888888:function:consumer:live");
  expect(first.output("VersionArn")).toBe("arn:aws:lambda:us-east-1:888888888888:function:consumer:1");
  await sendOrder(simAws, first, "A-1");
  // Deployed again as it is, nothing is published.
  await simAws.cdk().deployStack(shopWith("first", removalPolicy));
  expect(await versionsOf(simAws)).toEqual(["$LATEST", "1"]);

  const second = await simAws.cdk().deployStack(shopWith("second", removalPolicy));
  expect(await simAws.lambda().getAlias(new GetAliasCommand({ FunctionName: "consumer", Name: "live" }))).toMatchObject({ FunctionVersion: "2" });
  expect(await versionsOf(simAws)).toEqual(versions);
  await sendOrder(simAws, second, "A-2");
  expect(written(simAws)).toEqual(["first of version 1 took A-1", "second of version 2 took A-2"]);

  await simAws.cloudFormation().deleteStack("Shop");
  expect(second.status).toBe("DELETE_COMPLETE");
});

test("a binding takes the place of a function's code in all its versions, whatever is deployed after", async () => {
  const simAws = new SimAws();
  const bodies: string[] = [];
  const bound = (name: string) => async ({ Records }: SQSEvent, { functionVersion }: Context) => void bodies.push(...Records.map(({ body }) => `${name} ${functionVersion} ${body}`));
  const deploy = (release: string, handler?: (event: SQSEvent, context: Context) => Promise<void>): Promise<SimStack> => simAws.cdk().deployStack(shopWith(release), handler && { bindings: { consumer: handler } });

  await sendOrder(simAws, await deploy("first", bound("a")), "A-1");
  await sendOrder(simAws, await deploy("first", bound("b")), "A-2");
  await sendOrder(simAws, await deploy("second", bound("c")), "A-3");
  expect(bodies).toEqual(["a 1 A-1", "b 1 A-2", "c 2 A-3"]);

  const unbound = await deploy("second");
  const { Payload } = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: unbound.output("LiveArn") }));
  expect(Buffer.from(Payload!).toString()).toBe('"second"');
  await deploy("second", bound("d"));
  await sendOrder(simAws, unbound, "A-4");
  expect(bodies.slice(3)).toEqual(["d 2 A-4"]);
});
