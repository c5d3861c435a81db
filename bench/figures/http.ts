import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { serveSimAws } from "sandstack/serve";
import { figure, type Benchmark, type Figure } from "../figure.js";
import { interleaved } from "../measure.js";

const ROUNDS = 9;
const CONCURRENCY = 16;
/** How many stories are told in one round. */
const TIMES = 1_000;
const BODY = "x".repeat(1024);
const STORIES = ["send", "receive-and-delete"] as const;
const DEPTH = 100_000;
/** A rate that is less by a fifth. */
const DEPTH_LIMIT = 1.25;

/** Raw requests over keep-alive connections, against a bare server that parses JSON and answers a constant. */
export const http: Benchmark = {
  name: "http",
  async run() {
    const server = await serveSimAws({ simAws: new SimAws({ clock: "live" }), port: 0 });
    const bare = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        JSON.parse(Buffer.concat(chunks).toString());
        response.writeHead(200, { "content-type": "application/x-amz-json-1.0", "content-length": ANSWER.length }).end(ANSWER);
      });
    }).listen(0, "127.0.0.1");
    await once(bare, "listening");
    const loads = { sandbox: load(server.port), bare: load((bare.address() as AddressInfo).port) }; // it listens on a port
    const queues = { empty: await queueOf(server.simAws, "empty", "none"), waiting: await queueOf(server.simAws, "waiting", "waiting"), inFlight: await queueOf(server.simAws, "in-flight", "in flight") };
    const figures: Figure[] = [];
    for (const story of STORIES) {
      const tell = (ask: Load, queueUrl: string) => () => ask.tell({ story, times: TIMES, queueUrl, body: BODY });
      // Each round of receives and deletes needs its messages.
      const fill = async (): Promise<void> => {
        for (const queueUrl of story === "send" ? [] : Object.values(queues)) await loads.sandbox.tell({ story: "send", times: TIMES, queueUrl, body: BODY });
        // What it leaves to be collected is nobody's in particular.
        await loads.bare.tell({ story, times: TIMES, queueUrl: queues.empty, body: BODY });
      };
      const works = {
        fill,
        bare: tell(loads.bare, queues.empty),
        empty: tell(loads.sandbox, queues.empty),
        waiting: tell(loads.sandbox, queues.waiting),
        inFlight: tell(loads.sandbox, queues.inFlight),
      };
      await interleaved(2, works);
      const timesMs = await interleaved(ROUNDS, works);
      const rate = (name: keyof typeof works): number => ((TIMES * (story === "send" ? 1 : 2)) / timesMs[name]) * 1000;
      const atDepth = (name: "waiting" | "inFlight") => ({ ratioTo: "the time with an empty queue", ratio: timesMs[name] / timesMs.empty, target: DEPTH_LIMIT });
      figures.push(
        figure(`http.${story}`, rate("empty"), "requests/s", { ratioTo: "a bare server's time", ratio: timesMs.empty / timesMs.bare, target: 2 }),
        figure(`http.${story}.with-${DEPTH}-waiting`, rate("waiting"), "requests/s", atDepth("waiting")),
        figure(`http.${story}.with-${DEPTH}-in-flight`, rate("inFlight"), "requests/s", atDepth("inFlight")),
      );
    }
    for (const each of Object.values(loads)) await each.end();
    await server.close();
    bare.close();
    return figures;
  },
};

const ANSWER = JSON.stringify({ MessageId: "00000000-0000-4000-8000-000000000000", MD5OfMessageBody: "00000000000000000000000000000000", ReceiptHandle: "handle" });

interface Job {
  readonly story: (typeof STORIES)[number];
  readonly times: number;
  readonly queueUrl: string;
  readonly body: string;
}

interface Load {
  tell(job: Job): Promise<unknown>;
  end(): Promise<unknown>;
}

function load(port: number): Load {
  const worker = new Worker(new URL("../http-load.mjs", import.meta.url), { workerData: { port, concurrency: CONCURRENCY } });
  return {
    async tell(job) {
      worker.postMessage(job);
      await once(worker, "message");
    },
    end: () => worker.terminate(),
  };
}

async function queueOf(simAws: SimAws, QueueName: string, filling: "none" | "waiting" | "in flight"): Promise<string> {
  const sqs = simAws.sqs();
  const { QueueUrl = "" } = await sqs.createQueue(new CreateQueueCommand({ QueueName }));
  const Entries = Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: BODY }));
  for (let sent = 0; filling !== "none" && sent < DEPTH; sent += 10) {
    await sqs.sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (filling === "in flight") await sqs.receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 43_200 }));
  }
  return QueueUrl;
}
