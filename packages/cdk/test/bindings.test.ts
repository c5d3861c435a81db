import { SendMessageCommand } from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import { App, CfnOutput, Stack } from "aws-cdk-lib";
import { Code, Function as LambdaFunction, Runtime, type CfnFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { SimAws } from "sandstack";
import type { Bindings } from "sandstack/cdk";

// The CDK's own synthesis takes seconds on a busy machine.
jest.setTimeout(60_000);

/** Two functions, each behind a queue. */
class Shop extends Stack {
  readonly consumer: LambdaFunction;

  constructor(scope: App, id: string) {
    super(scope, id);
    this.consumer = this.consume("Consumer", "orders-consumer");
    this.consume("Auditor", undefined);
  }

  private consume(name: string, functionName: string | undefined): LambdaFunction {
    const queue = new Queue(this, `${name}Queue`);
    const consumer = new LambdaFunction(new Construct(this, "Back" + name), name, {
      functionName,
      runtime: Runtime.NODEJS_22_X,
      handler: "index.handler",
      code: Code.fromInline("exports.handler = async () => { throw new Error('the deployed code ran'); };"),
    });
    consumer.addEventSource(new SqsEventSource(queue));
    new CfnOutput(this, `${name}QueueUrl`, { value: queue.queueUrl });
    return consumer;
  }
}

const app = new App();
const shop = new Shop(app, "Shop");
const logicalId = shop.getLogicalId(shop.consumer.node.defaultChild as CfnFunction); // an L2 function's default child is its resource

type Handler = (event: SQSEvent) => Promise<void>;

test.each<{ address: string; bindings: (handler: Handler) => Record<string, Handler> | Iterable<readonly [string | Construct, Handler]> }>([
  { address: "logical id", bindings: (handler) => ({ [logicalId]: handler }) },
  { address: "construct path", bindings: (handler) => ({ "Shop/BackConsumer/Consumer": handler }) },
  { address: "construct path of the resource", bindings: (handler) => ({ "Shop/BackConsumer/Consumer/Resource": handler }) },
  { address: "construct path within the stack", bindings: (handler) => ({ "BackConsumer/Consumer": handler }) },
  { address: "function name", bindings: (handler) => ({ "orders-consumer": handler }) },
  { address: "the construct, in a Map", bindings: (handler) => new Map([[shop.consumer, handler]]) },
  { address: "the construct, in pairs", bindings: (handler) => [[shop.consumer, handler]] },
  { address: "the construct of the resource", bindings: (handler) => new Map([[shop.consumer.node.findChild("Resource"), handler]]) },
  { address: "text in a Map", bindings: (handler) => new Map([["orders-consumer", handler]]) },
])("a handler takes a function's place: addressed by $address", async ({ bindings }) => {
  const simAws = new SimAws();
  const bodies: string[] = [];
  const stack = await simAws.cdk().deployStack(app, { bindings: bindings(async ({ Records }) => void bodies.push(...Records.map(({ body }) => body))) });
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: stack.output("ConsumerQueueUrl"), MessageBody: "A-1" }));
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: stack.output("AuditorQueueUrl"), MessageBody: "A-2" }));
  await simAws.backgroundTasksComplete();

  expect(bodies).toEqual(["A-1"]);
  expect(simAws.log().filter({ kind: "lambda.invocation.failed" }).records).toMatchObject([{ errorMessage: "the deployed code ran" }]);
});

const there = `Shop/BackConsumer/Consumer (${logicalId}), Shop/BackAuditor/Auditor (BackAuditor`;

test.each<{ name: string; bindings: Map<string | Construct, () => void>; message: string }>([
  { name: "a name that no function has", bindings: new Map([["orders-consumr", () => {}]]), message: `The binding of "orders-consumr" fits no function of the stacks that are deployed. The functions there are: ${there}` },
  { name: "a resource that is no function", bindings: new Map([["Shop/ConsumerQueue", () => {}]]), message: `The binding of "Shop/ConsumerQueue" fits no function` },
  { name: "a construct of another app", bindings: new Map([[new Shop(new App(), "Other").consumer, () => {}]]), message: "The binding of the construct Other/BackConsumer/Consumer fits no function" },
])("a binding that fits no function is refused before anything is deployed: $name", async ({ bindings, message }) => {
  const simAws = new SimAws();
  await expect(simAws.cdk().deploy(app, { bindings })).rejects.toMatchObject({ name: "SimBindingNotFound", message: expect.stringContaining(message) });
  expect(simAws.log().records).toEqual([]);
});

test.each<{ name: string; bindings: any; message: string }>([
  { name: "an import that came to nothing", bindings: { "orders-consumer": undefined }, message: 'The binding of "orders-consumer" is a function, called with the event and the context; it was given as undefined.' },
  { name: "a handler's name", bindings: { "orders-consumer": "index.handler" }, message: "it was given as 'index.handler'." },
  { name: "the module in place of its handler, for a construct", bindings: new Map([[shop.consumer, { handler: null }]]), message: "The binding of the construct Shop/BackConsumer/Consumer is a function, called with the event and the context; it was given as { handler: null }." },
  { name: "no bindings at all", bindings: "orders-consumer", message: "bindings is an object, a Map or a list of pairs, of handlers by function; it was given as 'orders-consumer'." },
])("a binding of no function is refused before anything is deployed: $name", async ({ bindings, message }) => {
  const simAws = new SimAws();
  await expect(simAws.cdk().deploy(app, { bindings })).rejects.toMatchObject({ name: "SimInvalidOption", message: expect.stringContaining(message) });
  expect(simAws.log().records).toEqual([]);
});

test("bindings can be typed without saying what handlers are", async () => {
  const bindings: Bindings = { "orders-consumer": async ({ Records }: SQSEvent) => void Records.length };
  await expect(new SimAws().cdk().deployStack(app, { bindings })).resolves.toMatchObject({ status: "CREATE_COMPLETE" });
});

test("an address that fits functions of two stacks is refused, naming both", async () => {
  const two = new App();
  for (const id of ["Blue", "Green"]) {
    new LambdaFunction(new Stack(two, id), "Consumer", { runtime: Runtime.NODEJS_22_X, handler: "index.handler", code: Code.fromInline("exports.handler = async () => {};") });
  }
  await expect(new SimAws().cdk().deploy(two, { bindings: { Consumer: () => {} } })).rejects.toMatchObject({
    name: "SimBindingNotFound",
    message: expect.stringMatching(/"Consumer" fits 2 functions; say which by construct path.*Blue\/Consumer \(Consumer\w+\), Green\/Consumer/),
  });
});
