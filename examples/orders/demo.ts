// The main job from end to end, told on the terminal: npm run demo
import { PurgeQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { App } from "aws-cdk-lib";
import { SimAws } from "sandstack";
import { Story, heading, line, reportTimes, took } from "./demo-story.js";
import { OrdersStack } from "./lib/orders-stack.js";

// On Node 20 the SDK tells about its later releases, which is nothing to the demo.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true";

const ORDERS = [
  { orderId: "A-1", sku: "teapot", quantity: 2 },
  { orderId: "A-2", sku: "saucer", quantity: 6 },
  { orderId: "A-3", sku: "teapot", quantity: 0 },
  { orderId: "A-4", sku: "kettle", quantity: 1 },
];

heading("The CDK app is synthesized, and deployed into a sealed AWS in this process");
// The CDK's own check of the templates is left to `cdk synth`.
const app = new App({ builtinCloudFormationValidation: false });
const ordersStack = await took("the CDK's synthesis, with the bundling of the consumer", () => {
  const synthesized = new OrdersStack(app, "Orders");
  app.synth();
  return synthesized;
});
const simAws = new SimAws({ startTime: new Date("2026-01-01T09:00:00Z") });
const stack = await took("deployment", () => simAws.cdk().deployStack(ordersStack));
const story = new Story(stack);
line(`The stack ${stack.stackName} is ${stack.status}: ${stack.resources.length} resources in account ${simAws.defaultAccountId}, ${simAws.defaultRegionName}.`);

heading("The shop places four orders. A-3 is poison: nobody ships zero teapots");
// A real SDK client, as the shop has one; it reaches the sandbox in process, with the shop's role.
const shop = new SQSClient(simAws.sdkConfig({ caller: { kind: "arn", arn: stack.output("ShopRoleArn") } }));
await took("four orders sent and consumed", async () => {
  for (const order of ORDERS) {
    const { MessageId } = await shop.send(new SendMessageCommand({ QueueUrl: stack.output("OrdersQueueUrl"), MessageBody: JSON.stringify(order) }));
    story.introduce(MessageId, order.orderId);
  }
  await simAws.backgroundTasksComplete();
});
await took("two minutes of the sandbox's time", () => simAws.clock().advanceBy({ minutes: 2 }));
const { Messages: shipments = [] } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: stack.output("ShipmentsQueueUrl"), MaxNumberOfMessages: 10 }));
for (const { MessageId, Body = "" } of shipments) story.introduce(MessageId, `the shipment of ${JSON.parse(Body).orderId}`);
story.tell(simAws.log());

heading("The shop tries to purge the queue of orders");
await shop.send(new PurgeQueueCommand({ QueueUrl: stack.output("OrdersQueueUrl") })).then(
  () => line("It was let through, which is wrong."),
  (error: Error) => line(`${error.name}: ${error.message}`),
);
for (const { explanation } of simAws.log().filter({ kind: "call.denied" })) line(explanation);

heading("The stack was deployed without these properties, which have no effect here (stack.ignoredProperties)");
for (const { logicalId, resourceType, path, reason } of stack.ignoredProperties) line(`${path} of ${resourceType} ${logicalId}: ${reason}`);

heading("How long it took, in real time");
reportTimes();
