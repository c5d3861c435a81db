import { InvokeCommand } from "@aws-sdk/client-lambda";
import { buildSync } from "esbuild";
import { createCode, createHandler, createQueue, createRole, functionArn, functionWorld, invoke, receive, ROLE, ACCOUNT } from "./function-world.js";

test("module state is warm: the code is loaded once and kept between invocations", async () => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", "console.log('loading'); let calls = 0; exports.handler = async () => ++calls;");
  const first = await invoke(simAws, "fn");
  const second = await invoke(simAws, "fn");
  expect([first.result, second.result]).toEqual([1, 2]);
  expect(first.log).toContain("loading");
  expect(second.log).not.toContain("loading");
});

test("an environment handles one invocation at a time: overlapping ones have each their own", async () => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", "let calls = 0; exports.handler = async () => { const call = ++calls; await new Promise((r) => setTimeout(r, 1000)); return [call, calls]; };");
  const answers = await Promise.all([invoke(simAws, "fn"), invoke(simAws, "fn")]);
  expect(answers.map(({ result }) => result)).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect((await invoke(simAws, "fn")).result).toEqual([2, 2]);
});

test("code has its own variables, process and globals, not the test's", async () => {
  const simAws = await functionWorld();
  process.env["HOST_SECRET"] = "host";
  await createCode(
    simAws,
    "fn",
    `exports.handler = async () => {
       globalThis.leak = 1; process.env.MORE = "set";
       return { host: process.env.HOST_SECRET ?? null, own: process.env.MODE, more: process.env.MORE, cwd: process.cwd(), handler: process.env._HANDLER,
         region: process.env.AWS_REGION, name: process.env.AWS_LAMBDA_FUNCTION_NAME, memory: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE, runtime: process.env.AWS_EXECUTION_ENV };
     };`,
    { Environment: { Variables: { MODE: "test" } }, MemorySize: 256 },
  );
  expect((await invoke(simAws, "fn")).result).toEqual({
    host: null,
    own: "test",
    more: "set",
    cwd: "/var/task",
    handler: "index.handler",
    region: "us-east-1",
    name: "fn",
    memory: "256",
    runtime: "AWS_Lambda_nodejs22.x",
  });
  expect((globalThis as { leak?: unknown }).leak).toBeUndefined();
  expect(process.env["MORE"]).toBeUndefined();
  delete process.env["HOST_SECRET"];
});

test("what Node code expects is there, and instances are what they are across the SDK's and Node's own modules", async () => {
  const simAws = await functionWorld();
  await createCode(
    simAws,
    "fn",
    `const { createHash, randomUUID } = require("node:crypto");
     const { promisify } = require("util");
     const { SQSClient, GetQueueUrlCommand, QueueDoesNotExist } = require("@aws-sdk/client-sqs");
     class OwnError extends Error {}
     exports.handler = async (event) => {
       const thrown = await new SQSClient({}).send(new GetQueueUrlCommand({ QueueName: "none" })).catch((error) => error);
       let native; try { null.x } catch (error) { native = error }
       await promisify(setTimeout)(10);
       return [
         event instanceof Object, event.list instanceof Array, Array.isArray(event.list), new Date() instanceof Date, native instanceof TypeError, native instanceof Error,
         thrown instanceof Error, thrown instanceof QueueDoesNotExist, thrown instanceof OwnError, new OwnError() instanceof OwnError, new OwnError() instanceof Error,
         Buffer.from("x") instanceof Uint8Array, new TextEncoder().encode("x") instanceof Uint8Array, createHash("md5").update(new Uint8Array([1])).digest("hex").length === 32,
         new URL("https://a.b/c").pathname === "/c", structuredClone({ a: 1 }).a === 1, typeof randomUUID() === "string", typeof crypto.randomUUID() === "string",
         new Date().constructor === Date, typeof Date() === "string", new AbortController().signal.aborted === false,
       ].map((value) => (value ? 1 : 0)).join("");
     };`,
  );
  expect((await invoke(simAws, "fn", { list: [] })).result).toBe("111111110111111111111");
});

test.each<{ name: string; source: string; result: unknown }>([
  { name: "a console of the code's own, as loggers make them", source: "const { Console } = require('node:console'); new Console({ stdout: process.stdout, stderr: process.stderr }).error('own'); return [typeof console.Console, require('console').Console === Console];", result: ["function", true] },
  { name: "variables are texts", source: "process.env.N = 5; Object.assign(process.env, { O: true }); process.env.P = undefined; return [process.env.N, process.env.O, process.env.P, delete process.env.N, 'N' in process.env, { ...process.env }.O];", result: ["5", "true", "undefined", true, false, "true"] },
  {
    name: "errors of Node's own modules are of the classes that the code knows",
    source: `const thrown = (run) => { try { run(); } catch (error) { return error; } };
      class OwnTypeError extends TypeError {}
      const url = thrown(() => new URL("nope"));
      const range = thrown(() => Buffer.alloc(-1));
      return [url instanceof TypeError, url instanceof RangeError, url instanceof OwnTypeError, range instanceof RangeError, new OwnTypeError() instanceof TypeError, new Error() instanceof TypeError, null instanceof TypeError];`,
    result: [true, false, false, true, true, false, false],
  },
  {
    name: "so are dates",
    source: "class OwnDate extends Date {} return [structuredClone(new Date()) instanceof Date, new Date() instanceof OwnDate, new OwnDate() instanceof OwnDate, new OwnDate() instanceof Date, ({}) instanceof Date];",
    result: [true, false, true, true, false],
  },
])("code finds what Node has: $name", async ({ source, result }) => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", `exports.handler = async () => { ${source} };`);
  expect(await invoke(simAws, "fn")).toMatchObject({ result, functionError: undefined });
});

test("time is the sandbox's: dates, timers, performance, and an invocation that sleeps", async () => {
  const simAws = await functionWorld();
  await createCode(
    simAws,
    "fn",
    `const timers = require("node:timers/promises");
     exports.handler = async (event, context) => {
       const started = [Date.now(), performance.now(), context.getRemainingTimeInMillis()];
       await timers.setTimeout(1000);
       let ticks = 0;
       await new Promise((resolve) => { const every = setInterval(() => { if (++ticks === 3) { clearInterval(every); resolve(); } }, 100); });
       const cleared = setTimeout(() => { throw new Error("was cleared") }, 50); clearTimeout(cleared);
       await new Promise((resolve) => setImmediate(resolve));
       return { started, ended: [Date.now(), performance.now(), context.getRemainingTimeInMillis()], iso: new Date().toISOString() };
     };`,
  );
  const start = Date.parse("2026-01-01T00:00:00Z");
  expect((await invoke(simAws, "fn")).result).toEqual({ started: [start, 0, 3000], ended: [start + 1300, 1300, 1700], iso: "2026-01-01T00:00:01.300Z" });
  expect(simAws.clock().now().toISOString()).toBe("2026-01-01T00:00:01.300Z");
});

test("chance is the world's seed: the same twice", async () => {
  const draw = async (seed: string): Promise<unknown> => {
    const simAws = await functionWorld({ seed });
    await createCode(simAws, "fn", "exports.handler = async () => [Math.random(), crypto.randomUUID(), require('crypto').randomBytes(4).toString('hex')];");
    return (await invoke(simAws, "fn")).result;
  };
  expect(await draw("a")).toEqual(await draw("a"));
  expect(await draw("a")).not.toEqual(await draw("b"));
});

describe("modules", () => {
  test("an archive's own modules: relative, folders, packages, JSON, and each is run once", async () => {
    const simAws = await functionWorld();
    await createCode(
      simAws,
      "fn",
      {
        "src/app.js": `const a = require("./lib"); const b = require("../shared/b.js"); const { version } = require("../package.json");
          exports.run = async () => [a.name, b.name, version, require("pkg").kind, require("pkg/sub").kind, require("@scope/plain"), require("./lib") === a, require.resolve("pkg"), __filename];`,
        "src/lib/index.js": "exports.name = 'lib';",
        "shared/b.js": "exports.name = 'b';",
        "package.json": '{"version":"1.2.3"}',
        "node_modules/pkg/package.json": '{"exports":{".":{"import":"./esm.mjs","require":"./main.cjs"},"./sub":"./sub.js"}}',
        "node_modules/pkg/main.cjs": "exports.kind = 'main';",
        "node_modules/pkg/esm.mjs": "export const kind = 'esm';",
        "node_modules/pkg/sub.js": "exports.kind = 'sub';",
        "node_modules/@scope/plain/package.json": '{"main":"lib/entry"}',
        "node_modules/@scope/plain/lib/entry.js": "module.exports = 'plain';",
      },
      { Handler: "src/app.run" },
    );
    expect((await invoke(simAws, "fn")).result).toEqual(["lib", "b", "1.2.3", "main", "sub", "plain", true, "/var/task/node_modules/pkg/main.cjs", "/var/task/src/app.js"]);
  });

  test.each([
    { name: "an ES module by its extension", files: { "index.mjs": "import { sep } from 'node:path'; import { name } from './lib.mjs'; export const handler = async () => [sep, name, typeof import.meta.url];", "lib.mjs": "export const name = 'lib';" }, result: ["/", "lib", "string"] },
    { name: "an ES module by its package", files: { "package.json": '{"type":"module"}', "index.js": "import lib from './lib.js'; export const handler = async () => lib;", "lib.js": "export default 'lib';" }, result: "lib" },
    { name: "TypeScript", files: { "index.ts": "import { answer } from './lib.js'; export const handler = async (event: { n: number }): Promise<number> => event.n + answer;", "lib.ts": "export const answer: number = 42;" }, result: 43 },
    { name: "await at the top level", files: { "index.mjs": "import { sep, join as j } from 'node:path'; import * as lib from './lib.mjs'; const late = await lib.load(); export const handler = async () => [late, sep, j('a', 'b')];", "lib.mjs": "export const load = async () => 'late';" }, result: ["late", "/", "a/b"] },
    { name: "import() in CommonJS", files: { "index.js": "exports.handler = async () => { const { name } = await import('./lib.mjs'); return name; };", "lib.mjs": "export const name = 'lib';" }, result: "lib" },
    { name: "createRequire, as bundlers put it in front of ES modules", files: { "index.mjs": "import { createRequire } from 'module'; const require = createRequire(import.meta.url); export const handler = async () => [require('path').sep, require('./data.json').n];", "data.json": '{"n":5}' }, result: ["/", 5] },
    { name: "a file of the archive by its path", files: { "index.js": "exports.handler = async () => require('fs').readFileSync('/var/task/data.txt', 'utf8') + require('fs').readFileSync(__dirname + '/data.txt').length;", "data.txt": "text" }, result: "text4" },
  ])("$name", async ({ files, result }) => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", files as unknown as Record<string, string>); // each row has files of its own
    expect(await invoke(simAws, "fn", { n: 1 })).toMatchObject({ result, functionError: undefined });
  });
});

describe("handlers of every style", () => {
  test.each([
    { name: "async", source: "exports.handler = async (event) => event.n", result: 7 },
    { name: "a promise", source: "exports.handler = (event) => Promise.resolve(event.n)", result: 7 },
    { name: "a callback", source: "exports.handler = (event, context, callback) => { setTimeout(() => callback(null, event.n), 10) }", result: 7 },
    { name: "context.succeed", source: "exports.handler = (event, context, callback) => { context.succeed(event.n) }", result: 7 },
    { name: "a plain value", source: "exports.handler = (event) => event.n", result: 7 },
    { name: "nothing", source: "exports.handler = async () => {}", result: null },
    { name: "a nested export", source: "exports.api = { get: async () => 7 }", result: 7, Handler: "index.api.get" },
  ])("$name", async ({ source, result, Handler = "index.handler" }) => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", source, { Handler });
    expect(await invoke(simAws, "fn", { n: 7 })).toMatchObject({ result, functionError: undefined });
  });

  test("the context says who runs", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", "exports.handler = async (event, context) => ({ ...context, left: context.getRemainingTimeInMillis() })", { Timeout: 5 });
    const { result, log } = await invoke(simAws, "fn");
    expect(result).toMatchObject({ functionName: "fn", functionVersion: "$LATEST", invokedFunctionArn: functionArn("fn"), memoryLimitInMB: "128", logGroupName: "/aws/lambda/fn", left: 5000 });
    expect(result.logStreamName).toMatch(/^2026\/01\/01\/\[\$LATEST\][0-9a-f]{32}$/);
    expect(log).toContain(`START RequestId: ${result.awsRequestId} Version: $LATEST`);
  });
});

describe("what goes wrong", () => {
  test.each([
    { name: "an error", source: "exports.handler = async () => { throw new TypeError('boom') }", errorType: "TypeError", errorMessage: "boom" },
    { name: "a value that is no error", source: "exports.handler = async () => { throw 'text' }", errorType: "string", errorMessage: "text" },
    { name: "a callback's error", source: "exports.handler = (e, c, callback) => callback(new RangeError('far'))", errorType: "RangeError", errorMessage: "far" },
    { name: "an error while loading", source: "throw new Error('at start')", errorType: "Error", errorMessage: "at start" },
    { name: "a module that is not there", source: "require('./none'); exports.handler = async () => 1", errorType: "Runtime.ImportModuleError", errorMessage: "Error: Cannot find module './none'\nRequire stack:\n- /var/task/index.js\n- /var/runtime/index.mjs" },
    { name: "a handler's file that is not there", source: "", Handler: "app.handler", errorType: "Runtime.ImportModuleError", errorMessage: "Error: Cannot find module 'app'\nRequire stack:\n- /var/runtime/index.mjs" },
    { name: "a handler that is not exported", source: "exports.other = 1", errorType: "Runtime.HandlerNotFound", errorMessage: "index.handler is undefined or not exported" },
    { name: "a handler without a method", source: "", Handler: "index", errorType: "Runtime.MalformedHandlerName", errorMessage: "Bad handler" },
    { name: "a text that is no JavaScript", source: "exports.handler = async () => {", errorType: "Runtime.UserCodeSyntaxError", errorMessage: "SyntaxError: Unexpected end of input" },
    { name: "ES module syntax in CommonJS", source: "export const handler = async () => 1", errorType: "Runtime.UserCodeSyntaxError", errorMessage: "SyntaxError: Unexpected token 'export'" },
    { name: "a result that has no JSON", source: "exports.handler = async () => 1n", errorType: "Runtime.MarshalError", errorMessage: expect.stringContaining("Unable to stringify response body") },
    { name: "an error in a timer", source: "exports.handler = () => new Promise(() => { setTimeout(() => { throw new Error('late') }, 100) })", errorType: "Runtime.UncaughtException", errorMessage: "Error: late" },
    { name: "an SDK that is not installed", source: "require('@aws-sdk/client-none')", errorType: "Runtime.ImportModuleError", errorMessage: expect.stringContaining("npm install --save-dev @aws-sdk/client-none") },
    { name: "a fetch out of the sandbox", source: "exports.handler = () => fetch('https://example.com/x')", errorType: "SimSealed", errorMessage: expect.stringMatching(/^GET https:\/\/example.com\/x: the sandbox is sealed/) },
    { name: "a request with http.get", source: "exports.handler = () => new Promise((resolve, reject) => require('https').get('https://example.com/x?y=1', resolve).on('error', reject))", errorType: "SimSealed", errorMessage: expect.stringMatching(/^GET https:\/\/example.com\/x: the sandbox is sealed/) },
    { name: "a request out of the sandbox", source: "exports.handler = async () => require('net').connect(80)", errorType: "SimSealed", errorMessage: expect.stringMatching(/^net.connect: the sandbox is sealed/) },
    { name: "a thread", source: "exports.handler = async () => { new (require('worker_threads').Worker)('x.js'); }", errorType: "SimSealed", errorMessage: expect.stringMatching(/^worker_threads.Worker: the sandbox is sealed/) },
    { name: "a streamed response", source: "exports.handler = awslambda.streamifyResponse(async () => {})", errorType: "SimUnsupported", errorMessage: expect.stringContaining("has not got response streaming") },
    { name: "a process", source: "exports.handler = async () => require('child_process').execSync('ls')", errorType: "SimSealed", errorMessage: expect.stringMatching(/^child_process.execSync: the sandbox is sealed/) },
  ])("$name", async ({ source, errorType, errorMessage, Handler = "index.handler" }) => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", source, { Handler });
    const { result, functionError } = await invoke(simAws, "fn");
    expect({ functionError, result }).toMatchObject({ functionError: "Unhandled", result: { errorType, errorMessage } });
    expect(Object.keys(result).slice(0, 2)).toEqual(["errorType", "errorMessage"]);
  });

  test("a stack names the archive's files and lines", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", { "index.js": "const { fail } = require('./lib/deep');\nexports.handler = async () => fail();", "lib/deep.js": "\n\nexports.fail = () => { throw new Error('deep'); };" });
    const { result } = await invoke(simAws, "fn");
    expect(result.trace).toHaveLength(3);
    expect(result.trace[0]).toBe("Error: deep");
    expect(result.trace[1]).toMatch(/\/var\/task\/lib\/deep\.js:3:\d+/);
    expect(result.trace[2]).toMatch(/\/var\/task\/index\.js:2:\d+/);
  });

  test("a time-out comes on the sandbox's clock, and the next invocation finds a new environment", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", "let calls = 0; exports.handler = async (event) => { calls += 1; if (event.ms) await new Promise((r) => setTimeout(r, event.ms)); return calls; };", { Timeout: 2 });
    expect((await invoke(simAws, "fn", { ms: 1999 })).result).toBe(1);
    const start = simAws.clock().now().getTime();
    const { result, functionError, log } = await invoke(simAws, "fn", { ms: 2001 });
    expect(functionError).toBe("Unhandled");
    expect(result).toEqual({ errorType: "Sandbox.Timedout", errorMessage: expect.stringMatching(/^RequestId: [0-9a-f-]{36} Error: Task timed out after 2.00 seconds$/) });
    expect(log).toContain("Task timed out after 2.00 seconds");
    expect(simAws.clock().now().getTime() - start).toBe(2000);
    expect((await invoke(simAws, "fn")).result).toBe(1);
  });

  test.each([
    { code: "", reason: "Runtime exited without providing a reason" },
    { code: "3", reason: "Runtime exited with error: exit status 3" },
  ])("process.exit($code) ends the invocation and the environment, not the test", async ({ code, reason }) => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", `let calls = 0; exports.handler = async (event) => { calls += 1; if (event.exit) process.exit(${code}); return calls; };`);
    expect((await invoke(simAws, "fn")).result).toBe(1);
    expect((await invoke(simAws, "fn", { exit: true })).result).toEqual({ errorType: "Runtime.ExitError", errorMessage: expect.stringMatching(new RegExp(`^RequestId: [0-9a-f-]{36} Error: ${reason}$`)) });
    expect((await invoke(simAws, "fn")).result).toBe(1);
  });

  test("a function of another language is created and fails at its invocation, saying so", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", { "index.py": "def handler(event, context): pass" }, { Runtime: "python3.13" });
    expect(await invoke(simAws, "fn")).toMatchObject({ functionError: "Unhandled", result: { errorMessage: expect.stringMatching(/^The sandbox runs Node.js functions; fn is for python3.13\. .*makeLambdaZipFileInput/) } });
  });

  test("a result beyond 6 MB is a failure", async () => {
    const simAws = await functionWorld();
    await createCode(simAws, "fn", "exports.handler = async (event) => 'x'.repeat(event.length)");
    expect((await invoke(simAws, "fn", { length: 6_291_556 - 2 })).functionError).toBeUndefined();
    expect((await invoke(simAws, "fn", { length: 6_291_556 - 1 })).result).toEqual({ errorType: "Function.ResponseSizeTooLarge", errorMessage: "Response payload size exceeded maximum allowed payload size (6291556 bytes)." });
  });
});

test("console lines are the function's log, and records of the world's", async () => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", "exports.handler = async () => { console.log('a %s', 'b', { c: 1 }); console.warn('careful'); console.error(new Error('seen').message); process.stdout.write('raw\\n'); };");
  const { log } = await invoke(simAws, "fn");
  const lines = log.trimEnd().split("\n");
  expect(lines[1]).toMatch(/^2026-01-01T00:00:00.000Z\t[0-9a-f-]{36}\tINFO\ta b { c: 1 }$/);
  expect(lines.slice(2, 5).map((line) => line.split("\t").slice(-2).join(" "))).toEqual(["WARN careful", "ERROR seen", "raw"]);
  expect(lines.at(-1)).toMatch(/^REPORT RequestId: [0-9a-f-]{36}\tDuration: 0.00 ms\tBilled Duration: 1 ms\tMemory Size: 128 MB\tMax Memory Used: \d+ MB$/);
  expect(simAws.log().filter({ function: "fn", kind: "lambda.console.written" }).records.map(({ text }) => text)).toEqual(["a b { c: 1 }", "careful", "seen", "raw"]);
});

describe("the runtime-provided SDK", () => {
  test("its clients are the execution role, in the function's region, without the code knowing", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "out");
    await createCode(
      simAws,
      "fn",
      `const { SQS } = require("@aws-sdk/client-sqs"); const { STSClient, GetCallerIdentityCommand } = require("@aws-sdk/client-sts");
       const sqs = new SQS({ endpoint: "https://localhost:1", requestHandler: { handle() { throw new Error("left the sandbox") } } });
       exports.handler = async () => {
         const { QueueUrl } = await sqs.getQueueUrl({ QueueName: "out" });
         await sqs.sendMessage({ QueueUrl, MessageBody: "from code" });
         return { who: (await new STSClient().send(new GetCallerIdentityCommand({}))).Arn, region: await sqs.config.region(), class: sqs.constructor.name };
       };`,
    );
    expect((await invoke(simAws, "fn")).result).toEqual({ who: `arn:aws:sts::${ACCOUNT}:assumed-role/consumer/fn`, region: "us-east-1", class: "SQS" });
    expect((await receive(simAws, "out")).map(({ Body }) => Body)).toEqual(["from code"]);
  });

  test("a queue's URL may be of any host, without a word from the client", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "out");
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    await createCode(simAws, "fn", "const { SQS } = require('@aws-sdk/client-sqs'); exports.handler = ({ QueueUrl }) => new SQS({}).sendMessage({ QueueUrl, MessageBody: 'sent' });");
    expect(await invoke(simAws, "fn", { QueueUrl: `http://127.0.0.1:4566/${ACCOUNT}/out` })).toMatchObject({ functionError: undefined, log: expect.not.stringContaining("WARN") });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    expect((await receive(simAws, "out")).map(({ Body }) => Body)).toEqual(["sent"]);
  });

  test("what the role may not do is denied", async () => {
    const simAws = await functionWorld();
    await createRole(simAws, "poor", []);
    await createQueue(simAws, "out");
    await createCode(
      simAws,
      "fn",
      "const { SQSClient, GetQueueUrlCommand } = require('@aws-sdk/client-sqs'); exports.handler = () => new SQSClient({}).send(new GetQueueUrlCommand({ QueueName: 'out' }));",
      { Role: `arn:aws:iam::${ACCOUNT}:role/poor` },
    );
    const { result } = await invoke(simAws, "fn");
    expect(result.errorMessage).toContain(`arn:aws:sts::${ACCOUNT}:assumed-role/poor/fn is not authorized to perform: sqs:getqueueurl`);
  });

  test("an SDK that the archive brings along reaches the sandbox over its own HTTP, as the role", async () => {
    const simAws = await functionWorld();
    await createQueue(simAws, "out");
    const source = `import { SQSClient, SendMessageCommand, GetQueueUrlCommand } from "@aws-sdk/client-sqs";
      const client = new SQSClient({});
      export const handler = async () => {
        const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: "out" }));
        await client.send(new SendMessageCommand({ QueueUrl, MessageBody: "bundled" }));
        const denied = await client.send(new GetQueueUrlCommand({ QueueName: "none" })).catch((error) => error.name);
        const response = await fetch("https://sts.us-east-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15");
        return { denied, status: response.status };
      };`;
    const { outputFiles } = buildSync({ stdin: { contents: source, resolveDir: __dirname }, bundle: true, platform: "node", format: "cjs", write: false, target: "node20" });
    await createCode(simAws, "fn", outputFiles[0]!.text, { Timeout: 30 });
    expect((await invoke(simAws, "fn")).result).toEqual({ denied: "QueueDoesNotExist", status: 403 });
    const [message] = await receive(simAws, "out");
    expect(message).toMatchObject({ Body: "bundled", Attributes: { SenderId: expect.stringMatching(/:fn$/) } });
  });

  test("a function invokes another, which sleeps, and both end", async () => {
    const simAws = await functionWorld();
    await createRole(simAws, "caller", ["lambda:InvokeFunction"]);
    await createCode(simAws, "inner", "exports.handler = async (event) => { await new Promise((r) => setTimeout(r, 800)); return event.n * 2; }");
    await createCode(
      simAws,
      "outer",
      `const { LambdaClient, InvokeCommand } = require("@aws-sdk/client-lambda");
       exports.handler = async () => { const { Payload } = await new LambdaClient({}).send(new InvokeCommand({ FunctionName: "inner", Payload: JSON.stringify({ n: 21 }) })); return JSON.parse(Buffer.from(Payload).toString()); };`,
      { Role: ROLE.replace("consumer", "caller") },
    );
    expect((await invoke(simAws, "outer")).result).toBe(42);
    expect(simAws.clock().now().toISOString()).toBe("2026-01-01T00:00:00.800Z");
  });
});

test("what falls due between invocations waits for the next one, as the environment is frozen", async () => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", "let fired = 0; exports.handler = async () => { setTimeout(() => { fired += 1; }, 1000); return fired; };");
  expect((await invoke(simAws, "fn")).result).toBe(0);
  await simAws.clock().advanceBy({ minutes: 1 });
  expect((await invoke(simAws, "fn")).result).toBe(1);
});

test("credentials end with their session: an environment whose ended is made anew", async () => {
  const simAws = await functionWorld();
  await createCode(simAws, "fn", "let calls = 0; exports.handler = async () => [++calls, process.env.AWS_ACCESS_KEY_ID];");
  const [, first] = (await invoke(simAws, "fn")).result as [number, string];
  await simAws.clock().advanceBy({ hours: 1 });
  const [calls, second] = (await invoke(simAws, "fn")).result as [number, string];
  expect(calls).toBe(1);
  expect(second).not.toBe(first);
});

test("in-process handlers are called in the test's own realm, and in-process errors carry their stack", async () => {
  const simAws = await functionWorld();
  const seen: unknown[] = [];
  await createHandler(simAws, "fn", (event: unknown, context: { awsRequestId: string }) => {
    seen.push(event, context.awsRequestId);
    throw new TypeError("in process");
  });
  const { $metadata, FunctionError, Payload } = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "fn", Payload: JSON.stringify({ a: [1] }) }));
  expect(seen).toStrictEqual([{ a: [1] }, $metadata.requestId]);
  expect(FunctionError).toBe("Unhandled");
  const payload = JSON.parse(Payload!.transformToString()) as { trace: string[] };
  expect(payload).toMatchObject({ errorType: "TypeError", errorMessage: "in process" });
  expect(payload.trace.join("\n")).toContain("isolated-code.test.ts");
});
