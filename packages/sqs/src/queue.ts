import { randomText, MIXED_ALPHANUMERIC, type Authorization, type CallContext, type ConditionContext, type Question, type Scope, type ServiceContext } from "@sandstack/core";
import { missingParameter, queueDoesNotExist } from "./errors.js";
import { NAME_HOLD_MS } from "./limits.js";
import { isFifoName, queueArn, queueUrl, readQueueUrl } from "./queue-url.js";
import { nothingRecent } from "./recent.js";
import type { Message, Queue, SqsState } from "./state.js";
import { runDeadlines } from "./tasks.js";
import { noMessages, visibleCount, visibleMessages } from "./visible-messages.js";

/** Input that names a queue by its URL. */
export interface NamesQueue {
  readonly QueueUrl?: string | undefined;
}

/**
 * The queue of a URL, with everything done that was due by now.
 *
 * @throws QueueDoesNotExist, for a malformed URL as well
 */
export function queueOf(ctx: ServiceContext<SqsState>, QueueUrl: string | undefined): Queue {
  const address = QueueUrl === undefined ? undefined : readQueueUrl(QueueUrl);
  const queue = address === undefined ? undefined : ctx.state.queues.get(address.name);
  if (queue === undefined) throw queueDoesNotExist();
  runDeadlines(ctx, queue);
  return queue;
}

interface OnQueueOptions<Input> {
  /** True where AWS never opens the action to other accounts. */
  readonly ownerOnly?: boolean;
  readonly context?: (input: Input) => ConditionContext;
}

/**
 * Authorization of an action on the queue that the input's URL names: in the account the URL names and the region that is called.
 *
 * @throws MissingParameter without a URL, QueueDoesNotExist for one that names nothing
 */
export function onQueue<Input extends NamesQueue>(action: string, options: OnQueueOptions<Input> = {}): Authorization<SqsState, Input> {
  return {
    scope: (callScope, { QueueUrl }) => ownerScope(callScope, QueueUrl === undefined ? undefined : readQueueUrl(QueueUrl)?.accountId),
    questions(call, input) {
      if (input.QueueUrl === undefined) throw missingParameter("QueueUrl");
      const address = readQueueUrl(input.QueueUrl);
      if (address === undefined) throw queueDoesNotExist();
      return aboutQueue(call, action, address.name, { ownerOnly: options.ownerOnly, context: options.context?.(input) });
    },
  };
}

/** The scope of another account's queues in the region that is called. */
export function ownerScope(callScope: Scope, accountId: string | undefined): Scope {
  return accountId === undefined || accountId === callScope.accountId ? callScope : { accountId, region: callScope.region };
}

/** The question about a queue, which need not exist. */
export function aboutQueue(call: CallContext<SqsState>, action: string, name: string, { ownerOnly, context }: Pick<Question, "ownerOnly" | "context"> = {}): Question {
  const queue = call.state.queues.get(name);
  const policy = queue?.attributes.Policy;
  return {
    action,
    ownerOnly,
    resource: queue?.arn ?? queueArn(call.scope, name),
    resourcePolicies: policy === undefined ? undefined : [policy],
    context: queue === undefined || queue.tags.size === 0 ? context : { ...resourceTags(queue), ...context },
  };
}

function resourceTags(queue: Queue): ConditionContext {
  return Object.fromEntries([...queue.tags].map(([key, value]) => [`aws:ResourceTag/${key}`, value]));
}

/** Adds an empty queue, of the kind its name is of. */
export function addQueue(ctx: ServiceContext<SqsState>, name: string): Queue {
  const queue: Queue = {
    name,
    arn: queueArn(ctx.scope, name),
    url: queueUrl(ctx.scope, name),
    handleKey: randomText(ctx.random, 16, MIXED_ALPHANUMERIC),
    createdAtMs: ctx.nowMs,
    modifiedAtMs: ctx.nowMs,
    purgedAtMs: undefined,
    attributes: {},
    isPolicyEmptied: false,
    tags: new Map(),
    nextSequence: 1,
    visible: noMessages(isFifoName(name) ? "fifo" : "standard"),
    delayed: [],
    inFlight: [],
    received: new Map(),
    recentSends: nothingRecent(),
    recentReceives: nothingRecent(),
    alarm: undefined,
    moveTasks: [],
  };
  ctx.state.queues.set(name, queue);
  return queue;
}

/** Takes a queue away with its messages and holds its name; parked receives end. */
export function removeQueue(ctx: ServiceContext<SqsState>, queue: Queue): void {
  const { queues, deletedNames } = ctx.state;
  if (queue.alarm !== undefined) ctx.unschedule(queue.alarm.taskId);
  queues.delete(queue.name);
  freeOldNames(ctx);
  deletedNames.set(queue.name, ctx.nowMs);
  ctx.wake(queue.arn);
}

/** True while a deleted queue's name cannot be given again. */
export function isNameHeld(ctx: ServiceContext<SqsState>, name: string): boolean {
  freeOldNames(ctx);
  return ctx.state.deletedNames.has(name);
}

function freeOldNames({ state, nowMs }: ServiceContext<SqsState>): void {
  for (const [name, deletedAtMs] of state.deletedNames) {
    if (nowMs < deletedAtMs + NAME_HOLD_MS) return; // the map is in the order of deletion
    state.deletedNames.delete(name);
  }
}

/** All messages of a queue, whatever their place, in no order. */
export function messagesOf(queue: Queue): Message[] {
  return visibleMessages(queue).concat(queue.delayed, queue.inFlight);
}

/** The most dropped messages that the record of a purge or a deletion names. */
const NAMED_DROPPED_MAX = 1_000;

/** The messages that go with a purge or a deletion: how many, and the ids of the first thousand, so that the account of each tells its end. */
export function droppedMessages(queue: Queue): { messageCount: number; messageIds: string[] } {
  const messageCount = visibleCount(queue) + queue.delayed.length + queue.inFlight.length;
  return { messageCount, messageIds: messagesOf(queue).slice(0, NAMED_DROPPED_MAX).map(({ messageId }) => messageId) };
}

/** Drops every message: visible, delayed and in flight. What was sent is still recognised as a duplicate. */
export function dropAllMessages(queue: Queue): void {
  queue.visible = noMessages(queue.visible.kind);
  queue.delayed = [];
  queue.inFlight = [];
  queue.received = new Map();
}
