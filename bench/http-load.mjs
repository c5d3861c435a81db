// A load generator in a thread of its own: raw keep-alive connections that ask again as soon as they are answered.
import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/** @type {{ port: number, concurrency: number }} */
const { port, concurrency } = workerData;

parentPort.on("message", async (/** @type {{ story: "send" | "receive-and-delete", times: number, queueUrl: string, body: string }} */ job) => {
  let left = job.times;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      const connection = await open();
      while (left-- > 0) await tell(connection, job);
      connection.end();
    }),
  );
  parentPort.postMessage(performance.now() - startedMs);
});

async function tell(connection, { story, queueUrl, body }) {
  if (story === "send") return connection.ask("SendMessage", { QueueUrl: queueUrl, MessageBody: body });
  const received = await connection.ask("ReceiveMessage", { QueueUrl: queueUrl });
  const handle = /"ReceiptHandle":"([^"]+)"/.exec(received)?.[1] ?? "none";
  return connection.ask("DeleteMessage", { QueueUrl: queueUrl, ReceiptHandle: handle });
}

function open() {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let received = "";
    let answered = () => {};
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      received += chunk;
      const headEnd = received.indexOf("\r\n\r\n");
      if (headEnd === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < headEnd + 4 + length) return;
      const body = received.slice(headEnd + 4);
      received = "";
      answered(body);
    });
    socket.on("connect", () =>
      resolve({
        ask(action, input) {
          const body = JSON.stringify(input);
          socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.${action}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
          return new Promise((resolveAnswer) => (answered = resolveAnswer));
        },
        end: () => socket.end(),
      }),
    );
  });
}
