// Without any optional peer: the world works, errors have AWS's names, and what needs a peer says what to install.
import assert from "node:assert/strict";
import { SimAws } from "sandstack";

const simAws = new SimAws();
const { QueueUrl } = await simAws.sqs().createQueue({ input: { QueueName: "orders" } });
await simAws.sqs().sendMessage({ input: { QueueUrl, MessageBody: "one" } });
const { Messages } = await simAws.sqs().receiveMessage({ input: { QueueUrl } });
assert.deepEqual(
  Messages.map(({ Body }) => Body),
  ["one"],
);
await assert.rejects(simAws.sqs().getQueueUrl({ input: { QueueName: "none" } }), { name: "QueueDoesNotExist" });
console.log(`ok on Node ${process.version}`);
