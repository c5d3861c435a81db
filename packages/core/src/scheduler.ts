import { heapPop, heapPush, heapRemove, type HeapItem } from "./heap.js";
import type { Scope } from "./scope.js";

/** What a service hands in to have a task run later. */
export interface NewTask {
  /** `service.noun.participle`; the part before the first dot is the service whose handler runs. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly dueAtMs: number;
  /** Plain data for the handler. */
  readonly args?: unknown;
  /** The scope whose state the handler gets. Default: the scope of the one who schedules. */
  readonly scope?: Scope;
  /** What the task is about, for the error of runaway work: ARNs of functions and queues. */
  readonly about?: readonly string[];
  /** As `ServiceContext.generation`. Default: that of the one who schedules; given where the task stands for work of another. */
  readonly generation?: number;
}

/** Work that falls due, as plain data. */
export interface Task extends HeapItem {
  /** Counts up; breaks ties between tasks of one instant. */
  readonly sequence: number;
  readonly dueAtMs: number;
  readonly name: string;
  readonly scope: Scope;
  readonly args: unknown;
  readonly about: readonly string[];
  /** As `ServiceContext.generation`. */
  readonly generation: number;
  readonly cause: number | undefined;
}

export interface ScheduleState {
  /** A heap in the order of `isBefore`. */
  heap: Task[];
  /** The same tasks by sequence. */
  bySequence: Map<number, Task>;
  nextSequence: number;
}

export function emptySchedule(): ScheduleState {
  return { heap: [], bySequence: new Map(), nextSequence: 1 };
}

function isBefore(a: Task, b: Task): boolean {
  return a.dueAtMs < b.dueAtMs || (a.dueAtMs === b.dueAtMs && a.sequence < b.sequence);
}

export function scheduleTask(schedule: ScheduleState, task: NewTask & { scope: Scope; generation: number; cause: number | undefined }): number {
  const sequence = schedule.nextSequence++;
  const { name, dueAtMs, scope, generation, cause } = task;
  const scheduled: Task = { sequence, dueAtMs, name, scope, args: task.args, about: task.about ?? [], generation, cause, heapIndex: -1 };
  schedule.bySequence.set(sequence, scheduled);
  heapPush(schedule.heap, scheduled, isBefore);
  return sequence;
}

export function unscheduleTask(schedule: ScheduleState, sequence: number): void {
  const task = schedule.bySequence.get(sequence);
  if (task === undefined) return;
  schedule.bySequence.delete(sequence);
  heapRemove(schedule.heap, task, isBefore);
}

/** When the next task falls due, or `undefined` when none is scheduled. */
export function nextDueMs(schedule: ScheduleState): number | undefined {
  return schedule.heap[0]?.dueAtMs;
}

/** Takes out the next task that is due at `nowMs`. */
export function takeDueTask(schedule: ScheduleState, nowMs: number): Task | undefined {
  const head = schedule.heap[0];
  if (head === undefined || head.dueAtMs > nowMs) return undefined;
  schedule.bySequence.delete(head.sequence);
  return heapPop(schedule.heap, isBefore);
}
