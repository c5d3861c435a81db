const { CreateQueueCommand, QueueDoesNotExist, ReceiveMessageCommand, SendMessageCommand } = require("@aws-sdk/client-sqs");
const { SimAws } = require("sandstack");
const { SimSqsQueueDoesNotExist } = require("sandstack/sqs");
const template = require("../orders.template.json");

test("a message goes through a queue", async () => {
  const simAws = new SimAws();
  const { QueueUrl } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "orders" }));
  const { MessageId } = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "one" }));
  const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl }));
  expect(Messages).toEqual([expect.objectContaining({ MessageId, Body: "one" })]);
});

test("an error is an instance of the SDK's class, which the subpath exports too", async () => {
  const simAws = new SimAws();
  const refused = simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: "https://sqs.us-east-1.amazonaws.com/888888888888/none", MessageBody: "one" }));
  const error = await refused.catch((caught) => caught);
  expect(error).toBeInstanceOf(QueueDoesNotExist);
  expect(error).toBeInstanceOf(SimSqsQueueDoesNotExist);
});

test("a stack's consumer ships what comes in", async () => {
  const simAws = new SimAws();
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "orders", template });
  await stack.waitForDeployComplete();
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl: stack.output("OrdersQueueUrl"), MessageBody: "one" }));
  await simAws.backgroundTasksComplete();
  const { Messages } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl: stack.output("ShipmentsQueueUrl") }));
  expect(Messages).toEqual([expect.objectContaining({ Body: "shipped: one" })]);
});
