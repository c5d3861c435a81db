import { once } from "node:events";
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient, type Message } from "@aws-sdk/client-sqs";
import { Consumer, type ConsumerOptions } from "sqs-consumer";
import { SimAws } from "sandstack";
import { serveSimAws } from "sandstack/serve";

/** Where a consumer's client finds the sandbox. */
interface Connection {
  readonly client: SQSClient;
  close(): Promise<void>;
}

const connections: Readonly<Record<string, (simAws: SimAws) => Promise<Connection>>> = {
  "in process": async (simAws) => ({ client: new SQSClient(simAws.sdkConfig()), close: async () => {} }),
  "over HTTP": async (simAws) => {
    const server = await serveSimAws({ simAws, port: 0, auth: "strict" });
    const { region, credentials } = simAws.sdkConfig();
    return { client: new SQSClient({ endpoint: server.url, region, credentials }), close: () => server.close() };
  },
};

describe.each(Object.entries(connections))("sqs-consumer %s", (_, connect) => {
  let simAws: SimAws;
  let connection: Connection;
  let orders: string;
  let failedOrders: string;
  let consumer: Consumer;

  beforeEach(async () => {
    simAws = new SimAws();
    connection = await connect(simAws);
    failedOrders = await createQueue("failed-orders");
    const { Attributes } = await connection.client.send(new GetQueueAttributesCommand({ QueueUrl: failedOrders, AttributeNames: ["QueueArn"] }));
    orders = await createQueue("orders", { VisibilityTimeout: "30", RedrivePolicy: JSON.stringify({ deadLetterTargetArn: Attributes?.["QueueArn"], maxReceiveCount: 2 }) });
  });

  afterEach(async () => {
    consumer.stop({ abort: true });
    connection.client.destroy();
    await connection.close();
  });

  async function createQueue(QueueName: string, Attributes?: Record<string, string>): Promise<string> {
    const { QueueUrl } = await connection.client.send(new CreateQueueCommand({ QueueName, Attributes }));
    return QueueUrl ?? "";
  }

  function consume(options: Partial<ConsumerOptions>): Consumer {
    // It waits in real time between its polls: not at all here.
    consumer = Consumer.create({ queueUrl: orders, sqs: connection.client, pollingWaitTimeMs: 0, waitTimeSeconds: 20, ...options });
    // It tells the end of a poll that it was itself told to abort.
    return consumer.on("error", () => {});
  }

  async function bodiesOn(QueueUrl: string): Promise<(string | undefined)[]> {
    const { Messages = [] } = await connection.client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    return Messages.map(({ Body }) => Body);
  }

  test("handles messages while it waits for them, and deletes those it handled", async () => {
    const handled: (string | undefined)[] = [];
    consume({ handleMessage: async (message: Message) => (handled.push(message.Body), message) }).start();
    await once(consumer, "empty");
    await connection.client.send(new SendMessageCommand({ QueueUrl: orders, MessageBody: "a" }));
    await once(consumer, "message_processed");
    await connection.client.send(new SendMessageCommand({ QueueUrl: orders, MessageBody: "b" }));
    await once(consumer, "message_processed");
    await simAws.clock().advanceBy({ seconds: 30 });
    await once(consumer, "empty");
    expect(handled).toEqual(["a", "b"]);
  });

  test("a message that fails comes back when its visibility timeout lapses, and lies on the dead-letter queue after its last try", async () => {
    const tries: (string | undefined)[] = [];
    consume({
      handleMessage: async (message: Message) => {
        tries.push(message.Body);
        if (message.Body === "poison") throw new Error("cannot be shipped");
        return message;
      },
    });
    const failed = once(consumer, "processing_error");
    await connection.client.send(new SendMessageCommand({ QueueUrl: orders, MessageBody: "poison" }));
    await connection.client.send(new SendMessageCommand({ QueueUrl: orders, MessageBody: "good" }));
    consumer.start();
    expect(await failed).toMatchObject([{ message: expect.stringContaining("cannot be shipped") }, { Body: "poison" }, { queueUrl: orders }]);
    await once(consumer, "empty");
    expect(tries).toEqual(["poison", "good"]);
    const failedAgain = once(consumer, "processing_error");
    await simAws.clock().advanceBy({ seconds: 30 });
    await failedAgain;
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await bodiesOn(failedOrders)).toEqual(["poison"]);
    expect(tries).toEqual(["poison", "good", "poison"]);
  });

  test("a consumer that gives a failed message back at once receives it at once", async () => {
    const tries: (string | undefined)[] = [];
    consume({
      terminateVisibilityTimeout: true,
      handleMessage: async (message: Message) => {
        tries.push(message.Body);
        if (tries.length === 1) throw new Error("not yet");
        return message;
      },
    }).on("processing_error", () => {});
    await connection.client.send(new SendMessageCommand({ QueueUrl: orders, MessageBody: "a" }));
    consumer.start();
    await once(consumer, "message_processed");
    expect(tries).toEqual(["a", "a"]);
  });

  test("takes batches, and deletes of a batch what was handled", async () => {
    consume({ batchSize: 10, handleMessageBatch: async (messages: Message[]) => messages.filter(({ Body }) => Body !== "b") });
    await connection.client.send(new SendMessageBatchCommand({ QueueUrl: orders, Entries: ["a", "b", "c"].map((body) => ({ Id: body, MessageBody: body })) }));
    const received: Message[] = [];
    consumer.on("message_received", (message) => received.push(message)).start();
    await once(consumer, "response_processed");
    expect(received).toHaveLength(3);
    consumer.stop();
    await simAws.clock().advanceBy({ seconds: 30 });
    expect(await bodiesOn(orders)).toEqual(["b"]);
  });

  test("stopped in the midst of a long poll, it takes no message with it", async () => {
    consume({ handleMessage: async () => {} }).start();
    await once(consumer, "empty");
    consumer.stop({ abort: true });
    await connection.client.send(new SendMessageCommand({ QueueUrl: orders, MessageBody: "a" }));
    expect(await bodiesOn(orders)).toEqual(["a"]);
  });

  test("a queue that does not exist is told as an error of the consumer's own", async () => {
    consume({ queueUrl: `${orders}-gone`, handleMessage: async () => {} });
    const failed = once(consumer, "error");
    consumer.start();
    expect((await failed)[0]).toMatchObject({ name: "SQSError", code: "QueueDoesNotExist", statusCode: 400 });
  });
});
