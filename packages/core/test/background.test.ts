import { MAX_GENERATIONS, MAX_TASKS_AT_ONE_INSTANT, PARKED_GRACE_MS } from "@sandstack/core";
import { ProbeWorld } from "./probe-world.js";

/** Whether a promise has ended, after the turns that it would need. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol("open");
  const turns = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(open))));
  return (await Promise.race([promise, turns])) === open;
}

describe("moving the clock", () => {
  test("stops at each instant at which something falls due, and runs it at its own instant", async () => {
    const probe = new ProbeWorld();
    await probe.schedule(300, { label: "third" });
    await probe.schedule(100, { label: "first", leadsTo: [{ afterMs: 50, task: { label: "led to" } }, { afterMs: 0, task: { label: "at once" } }] });
    await probe.schedule(300, { label: "third, too" });
    await probe.schedule(301, { label: "beyond" });
    await probe.world.background.advance(300);
    expect(probe.done).toEqual(["first@100", "at once@100", "led to@150", "third@300", "third, too@300"]);
    expect(probe.world.nowMs).toBe(300);
    await probe.world.background.advance(301);
    expect(probe.done.at(-1)).toBe("beyond@301");
  });

  test("settling runs what is due now and nothing later, and the clock stands", async () => {
    const probe = new ProbeWorld();
    await probe.schedule(0, { label: "now" });
    await probe.schedule(1, { label: "later" });
    await probe.world.background.settle();
    expect(probe.done).toEqual(["now@0"]);
    expect(probe.world.nowMs).toBe(0);
  });

  test("two who move the clock take turns", async () => {
    const probe = new ProbeWorld();
    await probe.schedule(10, { label: "a" });
    await probe.schedule(20, { label: "b" });
    await Promise.all([probe.world.background.advance(10), probe.world.background.settle(), probe.world.background.advance(20)]);
    expect(probe.done).toEqual(["a@10", "b@20"]);
  });

  test("two who move it by a length move it by both lengths", async () => {
    const probe = new ProbeWorld();
    await Promise.all([probe.world.background.advanceBy(10), probe.world.background.advanceBy(20)]);
    expect(probe.world.nowMs).toBe(30);
  });

  test("over a reset, runs no task of the world before it", async () => {
    const probe = new ProbeWorld();
    await probe.schedule(10, { label: "resets", does: () => probe.world.reset() });
    await probe.schedule(10, { label: "of the same instant" });
    await probe.schedule(20, { label: "later" });
    await probe.world.background.advance(30);
    expect(probe.done).toEqual([]);
    expect(probe.world.nowMs).toBe(30);
  });

  test("a task that fails fails the one who moved the clock, and the next move goes on", async () => {
    const probe = new ProbeWorld();
    await probe.call("RunInBackground", { label: "broken", code: () => Promise.reject(new Error("broken code")) });
    await expect(probe.world.background.settle()).rejects.toThrow("broken code");
    await probe.schedule(0, { label: "after" });
    await probe.world.background.settle();
    expect(probe.done).toEqual(["after@0"]);
  });
});

describe("parked calls", () => {
  test("are answered by the event that gives them an answer, first come, first served", async () => {
    const probe = new ProbeWorld();
    const first = probe.call("Wait", { key: "queue", waitMs: 1_000 });
    const second = probe.call("Wait", { key: "queue", waitMs: 1_000 });
    const other = probe.call("Wait", { key: "another queue", waitMs: 1_000 });
    await probe.call("Answer", { key: "queue", texts: ["one"] });
    expect(await first).toMatchObject({ text: "one" });
    expect(await isOpen(second)).toBe(true);
    await probe.call("Answer", { key: "queue", texts: ["two"] });
    expect(await second).toMatchObject({ text: "two" });
    expect(await isOpen(other)).toBe(true);
    probe.world.reset();
  });

  test("are answered empty at their deadline, not a millisecond before", async () => {
    const probe = new ProbeWorld();
    const wait = probe.call("Wait", { key: "queue", waitMs: 1_000 });
    await probe.world.background.advance(999);
    expect(await isOpen(wait)).toBe(true);
    await probe.world.background.advance(1_000);
    expect(await wait).toMatchObject({ text: "nothing" });
  });

  test("are woken by a task at its instant, while the clock is moved further", async () => {
    const probe = new ProbeWorld();
    await probe.schedule(500, { label: "visible", wakes: "queue" });
    const wait = probe.call("Wait", { key: "queue", waitMs: 1_000 });
    await probe.world.background.advance(2_000);
    expect(await wait).toMatchObject({ text: "visible" });
    expect(probe.done).toEqual(["visible@500"]);
  });

  test("end with the signal's reason, when it is aborted before or after", async () => {
    const probe = new ProbeWorld();
    const abort = new AbortController();
    const wait = probe.call("Wait", { key: "queue", waitMs: 1_000 }, { signal: abort.signal });
    abort.abort(new Error("no longer wanted"));
    await expect(wait).rejects.toThrow("no longer wanted");
    await expect(probe.call("Wait", { key: "queue", waitMs: 1_000 }, { signal: abort.signal })).rejects.toThrow("no longer wanted");
    // What comes now is not swallowed by a call that has gone.
    await probe.call("Answer", { key: "queue", texts: ["kept"] });
    expect(await probe.call("Wait", { key: "queue", waitMs: 0 })).toMatchObject({ text: "kept" });
  });

  test("with a manual clock and nothing runnable, are answered empty after a short real time, the clock unmoved", async () => {
    const probe = new ProbeWorld();
    const startedMs = performance.now();
    expect(await probe.call("Wait", { key: "queue", waitMs: 20_000 })).toMatchObject({ text: "nothing" });
    const tookMs = performance.now() - startedMs;
    expect(tookMs).toBeGreaterThan(PARKED_GRACE_MS * 0.9);
    expect(tookMs).toBeLessThan(PARKED_GRACE_MS * 20);
    expect(probe.world.nowMs).toBe(0);
  });

  test("with a manual clock, get what is runnable now, without anybody settling", async () => {
    const probe = new ProbeWorld();
    await probe.schedule(0, { label: "delivery", wakes: "queue" });
    expect(await probe.call("Wait", { key: "queue", waitMs: 20_000 })).toMatchObject({ text: "delivery" });
  });

  test("that were answered tell nobody what failed behind them: the next who settles is told", async () => {
    const probe = new ProbeWorld();
    const waiting = probe.call("Wait", { key: "queue", waitMs: 1_000 });
    await probe.schedule(0, { label: "answer", wakes: "queue" });
    probe.circle();
    expect(await waiting).toMatchObject({ text: "answer" });
    await expect(probe.world.background.settle()).rejects.toMatchObject({ name: "SimRunawayWork" });
    await probe.world.background.settle();
  });

  test("wait for the clock once it runs, and end after a short real time once it stands", async () => {
    const probe = new ProbeWorld();
    const waiting = probe.call("Wait", { key: "queue", waitMs: 60_000 });
    probe.world.setClockMode("live");
    await new Promise((resolve) => setTimeout(resolve, 2 * PARKED_GRACE_MS));
    expect(await isOpen(waiting)).toBe(true);
    probe.world.setClockMode("manual");
    expect(await waiting).toMatchObject({ text: "nothing" });
  });

  test("end empty when the world is reset", async () => {
    const probe = new ProbeWorld();
    const wait = probe.call("Wait", { key: "queue", waitMs: 20_000 });
    probe.world.reset();
    expect(await wait).toMatchObject({ text: "nothing" });
    expect(probe.world.state.schedule.heap).toEqual([]);
  });
});

describe("code in flight", () => {
  test("is waited for when the world settles", async () => {
    const probe = new ProbeWorld();
    let isDone = false;
    const code = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      isDone = true;
    };
    await probe.call("RunInBackground", { label: "slow", code });
    await probe.world.background.settle();
    expect(isDone).toBe(true);
  });

  test("that waits for the clock does not hold up settling, and goes on when the clock moves", async () => {
    const probe = new ProbeWorld();
    const code = async (): Promise<void> => {
      const { text } = await probe.call("Wait", { key: "queue", waitMs: 5_000 });
      probe.state.done.push(`woke with ${String(text)}@${probe.world.nowMs}`);
    };
    await probe.call("RunInBackground", { label: "sleeper", code, patienceMs: 60_000 });
    await probe.world.background.settle();
    expect(probe.done).toEqual([]);
    await probe.world.background.advance(5_000);
    expect(probe.done).toEqual(["woke with nothing@5000"]);
  });

  test("that shows no sign of life is left after its patience", async () => {
    const probe = new ProbeWorld();
    let wake = (): void => {};
    await probe.call("RunInBackground", { label: "host", code: () => new Promise<void>((resolve) => (wake = resolve)), patienceMs: 20 });
    await probe.world.background.settle();
    wake();
    await probe.world.background.settle();
  });

  test("has its patience once: nobody waits for it again until it shows a sign of life", async () => {
    const probe = new ProbeWorld();
    const settled = async (): Promise<number> => {
      const startedMs = performance.now();
      await probe.world.background.settle();
      return performance.now() - startedMs;
    };
    let goOn = (): void => {};
    const code = async (): Promise<void> => {
      await new Promise<void>((resolve) => (goOn = resolve));
      await probe.call("Answer", { key: "queue", texts: [] });
      await new Promise(() => {});
    };
    await probe.call("RunInBackground", { label: "host", code, patienceMs: 300 });
    expect(await settled()).toBeGreaterThan(250);
    expect(await settled()).toBeLessThan(150);
    goOn();
    expect(await settled()).toBeGreaterThan(250);
    expect(await settled()).toBeLessThan(150);
  });

  test("is given up when the world is reset: who waits for it is told, and the world goes on", async () => {
    const probe = new ProbeWorld();
    await probe.schedule(1_000, { label: "of the world before" });
    const waiting = probe.call("Run", { label: "endless", code: () => new Promise(() => {}), isAsleep: () => true });
    await new Promise((resolve) => setImmediate(resolve));
    const moving = probe.world.background.advance(2_000);
    probe.world.reset();
    await expect(waiting).rejects.toMatchObject({ name: "SimWorldReset", message: "The world was reset while this call waited for a function; the invocation was given up." });
    await moving;
    await probe.schedule(500, { label: "after" });
    await probe.world.background.advance(3_000);
    expect(probe.done).toEqual(["after@2500"]);
  });

  test("that is awaited moves a manual clock as far as it needs", async () => {
    const probe = new ProbeWorld();
    await probe.schedule(7_000, { label: "beyond" });
    const { result } = await probe.call("Run", {
      label: "sleeper",
      code: async () => {
        await probe.call("Wait", { key: "nothing comes", waitMs: 2_500 });
        return probe.world.nowMs;
      },
    });
    expect(result).toBe(2_500);
    expect(probe.world.nowMs).toBe(2_500);
    expect(probe.done).toEqual([]);
  });

  test("of another world is not waited for: its calls are as the test's own", async () => {
    const [probe, other] = [new ProbeWorld(), new ProbeWorld()];
    const code = async (): Promise<unknown> => {
      await other.world.background.advance(1_000);
      return (await other.call("Wait", { key: "queue", waitMs: 20_000 }))["text"];
    };
    expect(await probe.call("Run", { label: "visitor", code })).toMatchObject({ result: "nothing" });
    expect(other.world.nowMs).toBe(1_000);
    expect(probe.world.nowMs).toBe(0);
  });

  test("cannot move the clock or wait for the background, since it would wait for itself", async () => {
    const probe = new ProbeWorld();
    await expect(probe.call("Run", { label: "eager", code: () => probe.world.background.settle() })).rejects.toThrow(/^backgroundTasksComplete\(\) was asked for inside function eager/);
    await expect(probe.call("Run", { label: "eager", code: () => probe.world.background.advance(1) })).rejects.toMatchObject({ name: "SimInsideInvocation" });
  });
});

describe("runaway work", () => {
  test("that goes round while the clock stands still ends in an error that names what went round", async () => {
    const probe = new ProbeWorld();
    probe.circle();
    const settled = probe.world.background.settle();
    await expect(settled).rejects.toMatchObject({ name: "SimRunawayWork" });
    await expect(settled).rejects.toThrow(`stopped after work had led to work ${MAX_GENERATIONS} times at 1970-01-01T00:00:00.000Z`);
    await expect(settled).rejects.toThrow("What went round: function loop, queue loop.");
    // The circle is cut: the world can be used again.
    await probe.world.background.advance(1);
  });

  test("needs no generations: more tasks than one instant may hold are too many", async () => {
    const probe = new ProbeWorld();
    for (let task = 0; task <= MAX_TASKS_AT_ONE_INSTANT; task++) probe.world.schedule({ name: "probe.task.due", dueAtMs: 0, args: { label: "one" }, scope: { accountId: "111111111111", region: "us-east-1" }, generation: 0, cause: undefined });
    await expect(probe.world.background.settle()).rejects.toThrow(`stopped after ${MAX_TASKS_AT_ONE_INSTANT} tasks`);
  });
});

describe("a live clock", () => {
  test("runs with the host's, and tasks and parked calls with it", async () => {
    const probe = new ProbeWorld({ clock: "live" });
    const startedMs = probe.world.nowMs;
    await probe.schedule(20, { label: "visible", wakes: "queue" });
    expect(await probe.call("Wait", { key: "queue", waitMs: 60_000 })).toMatchObject({ text: "visible" });
    expect(probe.world.nowMs - startedMs).toBeGreaterThanOrEqual(20);
    expect(await probe.call("Wait", { key: "queue", waitMs: 20 })).toMatchObject({ text: "nothing" });
  });

  test("can be moved on, and goes on from there", async () => {
    const probe = new ProbeWorld({ clock: "live" });
    await probe.schedule(3_600_000, { label: "in an hour" });
    await probe.world.background.advance(probe.world.nowMs + 3_600_000);
    expect(probe.done).toHaveLength(1);
    expect(probe.world.nowMs).toBeGreaterThanOrEqual(3_600_000);
    expect(probe.world.nowMs).toBeLessThan(3_660_000);
  });

  test("a call first has done what fell due before it", async () => {
    const probe = new ProbeWorld({ clock: "live" });
    await probe.schedule(2, { label: "due" });
    const until = performance.now() + 10;
    // The event loop is held, so that no timer can run the task.
    while (performance.now() < until);
    await probe.call("Answer", { key: "queue", texts: [] });
    expect(probe.done).toHaveLength(1);
  });

  test("tells in the log what failed where nobody waits for it", async () => {
    const probe = new ProbeWorld({ clock: "live" });
    probe.circle();
    await probe.schedule(0, { label: "arms the timer" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(String(probe.world.log())).toContain("SimRunawayWork");
  });
});

test("the same calls give the same log, ids and clock, twice", async () => {
  const run = async (): Promise<unknown> => {
    const probe = new ProbeWorld();
    await probe.schedule(10, { label: "a", leadsTo: [{ afterMs: 10, task: { label: "b" } }] });
    const { $metadata } = await probe.call("Answer", { key: "queue", texts: [] });
    await probe.world.background.advance(50);
    return [probe.world.state, $metadata];
  };
  expect(await run()).toEqual(await run());
});

test("a world's state survives structuredClone", async () => {
  const probe = new ProbeWorld();
  await probe.schedule(10, { label: "a" });
  expect(structuredClone(probe.world.state)).toEqual(probe.world.state);
});
