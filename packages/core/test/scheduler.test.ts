import fc from "fast-check";
import { emptySchedule, nextDueMs, scheduleTask, takeDueTask, unscheduleTask, type ScheduleState } from "../src/scheduler.js";

const scope = { accountId: "111111111111", region: "us-east-1" };

function scheduleAt(schedule: ScheduleState, dueAtMs: number, name = "test.task.due"): number {
  return scheduleTask(schedule, { name, dueAtMs, scope, generation: 0, cause: undefined });
}

function takeAllAt(schedule: ScheduleState, nowMs: number): number[] {
  const sequences: number[] = [];
  for (let task = takeDueTask(schedule, nowMs); task !== undefined; task = takeDueTask(schedule, nowMs)) sequences.push(task.sequence);
  return sequences;
}

test("tasks are taken by their instants, those of one instant in the order of scheduling", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10 })), (instants) => {
      const schedule = emptySchedule();
      const tasks = instants.map((dueAtMs) => ({ dueAtMs, sequence: scheduleAt(schedule, dueAtMs) }));
      expect(takeAllAt(schedule, 10)).toEqual(tasks.sort((a, b) => a.dueAtMs - b.dueAtMs || a.sequence - b.sequence).map(({ sequence }) => sequence));
    }),
  );
});

test("a task is due at its instant, not a millisecond before", () => {
  const schedule = emptySchedule();
  const sequence = scheduleAt(schedule, 1_000);
  expect(nextDueMs(schedule)).toBe(1_000);
  expect(takeAllAt(schedule, 999)).toEqual([]);
  expect(takeAllAt(schedule, 1_000)).toEqual([sequence]);
  expect(nextDueMs(schedule)).toBeUndefined();
});

test("a task taken back does not run; taking back one that ran, or twice, does nothing", () => {
  const schedule = emptySchedule();
  const [first, second, third] = [scheduleAt(schedule, 1), scheduleAt(schedule, 2), scheduleAt(schedule, 3)];
  unscheduleTask(schedule, second);
  unscheduleTask(schedule, second);
  expect(takeAllAt(schedule, 1)).toEqual([first]);
  unscheduleTask(schedule, first);
  expect(takeAllAt(schedule, 9)).toEqual([third]);
  expect(schedule.bySequence.size).toBe(0);
});

test("a schedule is data: a copy runs on its own", () => {
  const schedule = emptySchedule();
  const sequence = scheduleAt(schedule, 5);
  const copy = structuredClone(schedule);
  unscheduleTask(copy, sequence);
  expect(takeAllAt(copy, 5)).toEqual([]);
  expect(takeAllAt(schedule, 5)).toEqual([sequence]);
});
