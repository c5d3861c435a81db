import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { CreateQueueCommand, SendMessageBatchCommand } from "@aws-sdk/client-sqs";
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
    const figures: Figure[] = [];
    for (const messageCount of [0, DEPTH]) {
      const queueUrl = await queueOf(server.simAws, `depth-${messageCount}`, messageCount);
      for (const story of STORIES) {
        const tell = (ask: Load) => () => ask.tell({ story, times: TIMES, queueUrl, body: BODY });
        const works = { sandbox: tell(loads.sandbox), bare: tell(loads.bare) };
        // Each round of receives and deletes needs its messages.
        const fill = (): Promise<unknown> => (story === "send" ? Promise.resolve() : loads.sandbox.tell({ story: "send", times: TIMES, queueUrl, body: BODY }));
        await fill();
        await interleaved(2, works);
        const timesMs = await interleaved(ROUNDS, { fill, ...works });
        const requests = TIMES * (story === "send" ? 1 : 2);
        figures.push(figure(`http.${story}.with-${messageCount}-waiting`, (requests / timesMs.sandbox) * 1000, "requests/s", { ratioTo: "a bare server's time", ratio: timesMs.sandbox / timesMs.bare, target: 2 }));
      }
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

async function queueOf(simAws: SimAws, QueueName: string, messageCount: number): Promise<string> {
  const { QueueUrl = "" } = await simAws.sqs().createQueue(new CreateQueueCommand({ QueueName }));
  for (let sent = 0; sent < messageCount; sent += 10) {
    await simAws.sqs().sendMessageBatch(new SendMessageBatchCommand({ QueueUrl, Entries: Array.from({ length: 10 }, (_, index) => ({ Id: String(index), MessageBody: BODY })) }));
  }
  return QueueUrl;
}
