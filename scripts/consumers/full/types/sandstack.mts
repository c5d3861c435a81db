import { ReceiveMessageCommand, SendMessageCommand, type SendMessageCommandOutput } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { SimSqsQueueDoesNotExist } from "sandstack/sqs";

const simAws = new SimAws({ startTime: new Date(0) });
const QueueUrl = "https://sqs.us-east-1.amazonaws.com/888888888888/orders";

// The answers have the SDK's own types …
export const sent: SendMessageCommandOutput = await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "one" }));
const { Messages = [] } = await simAws.account("111111111111").sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl }));
export const bodies: (string | undefined)[] = Messages.map(({ Body }) => Body);

// … and what does not fit is refused.
// @ts-expect-error a queue's URL is text
await simAws.sqs().purgeQueue({ input: { QueueUrl: 1 } });
// @ts-expect-error there is no such option
export const wrong = new SimAws({ accountId: "111111111111" });

export function isMissing(error: unknown): boolean {
  return error instanceof SimSqsQueueDoesNotExist && error.name === "QueueDoesNotExist";
}
