import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSBatchItemFailure, SQSHandler, SQSRecord } from "aws-lambda";

interface Order {
  readonly orderId: string;
  readonly sku: string;
  readonly quantity: number;
}

const sqs = new SQSClient();

/**
 * Ships each order of the batch; answers those that failed, so that only they come back.
 * A batch that failed as a whole is an error, so that it counts in the function's error metric.
 */
export const handler: SQSHandler = async ({ Records }) => {
  const batchItemFailures: SQSBatchItemFailure[] = [];
  for (const record of Records) {
    try {
      await ship(readOrder(record));
    } catch (error) {
      console.error(`message ${record.messageId} failed:`, error);
      batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  }
  if (batchItemFailures.length === Records.length) throw new Error(`none of ${Records.length} orders could be shipped`);
  return { batchItemFailures };
};

function readOrder({ body }: SQSRecord): Order {
  const order: Order = JSON.parse(body);
  if (!(order.quantity > 0)) throw new Error(`order ${order.orderId} asks for ${order.quantity} of ${order.sku}`);
  return order;
}

async function ship({ orderId, sku, quantity }: Order): Promise<void> {
  const shipment = { orderId, contents: `${quantity} × ${sku}` };
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env.SHIPMENTS_QUEUE_URL, MessageBody: JSON.stringify(shipment) }));
}
