import type { SendMessageBatchCommandInput, SendMessageBatchResultEntry } from "@aws-sdk/client-sqs";
import { operation } from "@sandstack/core";
import { checkBatch, runBatch, type BatchOutput } from "../batch.js";
import { sqsError } from "../errors.js";
import { MESSAGE_MAX_BYTES } from "../limits.js";
import { onQueue, queueOf } from "../queue.js";
import { bytesOf, checkFifoIds, messagesSent, sendMessage } from "../send.js";
import type { SqsState } from "../state.js";

/**
 * Sends up to 10 messages. Authorized as SendMessage.
 *
 * @throws BatchRequestTooLong when all messages together exceed 1 MiB, and what fails any batch as a whole; nothing is stored
 */
export const sendMessageBatch = operation<SqsState, SendMessageBatchCommandInput, BatchOutput<SendMessageBatchResultEntry>>({
  name: "SendMessageBatch",
  authorize: onQueue("sqs:SendMessage"),
  run(ctx, { QueueUrl, Entries }) {
    const queue = queueOf(ctx, QueueUrl);
    const entries = checkBatch(Entries, "SendMessageBatchRequestEntry", "MessageBody");
    for (const entry of entries) checkFifoIds(queue, entry);
    const totalBytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
    if (totalBytes > MESSAGE_MAX_BYTES) {
      throw sqsError("BatchRequestTooLong", `Batch requests cannot be longer than ${MESSAGE_MAX_BYTES} bytes. You have sent ${totalBytes} bytes.`);
    }
    const output = runBatch(entries, (entry) => sendMessage(ctx, queue, entry));
    messagesSent(ctx, queue);
    return output;
  },
});
