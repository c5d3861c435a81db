import { DeleteEventSourceMappingCommand } from "@aws-sdk/client-lambda";
import { transformSync } from "esbuild";
import type { SimAws } from "sandstack";
import { SynchronousBound } from "../src/runtime/synchronous-bound.js";
import { counts, createCode, createHandler, createQueue, functionWorld, invoke, map, queueArn, receive, send } from "./function-world.js";

const TIMED_OUT = { errorType: "Sandbox.Timedout", errorMessage: expect.stringMatching(/^RequestId: [0-9a-f-]{36} Error: Task timed out after 1\.00 seconds$/) };

function failures(simAws: SimAws) {
  return simAws.log().filter({ kind: "lambda.invocation.failed" });
}

describe("code that never pauses is cut off, and times out on the sandbox's clock", () => {
  test.each([
    { name: "in a handler that catches everything", source: "exports.handler = async () => { for (;;) { try { for (;;); } catch {} finally { continue; } } }" },
    { name: "in a timer", source: "exports.handler = () => new Promise(() => { setTimeout(() => { for (;;); }, 100); setTimeout(() => console.log('another timer'), 200); })" },
    { name: "in a next tick", source: "exports.handler = () => new Promise(() => { process.nextTick(() => { for (;;); }); })" },
    { name: "in what is asked for the result's text", source: "exports.handler = async () => ({ toJSON() { for (;;); } })" },
    { name: "beside what would have answered", source: "exports.handler = (event, context, callback) => { Promise.resolve().then(() => callback(null, 'answered')); for (;;); }" },
  ])("$name", async ({ source }) => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", `let calls = 0; ${source}; const endless = exports.handler; exports.handler = (event, ...rest) => (calls += 1, event.ends ? Promise.resolve(calls) : endless(event, ...rest));`, { Timeout: 1 });
    const startedAt = simAws.clock().now().getTime();
    expect(await invoke(simAws, "fn")).toMatchObject({ result: TIMED_OUT, functionError: "Unhandled" });
    expect(simAws.clock().now().getTime() - startedAt).toBe(1_000);
    expect(failures(simAws).records[0]).toMatchObject({ durationMs: 1_000, note: "its code ran on without a pause, as an endless loop does" });
    expect(String(failures(simAws))).toMatch(/Task timed out after 1\.00 seconds \(its code ran on without a pause, as an endless loop does\)$/);
    expect(simAws.log().filter({ kind: "lambda.console.written" }).records).toEqual([]);
    // A new environment serves the next one.
    expect((await invoke(simAws, "fn", { ends: true })).result).toBe(1);
  });

  test("in the background the message stays in flight, and is dead-lettered after its last try", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "dlq");
    await createQueue(simAws, "q", { VisibilityTimeout: "10", RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArn("dlq"), maxReceiveCount: 1 }) });
    await createCode(simAws, "fn", "exports.handler = async () => { for (;;); }", { Timeout: 1 });
    await map(simAws, "fn", "q");
    await send(simAws, "q", "poison");
    await simAws.backgroundTasksComplete();
    expect(failures(simAws).records).toEqual([]);
    expect(await counts(simAws, "q")).toEqual({ visible: 0, inFlight: 1 });
    await simAws.clock().advanceBy({ milliseconds: 999 });
    expect(failures(simAws).records).toEqual([]);
    await simAws.clock().advanceBy({ milliseconds: 1 });
    expect(failures(simAws).records).toMatchObject([TIMED_OUT]);
    await simAws.clock().advanceBy({ seconds: 9 });
    expect((await receive(simAws, "dlq")).map(({ Body }) => Body)).toEqual(["poison"]);
  });

  const ASKING = "const { SQS } = require('@aws-sdk/client-sqs'); const sqs = new SQS({}); const ask = () => sqs.receiveMessage({ QueueUrl: process.env.QUEUE });";
  test("nor do requests one after the other, of which there are more than the function has time for on AWS", async () => {
    const simAws = await functionWorld();
    const QUEUE = await createQueue(simAws, "q");
    const more = { Timeout: 1, Environment: { Variables: { QUEUE } } };
    await createCode(simAws, "endless", `${ASKING} exports.handler = async () => { for (;;) await ask(); };`, more);
    await createCode(simAws, "busy", `${ASKING} exports.handler = async () => { for (let n = 0; n < 250; n++) await ask(); await Promise.all(Array.from({ length: 300 }, ask)); };`, { ...more, Timeout: 2 });
    expect((await invoke(simAws, "endless")).result).toEqual(TIMED_OUT);
    expect(failures(simAws).records).toMatchObject([{ durationMs: 1_000, note: "its code made 250 requests one after the other, which on AWS take longer than the function has" }]);
    expect(await invoke(simAws, "busy")).toMatchObject({ result: null, functionError: undefined });
  });

  test("the bound is of the outermost code; what ends within it gives what it gives", () => {
    const bound = new SynchronousBound();
    expect(bound.run(() => bound.run(() => "inner", 1), 1_000)).toBe("inner");
    const error = new Error("thrown");
    expect(() => bound.run(() => Promise.reject(bound.run(() => { throw error; }, 1_000)), 1_000)).toThrow(error);
    expect(bound.hasOverrun).toBe(false);
    expect(() => bound.run(() => { for (;;); }, 20)).toThrow("The code ran for 20 ms without a pause.");
    expect(bound.hasOverrun).toBe(true);
  });

  test("code that is only slow is left to end", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", "exports.handler = async () => { let n = 0; while (n < 2e7) n += 1; return n; }", { Timeout: 3 });
    expect((await invoke(simAws, "fn")).result).toBe(20_000_000);
  });
});

test.each([
  { name: "a timer", source: "setTimeout(() => { throw new RangeError('late'); }, 1)" },
  { name: "a next tick", source: "process.nextTick(() => { throw new RangeError('late'); })" },
  { name: "a microtask", source: "queueMicrotask(() => { throw new RangeError('late'); })" },
  { name: "a callback of node:crypto", source: "require('crypto').randomBytes(1, () => { throw new RangeError('late'); })" },
  { name: "a callback of node:fs", source: "require('fs').readFile('/var/task/index.js', () => { throw new RangeError('late'); })" },
])("what is thrown in $name ends the invocation, not the process", async ({ source }) => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", `exports.handler = () => new Promise(() => { ${source}; });`);
  const { result } = await invoke(simAws, "fn");
  expect(result).toMatchObject({ errorType: "Runtime.UncaughtException", errorMessage: "RangeError: late" });
  expect(result.trace).toEqual(["Runtime.UncaughtException: RangeError: late", expect.stringMatching(/^ {4}at .*\/var\/task\/index\.js:1:\d+/)]);
});

describe("stacks have the code's own frames and none of the sandbox's", () => {
  const files = { "index.js": "const { bill } = require('./lib/bill');\nexports.handler = async ({ how }) => require('./lib/ways')[how](bill);", "lib/bill.js": "\nexports.bill = (id) => {\n  throw new TypeError(`cannot bill ${id}`);\n};" };
  const ways = `
    exports.sync = (bill) => [1].map(() => bill("A-9"));
    exports.later = async (bill) => { await null; bill("A-9"); };
    exports.slept = async (bill) => { await new Promise((resolve) => setTimeout(resolve, 5)); bill("A-9"); };
    exports.sealed = () => require("net").connect(80);
    exports.sdk = async () => { const { SQS } = require("@aws-sdk/client-sqs"); await new SQS({}).getQueueUrl({ QueueName: "none" }); };
    exports.missing = () => require("./none");
    exports.logged = (bill) => { try { bill("A-9"); } catch (error) { error.code = "EBILL"; console.error("failed:", error); console.log({ error }); } };
  `;
  const own = /\/var\/task\/|node_modules\/@(aws-sdk|smithy)\/|\((<anonymous>|node:)/;
  const billed = "    at exports.bill (/var/task/lib/bill.js:3:9)";
  test.each<{ how: string; first: string; at: string | RegExp; place: string }>([
    { how: "sync", first: "TypeError: cannot bill A-9", at: billed, place: "at exports.bill (/var/task/lib/bill.js:3:9)" },
    { how: "later", first: "TypeError: cannot bill A-9", at: billed, place: "at exports.bill (/var/task/lib/bill.js:3:9)" },
    { how: "slept", first: "TypeError: cannot bill A-9", at: billed, place: "at exports.bill (/var/task/lib/bill.js:3:9)" },
    { how: "sealed", first: "SimSealed: net.connect: the sandbox is sealed.", at: /\/var\/task\/lib\/ways\.js:5:/, place: "at Object.exports.sealed (/var/task/lib/ways.js:5:" },
    { how: "sdk", first: "QueueDoesNotExist: The specified queue does not exist.", at: /node_modules\/@aws-sdk\//, place: "at Object.exports.sdk (/var/task/lib/ways.js:6:" },
    { how: "missing", first: "Error: Cannot find module './none'", at: "Require stack:", place: "at Object.exports.missing (/var/task/lib/ways.js:7:" },
  ])("$how", async ({ how, first, at, place }) => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", { ...files, "lib/ways.js": ways });
    const { result, log } = await invoke(simAws, "fn", { how });
    const trace: string[] = result.trace;
    expect(trace[0]!.startsWith(first)).toBe(true);
    expect(trace[1]).toEqual(typeof at === "string" ? at : expect.stringMatching(at));
    const frames = trace.filter((line) => /^\s+at /.test(line));
    expect(frames.filter((frame) => !own.test(frame))).toEqual([]);
    expect(frames.at(-1)).toMatch(/\/var\/task\//);
    expect(failures(simAws).records).toMatchObject([{ trace }]);
    expect(String(failures(simAws))).toContain(`(${place}`);
    expect(log).toContain(`"stack":${JSON.stringify(trace)}`);
  });

  test("an error on the console has its stack, and its members behind it", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", { ...files, "lib/ways.js": ways });
    await invoke(simAws, "fn", { how: "logged" });
    const at = ["at exports.bill (/var/task/lib/bill.js:3:9)", "at Object.exports.logged (/var/task/lib/ways.js:8:40)", "at exports.handler (/var/task/index.js:2:64) {"];
    expect(simAws.log().filter({ kind: "lambda.console.written" }).records.map(({ level, text }) => [level, text.split("\n")])).toEqual([
      ["ERROR", ["failed: TypeError: cannot bill A-9", ...at.map((line) => `    ${line}`), "  code: 'EBILL'", "}"]],
      ["INFO", ["{", "  error: TypeError: cannot bill A-9", ...at.map((line) => `      ${line}`), "    code: 'EBILL'", "  }", "}"]],
    ]);
  });

  test.each([
    {
      name: "a text that is no JavaScript",
      files: { "index.js": "require('./broken');", "broken.js": "const a = 1;\nconst b = 1 1;" },
      trace: ["Runtime.UserCodeSyntaxError: SyntaxError: Unexpected number", "/var/task/broken.js:2", "const b = 1 1;", "            ^", "", "SyntaxError: Unexpected number"],
    },
    {
      name: "a module that is nowhere",
      files: { "index.js": "\nrequire('./a');", "a.js": "require('none');" },
      trace: [
        "Runtime.ImportModuleError: Error: Cannot find module 'none'",
        "Require stack:",
        "- /var/task/a.js",
        "- /var/task/index.js",
        "- /var/runtime/index.mjs",
        expect.stringMatching(/^ {4}at .*\/var\/task\/a\.js:1:1\)?$/),
        expect.stringMatching(/^ {4}at .*\/var\/task\/index\.js:2:1\)?$/),
      ],
    },
    { name: "a handler's file that is nowhere", files: { "other.js": "" }, trace: ["Runtime.ImportModuleError: Error: Cannot find module 'index'", "Require stack:", "- /var/runtime/index.mjs"] },
    { name: "a handler that is not exported", files: { "index.js": "" }, trace: ["Runtime.HandlerNotFound: index.handler is undefined or not exported"] },
    { name: "an error while loading", files: { "index.js": "\n  throw new Error('at start');" }, trace: ["Error: at start", expect.stringMatching(/^ {4}at .*\/var\/task\/index\.js:2:9\)?$/)] },
  ])("$name", async ({ files: archive, trace }) => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", archive as unknown as Record<string, string>); // each row has files of its own
    expect((await invoke(simAws, "fn")).result.trace).toEqual(trace);
  });

  const THROWING = "const label: string = 'typed';\n\nexport const handler = async () => {\n  console.error(new Error('seen'));\n  throw new Error(label);\n};\n";
  test.each([
    { name: "an ES module", files: { "index.mjs": THROWING.replace(": string", "") }, place: "/var/task/index.mjs:5:9" },
    { name: "TypeScript", files: { "index.ts": THROWING }, place: "/var/task/index.ts:5:9" },
    { name: "a module that awaits at its top level", files: { "index.mjs": `import { posix } from "node:path";\nawait posix;\n${THROWING.replace(": string", "")}` }, place: "/var/task/index.mjs:7:9" },
  ])("the places in $name are those of its text", async ({ files: archive, place }) => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", archive as unknown as Record<string, string>); // each row has files of its own
    const { result } = await invoke(simAws, "fn");
    expect(result.trace).toEqual([expect.stringMatching(/^Error: typed$/), `    at handler (${place})`]);
    expect(simAws.log().filter({ kind: "lambda.console.written" }).records[0]!.text).toContain(`(${place.replace(/(\d+):9$/, (_, line: string) => `${Number(line) - 1}:17`)})`);
  });

  test.each([
    { name: "beside the file", inline: false, NODE_OPTIONS: "--enable-source-maps", place: "/handlers/bill.ts:5:9" },
    { name: "inside the file", inline: true, NODE_OPTIONS: "--stack-trace-limit=20 --enable-source-maps", place: "/handlers/bill.ts:5:9" },
    { name: "that nobody asked for", inline: false, NODE_OPTIONS: "", place: expect.stringMatching(/^\/var\/task\/index\.js:\d+:9$/) },
  ])("with a source map $name", async ({ inline, NODE_OPTIONS, place }) => {
    const simAws = await functionWorld();
    const { code, map } = transformSync(THROWING, { loader: "ts", format: "cjs", sourcefile: "../../handlers/bill.ts", sourcemap: inline ? "inline" : "external" });
    await createCode(simAws, "fn", { "index.js": inline ? code : `${code}\n//# sourceMappingURL=index.js.map\n`, "index.js.map": map }, { Environment: { Variables: { NODE_OPTIONS } } });
    const { result } = await invoke(simAws, "fn");
    expect(/\((.*)\)/.exec(result.trace[1])?.[1]).toEqual(place);
  });

  test("a module that may be in a layer is told to be missing, and why", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", "require('shared-tools'); exports.handler = async () => 1;", { Layers: ["arn:aws:lambda:us-east-1:888888888888:layer:tools:1"] });
    expect((await invoke(simAws, "fn")).result).toMatchObject({
      errorType: "Runtime.ImportModuleError",
      errorMessage: "Error: Cannot find module 'shared-tools'\nRequire stack:\n- /var/task/index.js\n- /var/runtime/index.mjs\nThe function has layers, which the sandbox does not unpack: what its code requires must be in its own archive.",
    });
  });

  test("in process, the frames end where the sandbox called the handler, also of what the sandbox threw", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "q");
    const seen: unknown[] = [];
    await createHandler(simAws, "fn", async function work() {
      await simAws.lambda().deleteEventSourceMapping(new DeleteEventSourceMappingCommand({ UUID: "none" })).catch((error: unknown) => seen.push(error));
      throw new TypeError("in process");
    });
    const UUID = await map(simAws, "fn", "q");
    await send(simAws, "q", "a");
    await simAws.backgroundTasksComplete();
    const [failure] = failures(simAws).records;
    expect(failure!.trace![0]).toBe("TypeError: in process");
    expect(failure!.trace!.slice(1)).toEqual([expect.stringContaining("failing-code.test.ts")]);
    expect(String(failures(simAws))).toMatch(/TypeError: in process \(at .*failing-code\.test\.ts:\d+:\d+\)?\)$/);
    expect(seen).toMatchObject([{ name: "ResourceNotFoundException" }]);
    await simAws.lambda().deleteEventSourceMapping(new DeleteEventSourceMappingCommand({ UUID }));
  });
});
