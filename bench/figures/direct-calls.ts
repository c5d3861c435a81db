import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { CreateUserCommand, PutUserPolicyCommand } from "@aws-sdk/client-iam";
import { SimAws, type Caller } from "sandstack";
import { BareQueue } from "../bare-queue.js";
import { figure, type Benchmark } from "../figure.js";
import { interleaved, repeated } from "../measure.js";
import { nullSqsClient } from "../null-sdk.js";

const BODY = "x".repeat(1024);
const ROUNDS = 21;
/** How often the three calls are made in one round. */
const DIRECT_TIMES = 2_000;
const SDK_TIMES = 100;

/** A direct send, receive and delete of 1 KiB, authorization and log included. */
export const directCalls: Benchmark = {
  name: "direct-calls",
  async run() {
    const simAws = new SimAws();
    const user = await userWhoMay(simAws, "sqs:*");
    const { QueueUrl } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName: "bench" }));
    const direct = (caller?: Caller) => async (): Promise<void> => {
      const sqs = simAws.sqs();
      await sqs.sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: BODY }), { caller });
      const { Messages } = await sqs.receiveMessage(new ReceiveMessageCommand({ QueueUrl }), { caller });
      await sqs.deleteMessage(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages?.[0]?.ReceiptHandle }), { caller });
    };
    const client = nullSqsClient(BODY);
    const throughSdk = async (): Promise<void> => {
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody: BODY }));
      const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
      await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages?.[0]?.ReceiptHandle }));
    };
    const bareQueue = new BareQueue();
    const bare = (): void => {
      bareQueue.send(BODY);
      bareQueue.delete(bareQueue.receive(0)?.id ?? "");
    };
    const works = { user: repeated(DIRECT_TIMES, direct(user)), root: repeated(DIRECT_TIMES, direct()), sdk: repeated(SDK_TIMES, throughSdk), bare: repeated(DIRECT_TIMES, bare) };
    await interleaved(5, works);
    const timesMs = await interleaved(ROUNDS, works);
    const [userUs, rootUs, bareUs, sdkUs] = [timesMs.user / DIRECT_TIMES, timesMs.root / DIRECT_TIMES, timesMs.bare / DIRECT_TIMES, timesMs.sdk / SDK_TIMES].map((ms) => ms * 1000) as [number, number, number, number]; // four in, four out
    return [
      figure("direct-calls.user", userUs, "µs", { ratioTo: "the SDK with constant answers", ratio: userUs / sdkUs, target: 1 / 40 }),
      figure("direct-calls.root", rootUs, "µs", { ratioTo: "the SDK with constant answers", ratio: rootUs / sdkUs, target: 1 / 40 }),
      figure("direct-calls.user-to-bare", userUs, "µs", { ratioTo: "a bare queue", ratio: userUs / bareUs }),
      figure("direct-calls.sdk", sdkUs, "µs"),
      figure("direct-calls.bare", bareUs, "µs"),
    ];
  },
};

/** A user whose one policy must be evaluated at each call. */
async function userWhoMay(simAws: SimAws, Action: string): Promise<Caller> {
  const { User } = await simAws.iam().createUser(new CreateUserCommand({ UserName: "bench" }));
  const PolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] });
  await simAws.iam().putUserPolicy(new PutUserPolicyCommand({ UserName: "bench", PolicyName: "bench", PolicyDocument }));
  return { kind: "arn", arn: User?.Arn ?? "" };
}
