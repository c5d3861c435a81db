import { PurgeQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSEvent } from "aws-lambda";
import { App } from "aws-cdk-lib";
import { SimAws } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";
import { OrdersStack } from "../lib/orders-stack.js";

// Synthesized once; each test deploys it into an AWS of its own.
const app = new App();
const ordersStack = new OrdersStack(app, "Orders");

let simAws: SimAws;
let stack: SimStack;

// Bundles the consumer, which takes longer than a test.
beforeAll(() => void app.synth(), 60_000);

beforeEach(async () => {
  simAws = new SimAws();
  stack = await simAws.cdk().deployStack(ordersStack);
});

test("an order is shipped", async () => {
  await placeOrder({ orderId: "A-1", sku: "teapot", quantity: 2 });
  await simAws.backgroundTasksComplete();

  expect(await messagesOn("ShipmentsQueueUrl")).toEqual([{ orderId: "A-1", contents: "2 × teapot" }]);
});

test("an order that cannot be shipped does not hold up the others, and lies on the dead-letter queue after three tries", async () => {
  await placeOrder({ orderId: "A-1", sku: "teapot", quantity: 2 });
  await placeOrder({ orderId: "A-2", sku: "teapot", quantity: 0 });
  await simAws.backgroundTasksComplete();
  expect(await messagesOn("ShipmentsQueueUrl")).toEqual([{ orderId: "A-1", contents: "2 × teapot" }]);

  // Tries at 0, 30 and 60 seconds, the queue's visibility timeout apart.
  await simAws.clock().advanceBy({ seconds: 89 });
  expect(await messagesOn("FailedOrdersQueueUrl")).toEqual([]);
  await simAws.clock().advanceBy({ seconds: 1 });
  expect(await messagesOn("FailedOrdersQueueUrl")).toEqual([{ orderId: "A-2", sku: "teapot", quantity: 0 }]);
});

test("the shop may place orders, and no more than that", async () => {
  await expect(shop().send(new PurgeQueueCommand({ QueueUrl: stack.output("OrdersQueueUrl") }))).rejects.toThrow(/is not authorized to perform: sqs:purgequeue/);

  const [denial] = simAws.log().filter({ kind: "call.denied" });
  expect(denial).toMatchObject({ action: "sqs:PurgeQueue", decision: "ImplicitDeny" });
});

test("the logic can be stepped through: a handler in the test in place of the bundle", async () => {
  const seen: string[] = [];
  simAws = new SimAws();
  stack = await simAws.cdk().deployStack(ordersStack, {
    bindings: new Map([[ordersStack.consumer, ({ Records }: SQSEvent) => void seen.push(...Records.map(({ body }) => body))]]),
  });
  await placeOrder({ orderId: "A-1", sku: "teapot", quantity: 2 });
  await simAws.backgroundTasksComplete();

  expect(seen).toEqual([JSON.stringify({ orderId: "A-1", sku: "teapot", quantity: 2 })]);
});

test("what the sandbox left out of the stack is known", () => {
  expect(stack.skippedResources).toEqual([]);
  expect(stack.ignoredProperties.map(({ resourceType, path }) => `${resourceType} ${path}`)).toEqual(["AWS::SQS::Queue SqsManagedSseEnabled", "AWS::Lambda::Function TracingConfig"]);
});

/** The shop's own SDK client: a real one, which reaches the sandbox in process. */
function shop(): SQSClient {
  return new SQSClient(simAws.sdkConfig({ caller: { kind: "arn", arn: stack.output("ShopRoleArn") } }));
}

async function placeOrder(order: object): Promise<void> {
  await shop().send(new SendMessageCommand({ QueueUrl: stack.output("OrdersQueueUrl"), MessageBody: JSON.stringify(order) }));
}

async function messagesOn(output: string): Promise<unknown[]> {
  const { Messages = [] } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: stack.output(output), MaxNumberOfMessages: 10 }));
  return Messages.map(({ Body = "" }) => JSON.parse(Body));
}
