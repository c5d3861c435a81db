import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { CreateQueueCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { serveSimAws } from "sandstack/serve";
import { figure, type Benchmark, type Figure } from "../figure.js";
import { interleaved, median } from "../measure.js";
import { packageEntry, root } from "../package-entry.js";

const STARTS = 11;
const FIRST_ANSWER_LIMIT_MS = 250;
const MEMORY_LIMIT_MB = 80;
const POLLS = 301;
const WAKE_LIMIT_MS = 1;

/** A server in a process of its own: how soon it answers, what it takes when idle; and how soon a waiting long poll is answered. */
export const serve: Benchmark = {
  name: "serve",
  async run() {
    const entry = await packageEntry("cli", "main");
    const memoriesMb: number[] = [];
    const empty = (): unknown => spawnSync(process.execPath, ["--eval", ""]);
    const timesMs = await interleaved(STARTS, { empty, served: async () => memoriesMb.push(await firstAnswer(entry)) });
    return [
      figure("serve.first-answered-send", timesMs.served, "ms", { target: FIRST_ANSWER_LIMIT_MS }),
      figure("serve.empty-process", timesMs.empty, "ms"),
      figure("serve.idle-memory", median(memoriesMb), "MB", { target: MEMORY_LIMIT_MB }),
      await wakeUp(),
    ];
  },
};

/** Starts a server, waits for its answer to a first message, and answers the memory that it then takes, in megabytes. */
async function firstAnswer(entry: string): Promise<number> {
  const server = spawn(process.execPath, [entry, "serve", "--port", "0"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await portOf(server);
    const agent = new Agent({ keepAlive: true });
    const { QueueUrl } = JSON.parse(await ask(agent, port, "CreateQueue", { QueueName: "orders" })) as { QueueUrl: string };
    await ask(agent, port, "SendMessage", { QueueUrl, MessageBody: "first" });
    agent.destroy();
    return residentMb(server.pid);
  } finally {
    server.kill("SIGINT");
    await once(server, "exit");
  }
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  let written = "";
  for await (const chunk of stdout ?? []) {
    written += String(chunk);
    const port = /AWS_ENDPOINT_URL=http:\/\/127\.0\.0\.1:(\d+)/.exec(written)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`The server ended: ${written}`);
}

function residentMb(pid: number | undefined): number {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(stdout) / 1024;
}

function ask(agent: Agent, port: number, action: string, input: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `AmazonSQS.${action}` };
    const outgoing = request({ host: "127.0.0.1", port, agent, method: "POST", path: "/", headers }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => (text += chunk));
      incoming.on("end", () => (incoming.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify(input));
  });
}

/** From the send of a message to the answer of the long poll that waits for it, at its client. */
async function wakeUp(): Promise<Figure> {
  const server = await serveSimAws({ simAws: new SimAws({ clock: "live" }), port: 0 });
  const agent = new Agent({ keepAlive: true });
  const sqs = server.simAws.sqs();
  const { QueueUrl } = await sqs.createQueue(new CreateQueueCommand({ QueueName: "orders" }));
  const timesMs: number[] = [];
  for (let poll = 0; poll < POLLS; poll++) {
    const answered = ask(agent, server.port, "ReceiveMessage", { QueueUrl, WaitTimeSeconds: 20 });
    // Whatever another connection is answered after, the poll waits by then.
    await ask(agent, server.port, "GetQueueUrl", { QueueName: "orders" });
    const startedMs = performance.now();
    await sqs.sendMessage(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    await answered;
    timesMs.push(performance.now() - startedMs);
  }
  agent.destroy();
  await server.close();
  return figure("serve.long-poll-wake-up", median(timesMs), "ms", { target: WAKE_LIMIT_MS });
}
