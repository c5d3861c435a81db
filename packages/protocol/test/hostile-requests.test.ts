import { Agent, request as httpRequest } from "node:http";
import { SimAws } from "sandstack";
import { serveSimAws } from "sandstack/serve";

const REQUEST_COUNT = 20_000;
const CONCURRENCY = 64;
const SEED = 20_251_124;

/** A small seeded generator (mulberry32): the same requests in every run. */
function seeded(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: <T>(items: readonly T[]): T => items[below(items.length)] as T }; // the index is one of the list's
}

const QUEUE = "http://127.0.0.1/888888888888/orders";
const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"];
const PATHS = [
  "/",
  "//",
  "/888888888888/orders",
  "/888888888888/orders/",
  "/888888888888/%F0%9F%98%80",
  "/../../etc/passwd",
  "/%00",
  "/%zz",
  "/?Action=ListQueues",
  "/?Action=ReceiveMessage&QueueUrl=",
  "/?%zz=1",
  "/?Action=SendMessage&Action=ListQueues",
  "/?X-Amz-Credential=a/b/c/d/aws4_request&X-Amz-Date=x",
  "/2015-03-31/functions",
  "/2015-03-31/functions/f/invocations",
  "/2015-03-31/functions/%2F%2F/code",
  "/2015-03-31/event-source-mappings/",
  "/2015-03-31/event-source-mappings/%zz?MaxItems=1e999",
  "/2017-03-31/tags/arn%3A?tagKeys=a&tagKeys=b",
  "/_sandstack/clock",
  "/_sandstack/health?x",
];
const TARGETS = ["AmazonSQS.SendMessage", "AmazonSQS.CreateQueue", "AmazonSQS.SendMessageBatch", "AmazonSQS.ReceiveMessage", "AmazonSQS.constructor", "AmazonSQS.__proto__", "AmazonSQS.", ".", "", "x".repeat(5000), "AWSGirApiService.Invoke"];
const ACTIONS = ["SendMessage", "CreateQueue", "SendMessageBatch", "SetQueueAttributes", "CreateRole", "AssumeRole", "CreateStack", "GetCallerIdentity", "toString", "__proto__", ""];
const VALUES = ["", "null", "0", "-1", "1e400", "NaN", "true", "[]", "{}", '"x"', '"\\u0000"', '"\\ud800"', "[[[[[[]]]]]]", '{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}', `"${QUEUE}"`, `"${"a".repeat(7_000)}"`, "[null,null]", '{"":""}'];
const MEMBERS = ["QueueUrl", "QueueName", "MessageBody", "Entries", "Attributes", "MessageAttributes", "DelaySeconds", "MaxNumberOfMessages", "tags", "__proto__", "Id", "FunctionName", "Code", "BatchSize"];
const AUTHORIZATIONS = [
  "AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=00",
  "AWS4-HMAC-SHA256 Credential=test/20250101//lambda/aws4_request, SignedHeaders=, Signature=0",
  "AWS4-HMAC-SHA256 Credential=////aws4_request, SignedHeaders=host, Signature=00",
  "AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/__proto__/aws4_request, SignedHeaders=host, Signature=00",
  "AWS4-HMAC-SHA256",
  "Basic eDp5",
];

test("hostile requests get an answer of the 400s, or one that says what is lacking, and the server goes on", async () => {
  const server = await serveSimAws({ simAws: new SimAws(), port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const random = seeded(SEED);
  const failures: string[] = [];
  let sent = 0;
  async function worker(): Promise<void> {
    while (sent < REQUEST_COUNT) {
      sent += 1;
      const hostile = hostileRequest(random);
      const status = await statusOf(server.port, agent, hostile);
      if (status < 200 || (status >= 500 && status !== 501)) failures.push(`${status} ${JSON.stringify(hostile).slice(0, 300)}`);
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  expect(failures).toEqual([]);
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  expect(await statusOf(server.port, agent, { method: "GET", path: "/_sandstack/health", headers: {}, body: "" })).toBe(200);
  agent.destroy();
  await server.close();
}, 120_000);

interface Hostile {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array;
}

function hostileRequest({ below, pick }: ReturnType<typeof seeded>): Hostile {
  const headers: Record<string, string> = {};
  if (below(2) === 0) headers["x-amz-target"] = pick(TARGETS);
  if (below(3) === 0) headers["authorization"] = pick(AUTHORIZATIONS);
  if (below(3) === 0) headers["content-type"] = pick(["application/x-amz-json-1.0", "application/x-www-form-urlencoded", "text/xml", ""]);
  return { method: pick(METHODS), path: pick(PATHS), headers, body: hostileBody({ below, pick }) };
}

function hostileBody({ below, pick }: ReturnType<typeof seeded>): string | Uint8Array {
  const members = Array.from({ length: below(5) }, () => pick(MEMBERS));
  const json = `{${members.map((member) => `"${member}":${pick(VALUES) || "1"}`).join(",")}}`;
  switch (below(7)) {
    case 0:
      return json;
    case 1:
      return json.slice(0, below(json.length + 1));
    case 2:
      return `Action=${pick(ACTIONS)}&${members.map((member) => `${member}.${below(3)}.${pick(MEMBERS)}=${encodeURIComponent(pick(VALUES))}`).join("&")}`;
    case 3:
      return `Action=${pick(ACTIONS)}&${members.map((member) => `${member}=${pick(VALUES)}`).join("&")}`;
    case 4:
      return Uint8Array.from({ length: below(200) }, () => below(256));
    case 5:
      return pick(["[", '{"a":', "<a><b>"]).repeat(below(2000));
    default:
      return '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>';
  }
}

function statusOf(port: number, agent: Agent, { method, path, headers, body }: Hostile): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: "127.0.0.1", port, agent, method, path, headers }, (incoming) => {
      incoming.resume();
      incoming.on("end", () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
