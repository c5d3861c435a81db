// The main job from end to end, told on the terminal: npm run demo
import { PurgeQueueCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { App } from "aws-cdk-lib";
import { SimAws, type Caller } from "sandstack";
import { heading, line, story, took } from "./demo-text.js";
import { OrdersStack } from "./lib/orders-stack.js";

const ORDERS = [
  { orderId: "A-1", sku: "teapot", quantity: 2 },
  { orderId: "A-2", sku: "saucer", quantity: 6 },
  { orderId: "A-3", sku: "teapot", quantity: 0 },
  { orderId: "A-4", sku: "kettle", quantity: 1 },
];

heading("1. Synthesize the CDK app and deploy it into a sealed AWS");
// The CDK's own check of the templates is left to `cdk synth`.
const app = new App({ builtinCloudFormationValidation: false });
const ordersStack = new OrdersStack(app, "Orders");
const assembly = await took("synthesis by the CDK, esbuild included", () => app.synth());
const simAws = new SimAws({ startTime: new Date("2026-01-01T09:00:00Z") });
const { Orders: stack } = await took("deployment", () => simAws.cdk().deploy<"Orders">(assembly));
line(`Stack ${ordersStack.stackName} is ${stack.status}: ${stack.resources.length} resources, account ${simAws.defaultAccountId}, ${simAws.defaultRegionName}.`);

heading("2. The shop places four orders; A-3 is poison: nobody ships zero teapots");
const shop: Caller = { kind: "arn", arn: stack.output("ShopRoleArn") };
const ordersQueueUrl = stack.output("OrdersQueueUrl");
const orderIds = new Map<string, string>();
await took("four sends, one batch consumed", async () => {
  for (const order of ORDERS) {
    const { MessageId } = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: ordersQueueUrl, MessageBody: JSON.stringify(order) }), { caller: shop });
    if (MessageId !== undefined) orderIds.set(MessageId, order.orderId);
  }
  await simAws.backgroundTasksComplete();
});
await took("two minutes on the sandbox's clock", () => simAws.clock().advanceBy({ minutes: 2 }));

heading("3. What happened, by the sandbox's clock");
story(simAws.log(), stack, orderIds);

heading("4. The life of A-3, as simAws.log() tells it");
const [poison] = [...orderIds].filter(([, orderId]) => orderId === "A-3").map(([messageId]) => messageId);
line(String(simAws.log().filter({ message: poison })));

heading("5. The shop tries to purge the queue");
await simAws.sqs().purgeQueue(new PurgeQueueCommand({ QueueUrl: ordersQueueUrl }), { caller: shop }).then(
  () => line("It was let through, which is wrong."),
  (error: Error) => line(`${error.name}: ${error.message}`),
);
for (const { explanation } of simAws.log().filter({ kind: "call.denied" })) line(`Why: ${explanation}`);

heading("6. What the sandbox left out of the stack");
for (const { logicalId, resourceType, path, reason } of stack.ignoredProperties) line(`${resourceType} ${logicalId}, ${path}: ${reason}`);

heading("7. How long it took");
took.report();
