import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";

const root = join(__dirname, "../../..");

type Command = ChildProcessByStdio<null, Readable, Readable>;

/** The command as its users run it: in a process of its own. */
function sandstack(...args: string[]): Command {
  return spawn(process.execPath, [join(root, "scripts/run.mjs"), join(root, "packages/cli/src/main.ts"), ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}

async function endpointOf({ stdout }: Command): Promise<string> {
  let written = "";
  for (;;) {
    const [chunk] = (await once(stdout, "data")) as [Buffer];
    written += chunk.toString();
    const endpoint = /AWS_ENDPOINT_URL=(\S+)/.exec(written)?.[1];
    if (endpoint !== undefined) return endpoint;
  }
}

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a server at once, with clients that wait", async (signal) => {
  const server = sandstack("serve", "--port", "0");
  const exited = once(server, "exit");
  const endpoint = await endpointOf(server);
  const ask = async (parameters: string) => (await fetch(`${endpoint}/?${parameters}`)).text();
  await ask("Action=CreateQueue&QueueName=orders");
  const waiting = ask(`Action=ReceiveMessage&WaitTimeSeconds=20&QueueUrl=${encodeURIComponent(`${endpoint}/000000000000/orders`)}`);
  await ask("Action=ListQueues");
  const toldMs = Date.now();
  server.kill(signal);
  expect(await exited).toEqual([0, null]);
  expect(await waiting).toContain("<ReceiveMessageResult/>");
  expect(Date.now() - toldMs).toBeLessThan(10_000);
}, 60_000);

test.each([
  { args: ["serve", "--port", "http"], exitCode: 2, err: "--port takes a number from 0 to 65535" },
  { args: ["serve", "--port"], exitCode: 2, err: "--port" },
  { args: ["polish"], exitCode: 2, err: "There is no command polish." },
  { args: [], exitCode: 2, err: "Usage: sandstack serve" },
  { args: ["--help"], exitCode: 0, out: "Usage: sandstack serve" },
])("sandstack $args ends with $exitCode", async ({ args, exitCode, err = "", out = "" }) => {
  const command = sandstack(...args);
  const [[code], told, complained] = await Promise.all([once(command, "exit"), textOf(command.stdout), textOf(command.stderr)]);
  expect(code).toBe(exitCode);
  expect(told).toContain(out);
  expect(complained).toContain(err);
}, 60_000);
