import type { DecisionValue } from "./caller.js";
import { checkOptions, memberNames } from "./options.js";

/**
 * Every kind of record with its own members. Services add theirs by declaration merging:
 * `declare module "@sandstack/core" { interface LogEvents { "sqs.message.sent": { queueArn: string; messageId: string } } }`.
 *
 * Members that `LogFilter` reads have one name in all kinds: those of `Filterable`, and `principal`.
 */
export interface LogEvents {
  /** A call that authorization refused. */
  "call.denied": { service: string; operation: string; action: string; resource: string; decision: DecisionValue; explanation: string };
  /** A call that was allowed and failed. */
  "call.failed": { service: string; operation: string; errorName: string; message: string };
  /** The clock was moved on. */
  "clock.advanced": { fromMs: number };
}

export type LogEventKind = keyof LogEvents;

/** What a service hands in: the kind, its members, and optionally who and why. */
export type LogEvent<K extends LogEventKind = LogEventKind> = { [Kind in K]: { readonly kind: Kind } & LogEvents[Kind] & LogEventContext }[K];

interface LogEventContext {
  /** ARN or name of who did it. Default: the caller of the operation that records it. */
  readonly principal?: string | undefined;
  /** The id of the record that led to this one. */
  readonly cause?: number | undefined;
}

/** One thing that happened: the event, its number and its instant. */
export type LogRecord<K extends LogEventKind = LogEventKind> = LogEvent<K> & {
  /** Counts up from 1 in the order of happening. */
  readonly id: number;
  /** The sandbox's time, in epoch milliseconds. */
  readonly atMs: number;
};

export interface LogFilter<Kind extends LogEventKind = LogEventKind> {
  /** A message's id. */
  readonly message?: string;
  /** A function's name or ARN. */
  readonly function?: string;
  /** A queue's name, ARN or URL. */
  readonly queue?: string;
  readonly stack?: string;
  /** The ARN of a caller, or a service's name. */
  readonly principal?: string;
  /** One kind or several. */
  readonly kind?: Kind | readonly Kind[];
}

const FILTER_MEMBERS = memberNames<LogFilter>({ message: true, function: true, queue: true, stack: true, principal: true, kind: true });

/** How a kind of record reads as a sentence, without its time. */
export type Describe = (record: LogRecord) => string;

/** A text whose author may have ended it, as messages and reasons do, or not: with a period in any case. */
export function withPeriod(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The most records the world's log keeps; the oldest go first. */
export const LOG_CAPACITY = 100_000;

/** The world's log: a ring of the newest `LOG_CAPACITY` records. Plain data. */
export interface LogState {
  records: LogRecord[];
  /** How many records were ever appended; the newest has this number as its id. */
  appended: number;
}

export function emptyLog(): LogState {
  return { records: [], appended: 0 };
}

export function appendToLog(log: LogState, record: LogRecord): void {
  log.records[log.appended % LOG_CAPACITY] = record;
  log.appended += 1;
}

/** The records kept, oldest first. */
export function recordsOf(log: LogState): LogRecord[] {
  if (log.appended <= LOG_CAPACITY) return log.records.slice();
  const oldest = log.appended % LOG_CAPACITY;
  return [...log.records.slice(oldest), ...log.records.slice(0, oldest)];
}

/** What happened in a world, as typed records in order. A filter by kind gives records of that kind's type. */
export class SimLog<Kept extends LogRecord = LogRecord> implements Iterable<Kept> {
  /** Oldest first. */
  readonly records: readonly Kept[];
  readonly #describe: Describe;

  constructor(records: readonly Kept[], describe: Describe) {
    this.records = records;
    this.#describe = describe;
  }

  /** The records that match every member given: `simAws.log().filter({ message: messageId })`. @throws SimInvalidOption for a member there is not */
  filter<Kind extends LogEventKind = LogEventKind>(filter: LogFilter<Kind>): SimLog<Extract<Kept, { kind: Kind }>> {
    checkOptions("log().filter()", filter, FILTER_MEMBERS);
    return new SimLog(this.records.filter((record): record is Extract<Kept, { kind: Kind }> => matches(record, filter)), this.#describe);
  }

  [Symbol.iterator](): Iterator<Kept> {
    return this.records[Symbol.iterator]();
  }

  /** An account in lines: the sandbox's time, then what happened. */
  toString(): string {
    return this.records.map((record) => `${new Date(record.atMs).toISOString()}  ${this.#describe(record)}`).join("\n");
  }
}

/** The members filters look at, which a record has or lacks according to its kind. */
interface Filterable {
  messageId?: string;
  messageIds?: readonly string[];
  functionArn?: string;
  queueArn?: string;
  deadLetterQueueArn?: string;
  stackName?: string;
}

function matches(record: LogRecord, filter: LogFilter): boolean {
  const members = record as Filterable; // every kind has a subset of these members
  const kinds = filter.kind === undefined || typeof filter.kind === "string" ? filter.kind && [filter.kind] : filter.kind;
  return (
    (kinds === undefined || kinds.includes(record.kind)) &&
    (filter.message === undefined || members.messageId === filter.message || members.messageIds?.includes(filter.message) === true) &&
    (filter.function === undefined || isNamed(members.functionArn, filter.function)) &&
    (filter.queue === undefined || isNamed(members.queueArn, filter.queue) || isNamed(members.deadLetterQueueArn, filter.queue)) &&
    (filter.stack === undefined || members.stackName === filter.stack) &&
    (filter.principal === undefined || record.principal === filter.principal)
  );
}

/** True when `name` is the ARN, its resource's name, or a queue URL that ends in it. */
function isNamed(arn: string | undefined, name: string): boolean {
  if (arn === undefined) return false;
  if (arn === name) return true;
  // `function:NAME:QUALIFIER` is of the function NAME.
  const [, , , , , first, second] = arn.split(":", 7);
  return (second ?? first) === (name.includes("/") ? name.slice(name.lastIndexOf("/") + 1) : name);
}
