// Plain Node, and a CommonJS copy of the package beside it: worlds and errors of either are recognised by the other.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { CreateQueueCommand, QueueDoesNotExist, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { SimSqsQueueDoesNotExist } from "sandstack/sqs";

const require = createRequire(import.meta.url);

const template = readFileSync(new URL("../orders.template.json", import.meta.url), "utf8");

for (const World of [SimAws, require("sandstack").SimAws]) {
  const simAws = new World();
  const { QueueUrl } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "orders" }));
  const { MessageId } = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "one" }));
  const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl }));
  assert.deepEqual(
    Messages.map((message) => [message.MessageId, message.Body]),
    [[MessageId, "one"]],
  );
  const refused = simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: `${QueueUrl}-none`, MessageBody: "one" }));
  await assert.rejects(refused, (error) => error instanceof QueueDoesNotExist && error instanceof SimSqsQueueDoesNotExist);

  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "orders", template });
  await stack.waitForDeployComplete();
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: stack.output("OrdersQueueUrl"), MessageBody: "one" }));
  await simAws.backgroundTasksComplete();
  const shipments = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: stack.output("ShipmentsQueueUrl") }));
  assert.equal(shipments.Messages?.[0]?.Body, "shipped: one");
}

// Every subpath loads, as a module and as CommonJS, with the same names.
const { exports } = require("sandstack/package.json");
for (const subpath of Object.keys(exports)) {
  if (subpath.endsWith(".json")) continue;
  const specifier = subpath.replace(".", "sandstack");
  const names = Object.keys(await import(specifier)).filter((name) => !["default", "module.exports"].includes(name));
  assert.deepEqual(names.sort(), Object.keys(require(specifier)).sort(), specifier);
}
console.log(`ok on Node ${process.version}`);
