import { sha256 } from "./digest.js";
import { DEDUPLICATION_INTERVAL_MS } from "./limits.js";
import { remember } from "./recent.js";
import type { Message, Queue, RecentSend } from "./state.js";

/** The deduplication id of a message that was given none: the SHA-256 of its body, without its attributes (API reference, SetQueueAttributes). */
export function contentDeduplicationId(body: string): string {
  return sha256(body);
}

/** What identifies a message within the scope in which its queue recognises duplicates. Ids have no spaces. */
function keyOf(queue: Queue, { groupId = "", deduplicationId = "" }: Pick<Message, "groupId" | "deduplicationId">): string {
  return queue.attributes.DeduplicationScope === "messageGroup" ? `${groupId} ${deduplicationId}` : deduplicationId;
}

/** The message sent within the last five minutes that one to be sent would duplicate: also when it was deleted, or has another body. */
export function originalOf(queue: Queue, message: Pick<Message, "groupId" | "deduplicationId">): RecentSend | undefined {
  return message.deduplicationId === undefined ? undefined : queue.recentSends.byKey.get(keyOf(queue, message));
}

/** Has duplicates of a message recognised for five minutes from now on. A duplicate does not prolong that. */
export function rememberSend(queue: Queue, message: Message, nowMs: number): void {
  if (message.deduplicationId === undefined) return;
  const { messageId, sequence } = message;
  remember(queue.recentSends, { key: keyOf(queue, message), endsAtMs: nowMs + DEDUPLICATION_INTERVAL_MS, messageId, sequence });
}
