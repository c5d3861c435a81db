import type { Describe, LogEventKind, LogRecord } from "@sandstack/core";

declare module "@sandstack/core" {
  interface LogEvents {
    "sqs.queue.created": { queueArn: string };
    /** `messageCount`: of all that went with it; `messageIds`: of 1,000 of them at most. */
    "sqs.queue.deleted": { queueArn: string; messageCount: number; messageIds: readonly string[] };
    /** `messageCount`: visible, delayed and in flight; `messageIds`: of 1,000 of them at most. */
    "sqs.queue.purged": { queueArn: string; messageCount: number; messageIds: readonly string[] };
    "sqs.message.sent": { queueArn: string; messageId: string; delaySeconds: number };
    /** It was sent to a FIFO queue again within five minutes and not stored: `messageId` is the original's. */
    "sqs.message.deduplicated": { queueArn: string; messageId: string };
    /** `receiveCount`: of all receives so far, this one included. */
    "sqs.message.received": { queueArn: string; messageId: string; receiveCount: number; visibilityTimeoutSeconds: number };
    /** Its visibility timeout was changed while it was in flight. */
    "sqs.message.hidden": { queueArn: string; messageId: string; visibilityTimeoutSeconds: number };
    /** It was in flight and can be received again. */
    "sqs.message.returned": { queueArn: string; messageId: string };
    "sqs.message.deleted": { queueArn: string; messageId: string };
    /** Its retention ended. */
    "sqs.message.expired": { queueArn: string; messageId: string };
    /** It went from `queueArn` to its dead-letter queue. */
    "sqs.message.moved": { queueArn: string; deadLetterQueueArn: string; messageId: string; receiveCount: number };
    /** It was moved out of a dead-letter queue to `queueArn`, where it is a new message. `messageIds`: its id before, then its id from now on. */
    "sqs.message.redriven": { queueArn: string; deadLetterQueueArn: string; messageIds: readonly [string, string] };
    /** Looseness that the world was asked for: it was received, and will be once more. */
    "sqs.message.duplicated": { queueArn: string; messageId: string };
    /** Looseness that the world was asked for: a short poll found nothing although there was something. */
    "sqs.receive.missed": { queueArn: string };
  }
}

type SqsEventKind = Extract<LogEventKind, `sqs.${string}`>;

/** How each kind of record reads. */
const SENTENCES: { readonly [Kind in SqsEventKind]: (record: LogRecord<Kind>) => string } = {
  "sqs.queue.created": ({ queueArn, principal }) => `Queue ${nameOf(queueArn)} was created${by(principal)}.`,
  "sqs.queue.deleted": ({ queueArn, principal, messageCount }) => `Queue ${nameOf(queueArn)} was deleted${by(principal)}${messageCount > 0 ? `: ${counted(messageCount)} went with it` : ""}.`,
  "sqs.queue.purged": ({ queueArn, principal, messageCount }) => `Queue ${nameOf(queueArn)} was purged${by(principal)}: ${counted(messageCount)} dropped.`,
  "sqs.message.sent": ({ queueArn, messageId, principal, delaySeconds }) =>
    `Message ${messageId} was sent to ${nameOf(queueArn)}${by(principal)}${delaySeconds > 0 ? `, delayed for ${delaySeconds} s` : ""}.`,
  "sqs.message.deduplicated": ({ queueArn, messageId, principal }) => `Message ${messageId} was sent to ${nameOf(queueArn)} again${by(principal)}: a duplicate, which is not stored.`,
  "sqs.message.received": ({ queueArn, messageId, principal, receiveCount, visibilityTimeoutSeconds }) =>
    `Message ${messageId} was received from ${nameOf(queueArn)}${by(principal)} (receive ${receiveCount}), hidden for ${visibilityTimeoutSeconds} s.`,
  "sqs.message.hidden": ({ queueArn, messageId, principal, visibilityTimeoutSeconds }) =>
    `Message ${messageId} of ${nameOf(queueArn)} is hidden for ${visibilityTimeoutSeconds} s from now on${by(principal)}.`,
  "sqs.message.returned": ({ queueArn, messageId, principal }) =>
    `Message ${messageId} came back to ${nameOf(queueArn)}: ${principal === undefined ? "its visibility timeout lapsed" : `its visibility timeout was ended${by(principal)}`}.`,
  "sqs.message.deleted": ({ queueArn, messageId, principal }) => `Message ${messageId} was deleted from ${nameOf(queueArn)}${by(principal)}.`,
  "sqs.message.expired": ({ queueArn, messageId }) => `Message ${messageId} expired in ${nameOf(queueArn)}: its retention period ended.`,
  "sqs.message.moved": ({ queueArn, deadLetterQueueArn, messageId, receiveCount }) =>
    `Message ${messageId} was moved from ${nameOf(queueArn)} to its dead-letter queue ${nameOf(deadLetterQueueArn)} after ${receiveCount} ${receiveCount === 1 ? "receive" : "receives"}.`,
  "sqs.message.redriven": ({ queueArn, deadLetterQueueArn, messageIds: [before, now] }) =>
    `Message ${before} was moved from the dead-letter queue ${nameOf(deadLetterQueueArn)} to ${nameOf(queueArn)}, as the new message ${now}.`,
  "sqs.message.duplicated": ({ queueArn, messageId }) => `Message ${messageId} of ${nameOf(queueArn)} will be delivered once more, as this world's delivery duplicates messages.`,
  "sqs.receive.missed": ({ queueArn, principal }) => `A short poll of ${nameOf(queueArn)}${by(principal)} missed the messages there, as this world's delivery has empty receives.`,
};

// The world gives each sentence the records of its own kind, which a table by kind cannot say.
export const describe = SENTENCES as { readonly [Kind in SqsEventKind]: Describe };

function nameOf(queueArn: string): string {
  return queueArn.slice(queueArn.lastIndexOf(":") + 1);
}

function counted(messageCount: number): string {
  return `${messageCount} ${messageCount === 1 ? "message" : "messages"}`;
}

function by(principal: string | undefined): string {
  return principal === undefined ? "" : ` by ${principal}`;
}
