import type { HeapItem } from "@sandstack/core";

/** SQS in one account and region. Plain data: `structuredClone` copies it. */
export interface SqsState {
  /** By name. */
  queues: Map<string, Queue>;
  /** When a queue of that name was deleted, in epoch milliseconds; the oldest first. An entry goes when the name is free again. */
  deletedNames: Map<string, number>;
}

export function emptyState(): SqsState {
  return { queues: new Map(), deletedNames: new Map() };
}

export interface Queue {
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  /** Random text in all of this queue's receipt handles: those of another queue, or of an earlier one of that name, are told apart by it. */
  readonly handleKey: string;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** When its attributes were last set, in epoch milliseconds. */
  modifiedAtMs: number;
  /** When it was last purged, in epoch milliseconds. */
  purgedAtMs: number | undefined;
  /** What users set. An attribute never set is absent; its default applies on reading (`attributeOf`). */
  attributes: QueueAttributes;
  tags: Map<string, string>;
  /** The `sequence` of the next message that enters. */
  nextSequence: number;
  /** Messages that can be received now. */
  visible: VisibleMessages;
  /** Messages that cannot be received yet: a heap by `deadlineMs`. */
  delayed: Message[];
  /** Messages that were received and are hidden: a heap by `deadlineMs`. */
  inFlight: Message[];
  /** Messages of this queue that were received at least once, by `sequence`: those that receipt handles can name. */
  received: Map<number, Message>;
  /** The one scheduled task that looks after this queue's deadlines. It may come too early, never too late. */
  alarm: { taskId: number; dueAtMs: number } | undefined;
}

/** The attributes that users set, by AWS's names, in the type they mean. */
export interface QueueAttributes {
  DelaySeconds?: number;
  /** Bytes. */
  MaximumMessageSize?: number;
  /** Seconds. */
  MessageRetentionPeriod?: number;
  ReceiveMessageWaitTimeSeconds?: number;
  /** Seconds. */
  VisibilityTimeout?: number;
  /** JSON text, as it was given. */
  Policy?: string;
  RedrivePolicy?: RedrivePolicy;
  RedriveAllowPolicy?: RedriveAllowPolicy;
  KmsMasterKeyId?: string;
  KmsDataKeyReusePeriodSeconds?: number;
  SqsManagedSseEnabled?: boolean;
}

export interface RedrivePolicy {
  readonly deadLetterTargetArn: string;
  readonly maxReceiveCount: number;
}

export interface RedriveAllowPolicy {
  readonly redrivePermission: "allowAll" | "denyAll" | "byQueue";
  /** ARNs; only with `byQueue`. */
  readonly sourceQueueArns?: readonly string[] | undefined;
}

/**
 * Visible messages, to be handed out oldest first.
 *
 * Nearly all come in the order of their age and are appended to `inOrder`; those that come out of turn (returned, delayed
 * or moved here) stand in the heap `outOfOrder`. Who takes one compares the two heads, so that neither costs more with
 * more messages waiting.
 */
export interface VisibleMessages {
  /** Messages never received from this queue, oldest first; places before `head` are given up. */
  inOrder: (Message | undefined)[];
  /** The index of the oldest in `inOrder`. */
  head: number;
  /** A heap by age. */
  outOfOrder: Message[];
}

export type MessagePlace = "visible" | "delayed" | "inFlight";

/** One message in one queue. All members are there from the start, so that all messages have one shape. */
export interface Message extends HeapItem {
  readonly messageId: string;
  readonly body: string;
  readonly bodyMd5: string;
  /** Sorted by name; empty when there are none. */
  readonly attributes: readonly MessageAttribute[];
  readonly attributesMd5: string | undefined;
  /** The system attribute `AWSTraceHeader`. */
  readonly traceHeader: string | undefined;
  readonly groupId: string | undefined;
  /** The unique id of who sent it: `AIDA…`, `AROA…:session`, an account, a service. */
  readonly senderId: string;
  /** Epoch milliseconds; its retention runs from here. */
  readonly sentAtMs: number;
  /** Its number in the queue it is in: counts up in the order of entering, and breaks ties of age. */
  sequence: number;
  place: MessagePlace;
  /** While delayed or in flight: when that ends, in epoch milliseconds. */
  hiddenUntilMs: number;
  /** While delayed or in flight: the earlier of `hiddenUntilMs` and the end of its retention. */
  deadlineMs: number;
  /** How often it was received, in all queues it was in. */
  receiveCount: number;
  /** How often it was received from the queue it is in; a receipt handle is good while this is its number. */
  receivesHere: number;
  firstReceivedAtMs: number | undefined;
  /** When it was last received, in epoch milliseconds: the 12 hours of total visibility run from here. */
  receivedAtMs: number;
  /** The ARN of the queue it was moved here from. */
  deadLetterSourceArn: string | undefined;
  /** The id of its newest record in the log: the cause of what time does to it next. */
  lastRecordId: number | undefined;
}

export interface MessageAttribute {
  readonly name: string;
  /** With its custom label: `String.json`. */
  readonly dataType: string;
  readonly value: string | Uint8Array;
}
