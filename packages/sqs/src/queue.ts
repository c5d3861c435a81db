import { randomText, MIXED_ALPHANUMERIC, type Authorization, type CallContext, type ConditionContext, type Question, type Scope, type ServiceContext } from "@sandstack/core";
import { missingParameter, queueDoesNotExist } from "./errors.js";
import { NAME_HOLD_MS } from "./limits.js";
import { queueArn, queueUrl, readQueueUrl } from "./queue-url.js";
import type { Queue, SqsState } from "./state.js";
import { runDeadlines } from "./tasks.js";
import { noMessages, visibleCount } from "./visible-messages.js";

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

/** Adds an empty queue. */
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
    tags: new Map(),
    nextSequence: 1,
    visible: noMessages(),
    delayed: [],
    inFlight: [],
    received: new Map(),
    alarm: undefined,
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

/** Drops every message: visible, delayed and in flight. Answers how many there were. */
export function dropAllMessages(queue: Queue): number {
  const messageCount = visibleCount(queue.visible) + queue.delayed.length + queue.inFlight.length;
  queue.visible = noMessages();
  queue.delayed = [];
  queue.inFlight = [];
  queue.received = new Map();
  return messageCount;
}
