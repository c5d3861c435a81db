import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { figure, type Benchmark } from "../figure.js";
import { interleaved, repeated } from "../measure.js";
import { nullSqsClient } from "../null-sdk.js";

const ROUNDS = 41;
const CALLS_PER_ROUND = 100;
const BODY = "x".repeat(1024);

/** A real SDK client's send, receive and delete, answered in process, against the same calls answered with constants. */
export const inProcessSdk: Benchmark = {
  name: "in-process-sdk",
  async run() {
    const client = new SQSClient(new SimAws().sdkConfig());
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: "orders" }));
    const works = {
      sandbox: repeated(CALLS_PER_ROUND, roundOf(client, QueueUrl ?? "")),
      constants: repeated(CALLS_PER_ROUND, roundOf(nullSqsClient(BODY), QueueUrl ?? "")),
    };
    await interleaved(20, works);
    const timesMs = await interleaved(ROUNDS, works);
    return [figure("in-process-sdk.send-receive-delete", (timesMs.sandbox / CALLS_PER_ROUND) * 1000, "µs", { ratioTo: "an SDK client answered with constants", ratio: timesMs.sandbox / timesMs.constants, target: 1.3 })];
  },
};

function roundOf(client: SQSClient, QueueUrl: string): () => Promise<void> {
  return async () => {
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: BODY }));
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle }));
  };
}
