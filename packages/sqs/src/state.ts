import type { HeapItem, WorkMark } from "@sandstack/core";

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
  /** What users set. An attribute never set is absent; its default applies on reading (`ATTRIBUTE_RULES`). */
  attributes: QueueAttributes;
  /** True once RemovePermission has taken the last statement off its policy: AWS tells that from a queue that never had one. */
  isPolicyEmptied: boolean;
  tags: Map<string, string>;
  /** Counts up: the `sequence` of the next message that enters, or the `turn` of the next that comes back. */
  nextSequence: number;
  /** Messages that are neither delayed nor in flight. */
  visible: VisibleMessages;
  /** Messages that cannot be received yet: a heap by `deadlineMs`. */
  delayed: Message[];
  /** Messages that were received and are hidden: a heap by `deadlineMs`. */
  inFlight: Message[];
  /** Messages of this queue that were received at least once, by `sequence`: those that receipt handles can name. */
  received: Map<number, Message>;
  /** On a FIFO queue: what was sent in the last five minutes, by the key of its deduplication, to recognise duplicates. */
  recentSends: Recent<RecentSend>;
  /** On a FIFO queue: receives of the last five minutes, by their ReceiveRequestAttemptId, to be answered again. */
  recentReceives: Recent<RecentReceive>;
  /** The one scheduled task that looks after this queue's deadlines. It may come too early, never too late. */
  alarm: { taskId: number; dueAtMs: number } | undefined;
  /** The newest tasks that moved or move its messages away, oldest first. */
  moveTasks: MoveTask[];
}

/** A message move task of a dead-letter queue. */
export interface MoveTask {
  /** A UUID. */
  readonly id: string;
  status: "RUNNING" | "COMPLETED" | "CANCELLED" | "FAILED";
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  /** Absent: each message goes back to the queue it came from. */
  readonly destinationArn: string | undefined;
  /** Absent: as many as there are. */
  readonly maxMessagesPerSecond: number | undefined;
  /** How many messages were visible when it started: no more are moved. */
  readonly messagesToMove: number;
  messagesMoved: number;
  /** Only of a task that failed. */
  failureReason: string | undefined;
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
  /** Only FIFO queues have this attribute, which is then true, and the following three. */
  FifoQueue?: boolean;
  ContentBasedDeduplication?: boolean;
  DeduplicationScope?: DeduplicationScope;
  FifoThroughputLimit?: FifoThroughputLimit;
}

export type DeduplicationScope = "queue" | "messageGroup";
export type FifoThroughputLimit = "perQueue" | "perMessageGroupId";

export interface RedrivePolicy {
  readonly deadLetterTargetArn: string;
  readonly maxReceiveCount: number;
}

export interface RedriveAllowPolicy {
  readonly redrivePermission: "allowAll" | "denyAll" | "byQueue";
  /** ARNs; only with `byQueue`. */
  readonly sourceQueueArns?: readonly string[] | undefined;
}

/** A list that grows at its end and is taken from at its start, both at constant cost. */
export interface Line<T> {
  /** Places before `head` are given up. */
  items: (T | undefined)[];
  /** The index of the first item. */
  head: number;
}

/**
 * Messages, to be taken oldest first.
 *
 * Nearly all come in the order of their age and are appended to the line; those that come out of turn (returned, delayed
 * or moved here) stand in the heap `outOfOrder`. Who takes one compares the two heads, so that neither costs more with
 * more messages waiting.
 */
export interface MessageLine extends Line<Message> {
  /** A heap by age. */
  outOfOrder: Message[];
}

/** The messages of a queue that are neither delayed nor in flight, in the order of its kind. */
export type VisibleMessages = StandardMessages | FifoMessages;

/** Visible messages of a standard queue: the oldest first, but those of quiet tenants before those of noisy ones. */
export interface StandardMessages {
  readonly kind: "standard";
  /** Messages without a MessageGroupId: each is a tenant of its own, and never noisy. */
  readonly single: MessageLine;
  /** By MessageGroupId: those with visible messages or messages in flight. */
  tenants: Map<string, Tenant>;
  /** The tenants with visible messages, a heap by the age of the oldest; those in `noisy` are not in it. */
  quiet: Tenant[];
  /** The tenants with visible messages that were noisy when last looked at: a few, as each has more than a tenth of what is in flight. */
  noisy: Tenant[];
  /** Visible messages of tenants. */
  tenantMessageCount: number;
}

/** The messages of a standard queue with one MessageGroupId. */
export interface Tenant extends HeapItem {
  readonly groupId: string;
  readonly line: MessageLine;
  inFlightCount: number;
}

/** Visible messages of a FIFO queue: group by group, each in its order. */
export interface FifoMessages {
  readonly kind: "fifo";
  messageCount: number;
  /** By MessageGroupId: those with visible messages or messages in flight. */
  groups: Map<string, MessageGroup>;
  /** The groups whose first message can be received: a heap by the `turn` of that message. */
  open: MessageGroup[];
  /** No visible message was sent before this instant, in epoch milliseconds. It may be too early, never too late. */
  sentSinceMs: number;
}

/** The messages of a FIFO queue with one MessageGroupId. */
export interface MessageGroup extends HeapItem {
  readonly groupId: string;
  readonly line: MessageLine;
  /** The `sequence` of each message in flight: a few, since the first of them holds back what was sent after it. */
  inFlight: number[];
}

/** What is kept for a while only, by a key. */
export interface Recent<T extends Remembered> {
  byKey: Map<string, T>;
  /** In the order in which they end. */
  inOrder: Line<T>;
}

export interface Remembered {
  readonly key: string;
  /** When it is forgotten, in epoch milliseconds. */
  readonly endsAtMs: number;
}

/** A message sent to a FIFO queue, as its duplicates are answered. */
export interface RecentSend extends Remembered {
  readonly messageId: string;
  readonly sequence: number;
}

/** A receive with a ReceiveRequestAttemptId. */
export interface RecentReceive extends Remembered {
  /** The `sequence` of each message it answered. */
  readonly sequences: readonly number[];
  /** Whether one of its messages was deleted, or had its visibility changed. */
  isModified: boolean;
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
  /** The MessageGroupId; every message of a FIFO queue has one. */
  readonly groupId: string | undefined;
  /** On a FIFO queue: the MessageDeduplicationId, or what stands for it. */
  readonly deduplicationId: string | undefined;
  /** The unique id of who sent it: `AIDA…`, `AROA…:session`, an account, a service. */
  readonly senderId: string;
  /** Epoch milliseconds; its retention runs from here. */
  readonly sentAtMs: number;
  /** Its number in the queue it is in: counts up in the order of entering, and breaks ties of age. */
  readonly sequence: number;
  /** Where its group stands among the groups of a FIFO queue while it is the first of it: its `sequence`, and a later number once it came back. */
  turn: number;
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
  /** True of a copy that looseness left: it is not copied again. */
  readonly isDuplicate: boolean;
  /** The ARN of the queue it was moved here from. */
  readonly deadLetterSourceArn: string | undefined;
  /** The ReceiveRequestAttemptId it was last received with. */
  receiveAttemptId: string | undefined;
  /** The id of its newest record in the log: the cause of what time does to it next. */
  lastRecordId: number | undefined;
  /** Of the background work that sent it or gave it back. */
  workMark: WorkMark | undefined;
}

export interface MessageAttribute {
  readonly name: string;
  /** With its custom label: `String.json`. */
  readonly dataType: string;
  readonly value: string | Uint8Array;
}
