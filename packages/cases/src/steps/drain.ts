import type { DeleteMessageBatchResult, Message } from "@aws-sdk/client-sqs";
import type { Step } from "../case.js";
import type { CaseRun } from "../case-run.js";
import { ACCOUNT_ID, REGION, type Instance } from "../instance.js";
import { match, type Mismatch } from "../matching.js";

interface DrainStep {
  readonly drain: {
    readonly queueUrl: string;
    readonly delete?: boolean;
    readonly attributeNames?: readonly string[];
    readonly expect?: { readonly bodies?: unknown; readonly count?: unknown; readonly messages?: unknown; readonly orderedWithin?: "MessageGroupId" };
  };
  readonly instance?: string;
}

/** How many answers in a row must be empty. */
const EMPTY_ANSWERS = 2;

/** Receives all that a queue has to give at this instant, and compares it. */
export async function runDrain(run: CaseRun, step: Step): Promise<Mismatch | undefined> {
  const { drain, instance } = run.filled<DrainStep>(step);
  const messages = await receiveAll(run, run.instance(instance), drain);
  const { bodies, count, messages: messagesPattern, orderedWithin } = drain.expect ?? {};
  return (
    (count === undefined ? undefined : match(count, messages.length, "count")) ??
    (bodies === undefined ? undefined : match(bodies, messages.map(({ Body }) => Body), "bodies")) ??
    (messagesPattern === undefined ? undefined : match(messagesPattern, messages, "messages")) ??
    (orderedWithin === undefined ? undefined : firstOutOfOrder(messages))
  );
}

async function receiveAll(run: CaseRun, instance: Instance, { queueUrl: QueueUrl, delete: isDeleting, attributeNames }: DrainStep["drain"]): Promise<Message[]> {
  const sqs = async (operation: string, input: object): Promise<unknown> => {
    const outcome = await run.outcomeOf(instance, { service: "sqs", operation, input, caller: undefined, accountId: ACCOUNT_ID, region: REGION });
    if ("error" in outcome) throw outcome.error;
    return outcome.output;
  };
  const received: Message[] = [];
  for (let emptyAnswers = 0; emptyAnswers < EMPTY_ANSWERS; ) {
    const input = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0, MessageSystemAttributeNames: ["All"], ...(attributeNames && { MessageAttributeNames: attributeNames }) };
    const { Messages = [] } = (await sqs("ReceiveMessage", input)) as { Messages?: Message[] }; // ReceiveMessage's output
    emptyAnswers = Messages.length === 0 ? emptyAnswers + 1 : 0;
    received.push(...Messages);
    if (isDeleting !== true || Messages.length === 0) continue;
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    const { Failed = [] } = (await sqs("DeleteMessageBatch", { QueueUrl, Entries })) as DeleteMessageBatchResult; // DeleteMessageBatch's output
    if (Failed.length > 0) throw new Error(`The drain could not delete what it received: ${JSON.stringify(Failed)}`);
  }
  return received;
}

/** Inside each group sequence numbers must grow. */
function firstOutOfOrder(messages: readonly Message[]): Mismatch | undefined {
  const lastByGroup = new Map<string, bigint>();
  for (const [index, { Attributes = {} }] of messages.entries()) {
    const { MessageGroupId = "", SequenceNumber = "0" } = Attributes;
    const sequenceNumber = BigInt(SequenceNumber);
    const last = lastByGroup.get(MessageGroupId) ?? -1n;
    if (sequenceNumber <= last) return { path: `messages[${index}].Attributes.SequenceNumber`, expected: `more than ${last} in the group ${MessageGroupId}`, actual: SequenceNumber };
    lastByGroup.set(MessageGroupId, sequenceNumber);
  }
  return undefined;
}
