import { connect } from "node:net";
import { networkInterfaces, type NetworkInterfaceInfo } from "node:os";
import { request as httpRequest } from "node:http";
import { CreateRoleCommand, IAMClient, NoSuchEntityException, GetRoleCommand } from "@aws-sdk/client-iam";
import { CreateQueueCommand, DeleteMessageCommand, ListQueuesCommand, QueueDoesNotExist, ReceiveMessageCommand, SendMessageCommand, SQSClient, type SQSClientConfig } from "@aws-sdk/client-sqs";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { SignatureV4 } from "@smithy/signature-v4";
import { Sha256 } from "@smithy/core/checksum";
import { SimAws } from "sandstack";
import { serveSimAws, type ServeOptions, type SimAwsServer } from "sandstack/serve";

const ACCOUNT = "888888888888";
const JSON_TYPE = "application/x-amz-json-1.0";
const FORM = "application/x-www-form-urlencoded; charset=utf-8";
const test123 = { accessKeyId: "test", secretAccessKey: "test" };

let server: SimAwsServer;
let simAws: SimAws;

async function serve(options: Omit<ServeOptions, "port"> = {}): Promise<SimAwsServer> {
  server = await serveSimAws({ simAws: new SimAws(), port: 0, ...options });
  ({ simAws } = server);
  return server;
}

afterEach(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly text: string;
}

/** A plain request; `fetch` does not let a test set `Host` and `Origin`. */
function ask(method: string, path: string, headers: Record<string, string> = {}, body: string | Uint8Array = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: "127.0.0.1", port: server.port, method, path, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers as Answer["headers"], text: Buffer.concat(chunks).toString() }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const json = (action: string, input: object) => ask("POST", "/", { "content-type": JSON_TYPE, "x-amz-target": `AmazonSQS.${action}` }, JSON.stringify(input));
const query = (parameters: Record<string, string>, path = "/") => ask("POST", path, { "content-type": FORM }, new URLSearchParams(parameters).toString());

describe("SQS in both protocols on one listener", () => {
  test("one message goes from one to the other", async () => {
    const { url } = await serve();
    const created = await json("CreateQueue", { QueueName: "orders" });
    expect(created).toMatchObject({ status: 200, headers: { "content-type": JSON_TYPE, "x-amzn-requestid": expect.any(String) } });
    const { QueueUrl } = JSON.parse(created.text) as { QueueUrl: string };
    expect(QueueUrl).toBe(`${url}/${ACCOUNT}/orders`);
    await json("SendMessage", { QueueUrl, MessageBody: "a & <b> \r\n", MessageAttributes: { k: { DataType: "String", StringValue: "v" } } });
    const received = await query({ Action: "ReceiveMessage", Version: "2012-11-05", QueueUrl, "AttributeName.1": "SentTimestamp", "AttributeName.2": "ApproximateReceiveCount", "MessageAttributeName.1": "All" });
    expect(received).toMatchObject({ status: 200, headers: { "content-type": "text/xml" } });
    expect(received.text).toMatch(/^<\?xml version="1.0"\?><ReceiveMessageResponse xmlns="http:\/\/queue.amazonaws.com\/doc\/2012-11-05\/"><ReceiveMessageResult><Message><MessageId>/);
    expect(received.text).toContain("<Body>a &amp; &lt;b&gt; &#xD;\n</Body>");
    expect(received.text).toContain("<MessageAttribute><Name>k</Name><Value><DataType>String</DataType><StringValue>v</StringValue></Value></MessageAttribute>");
    expect(received.text.match(/<Attribute><Name>/g)).toHaveLength(2);
    const empty = await query({ Action: "ReceiveMessage", QueueUrl });
    expect(empty.text).toContain("<ReceiveMessageResult/><ResponseMetadata><RequestId>");
  });

  test("the queue's own URL is an endpoint, and a QueueUrl parameter overrules it", async () => {
    await serve();
    for (const QueueName of ["one", "two"]) await json("CreateQueue", { QueueName });
    expect((await query({ Action: "SendMessage", MessageBody: "to one" }, `/${ACCOUNT}/one`)).status).toBe(200);
    const parameters = new URLSearchParams({ Action: "GetQueueAttributes", QueueUrl: `http://elsewhere/${ACCOUNT}/two`, "AttributeName.1": "QueueArn" });
    expect((await ask("GET", `/${ACCOUNT}/one?${parameters.toString()}`)).text).toContain(":two</Value>");
    expect(JSON.parse((await json("ReceiveMessage", { QueueUrl: `http://x/${ACCOUNT}/one` })).text)).toMatchObject({ Messages: [{ Body: "to one" }] });
    expect((await query({ Action: "GetQueueUrl", QueueName: "two" }, `/${ACCOUNT}/one`)).text).toContain(`/${ACCOUNT}/two</QueueUrl>`);
    for (const Action of ["CreateQueue", "ListQueues", "FooBar"]) {
      const refused = await query({ Action, QueueName: "x" }, `/${ACCOUNT}/one`);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain(`<Error><Type>Sender</Type><Code>InvalidAction</Code><Message>The action ${Action} is not valid for this endpoint.</Message><Detail/></Error>`);
    }
    for (const accept of ["*/*", "application/json"]) expect(await ask("GET", `/${ACCOUNT}/one`, { accept })).toMatchObject({ status: 404, text: "<UnknownOperationException/>" });
  });

  test("errors carry both names in JSON, and the older one in XML", async () => {
    await serve();
    const missing = await json("GetQueueUrl", { QueueName: "missing" });
    expect(missing).toMatchObject({ status: 400, headers: { "x-amzn-query-error": "AWS.SimpleQueueService.NonExistentQueue;Sender", "content-type": JSON_TYPE, "x-amzn-requestid": expect.any(String) } });
    expect(JSON.parse(missing.text)).toEqual({ __type: "com.amazonaws.sqs#QueueDoesNotExist", message: "The specified queue does not exist." });
    const older = await query({ Action: "GetQueueUrl", QueueName: "missing" });
    expect(older.status).toBe(400);
    expect(older.text).toContain("<Code>AWS.SimpleQueueService.NonExistentQueue</Code><Message>The specified queue does not exist for this wsdl version.</Message><Detail/></Error><RequestId>");

    const { QueueUrl } = JSON.parse((await json("CreateQueue", { QueueName: "q" })).text) as { QueueUrl: string };
    const invalid = await json("ReceiveMessage", { QueueUrl, MaxNumberOfMessages: 11 });
    expect(invalid.headers["x-amzn-query-error"]).toBe("InvalidParameterValue;Sender");
    expect(JSON.parse(invalid.text)).toMatchObject({ __type: "com.amazon.coral.service#InvalidParameterValueException", message: expect.stringContaining("Must be between 1 and 10") });
    const unknown = await json("FooBar", {});
    expect(unknown).toMatchObject({ status: 400, headers: { "x-amzn-query-error": "InvalidAction;Sender" } });
    const bodyless = await query({ Action: "SendMessage", QueueUrl });
    expect(bodyless.text).toContain("<Code>MissingParameter</Code><Message>The request must contain the parameter MessageBody.</Message>");
  });

  test("a client of the Query protocol may have its answers as JSON", async () => {
    await serve();
    const get = async (parameters: Record<string, string>) => {
      const answer = await ask("GET", `/?${new URLSearchParams(parameters).toString()}`, { accept: "application/json" });
      expect(answer.headers["content-type"]).toBe("application/json");
      return JSON.parse(answer.text) as unknown;
    };
    const ResponseMetadata = { RequestId: expect.any(String) };
    const QueueUrl = `${server.url}/${ACCOUNT}/orders`;
    expect(await get({ Action: "CreateQueue", QueueName: "orders" })).toEqual({ CreateQueueResponse: { CreateQueueResult: { QueueUrl }, ResponseMetadata } });
    expect(await get({ Action: "ListQueues" })).toEqual({ ListQueuesResponse: { ListQueuesResult: { queueUrls: [QueueUrl], NextToken: null }, ResponseMetadata } });
    await get({ Action: "SendMessage", QueueUrl, MessageBody: "m" });
    expect(await get({ Action: "ReceiveMessage", QueueUrl, "AttributeName.1": "ApproximateReceiveCount" })).toMatchObject({
      ReceiveMessageResponse: { ReceiveMessageResult: { messages: [{ Body: "m", Attributes: [{ Name: "ApproximateReceiveCount", Value: "1" }], MessageAttributes: null }] } },
    });
    expect(await get({ Action: "PurgeQueue", QueueUrl })).toEqual({ PurgeQueueResponse: { ResponseMetadata } });
    expect(await get({ Action: "FooBar" , Version: "2012-11-05" })).toEqual({ Error: { Code: "InvalidAction", Message: "The action FooBar is not valid for this endpoint.", Type: "Sender" }, RequestId: expect.any(String) });
    expect(await get({ Action: "GetCallerIdentity", Version: "2011-06-15" })).toMatchObject({ GetCallerIdentityResponse: { GetCallerIdentityResult: { Account: ACCOUNT } } });
  });

  test("what a request means is never told by its content type", async () => {
    await serve();
    expect((await ask("POST", "/", { "content-type": FORM, "x-amz-target": "AmazonSQS.ListQueues" }, "{}")).status).toBe(200);
    expect((await ask("POST", "/", { "content-type": JSON_TYPE }, "Action=ListQueues")).text).toContain("<ListQueuesResponse");
    expect((await ask("POST", "/", {}, "Action=GetCallerIdentity&Version=2011-06-15")).text).toContain(`<Account>${ACCOUNT}</Account>`);
  });
});

describe("hostile bodies", () => {
  const deep = "[".repeat(200_000);
  test.each([
    { name: "no JSON", body: "{", code: "SerializationException" },
    { name: "bad UTF-8", body: new Uint8Array([0x7b, 0xff, 0x7d]), code: "SerializationException" },
    { name: "a list", body: "[]", code: "SerializationException" },
    { name: "null", body: "null", code: "SerializationException" },
    { name: "deep nesting", body: deep, code: "SerializationException" },
    { name: "deep nesting that ends", body: `{"QueueName":"q","x":${deep}${"]".repeat(200_000)}}`, code: undefined },
    { name: "a number for text", body: '{"QueueName":1}', code: "SerializationException" },
    { name: "a list for text", body: '{"QueueName":["a"]}', code: "SerializationException" },
    { name: "text for a map", body: '{"QueueName":"q","Attributes":"x"}', code: "SerializationException" },
    { name: "a prototype for a map's key", body: '{"QueueName":"q","tags":{"__proto__":"polluted","constructor":"x"},"__proto__":{"QueueName":"p"}}', code: undefined },
    { name: "no name", body: "{}", code: "MissingRequiredParameterException" },
    { name: "20 MiB", body: `{"QueueName":"${"a".repeat(20 * 1024 * 1024)}"}`, code: "InvalidParameterValueException" },
  ])("JSON: $name", async ({ body, code }) => {
    await serve();
    const answer = await ask("POST", "/", { "content-type": JSON_TYPE, "x-amz-target": "AmazonSQS.CreateQueue" }, body);
    expect(answer.status).toBe(code === undefined ? 200 : 400);
    if (code !== undefined) expect((JSON.parse(answer.text) as { __type: string }).__type.split("#")[1]).toBe(code);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test.each([
    { name: "a list's text", body: "Action=ReceiveMessage&AttributeName=x", status: 400 },
    { name: "a list's numbers", body: "Action=ReceiveMessage&AttributeName.x=All", status: 400, code: "MalformedInput" },
    { name: "a number", body: "Action=ReceiveMessage&MaxNumberOfMessages=ten", status: 400, code: "MalformedInput" },
    { name: "names in the deep", body: `Action=ReceiveMessage&${"a.".repeat(10_000)}=1`, status: 400, code: "MalformedInput" },
    { name: "a stray percent sign", body: "Action=%zz", status: 400 },
    { name: "prototypes", body: "Action=CreateQueue&QueueName=q&Tag.1.Key=__proto__&Tag.1.Value=x&__proto__.x=1&constructor.prototype.y=1", status: 200 },
    { name: "many parameters", body: `Action=ListQueues&${"a=1&".repeat(100_000)}`, status: 400 },
    { name: "an action of nobody", body: "Action=DropTables", status: 400, code: "InvalidAction" },
  ])("Query: $name", async ({ body, status, code }) => {
    await serve();
    const answer = await ask("POST", "/", { "content-type": FORM }, body);
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(answer.text).toContain(`<Code>${code}</Code>`);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test.each([
    { name: "a path of no operation", method: "GET", path: "/2015-03-31/nonsense", status: 404 },
    { name: "a bad percent sign", method: "GET", path: "/2015-03-31/nonsense/%zz", status: 404 },
    { name: "a query that is no query", method: "GET", path: "/?a=%zz", status: 400 },
    { name: "wrong types in a body", method: "POST", path: "/2015-03-31/event-source-mappings/", body: '{"BatchSize":"many"}', status: 400 },
    { name: "a number in the query", method: "GET", path: "/2015-03-31/event-source-mappings/?MaxItems=x", status: 400 },
    { name: "a required member missing", method: "POST", path: "/2015-03-31/event-source-mappings/", body: "{}", status: 400 },
    { name: "a service of nobody", method: "POST", path: "/", headers: { "x-amz-target": "DynamoDB_20120810.ListTables" }, body: "{}", status: 501 },
    { name: "an action that AWS has and the sandbox lacks", method: "POST", path: "/", body: "Action=GetAccountSummary&Version=2010-05-08", status: 501 },
  ])("REST and others: $name", async ({ method, path, body, headers, status }) => {
    await serve();
    const answer = await ask(method, path, headers, body);
    expect(answer.status).toBe(status);
    if (status !== 501) return;
    expect(answer.text).toMatch(/The sandbox has not got (the service DynamoDB|iam:GetAccountSummary)/);
    // A client finds the error in the form of its own protocol.
    expect(answer.text).toMatch(headers === undefined ? /^<\?xml/ : /^\{"__type":"NotImplemented",/);
  });

  test.each([
    { name: "bytes", text: "\u0000\u0001\r\n\r\n", status: 400 },
    { name: "two lengths", text: "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", status: 400 },
    { name: "a length and chunks", text: "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /_sandstack/health HTTP/1.1\r\n\r\n", status: 400 },
    { name: "chunks of no length", text: "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", status: 400 },
    { name: "a header that never ends", text: `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, status: 431 },
    { name: "headers without number", text: `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n${"a: b\r\n".repeat(50_000)}\r\n`, status: 431 },
    { name: "no host", text: "GET / HTTP/1.1\r\n\r\n", status: 400 },
  ])("no HTTP: $name", async ({ text, status }) => {
    await serve();
    const answered = await new Promise<string>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
      let answer = "";
      socket.on("data", (chunk) => (answer += chunk.toString()));
      socket.on("error", () => {});
      socket.on("close", () => resolve(answer));
    });
    expect(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answered.match(/^HTTP\//gm)).toHaveLength(1);
    expect((await ask("GET", "/_sandstack/health")).status).toBe(200);
  });

  test("a body that never comes holds up nobody, and its connection ends with the server", async () => {
    await serve();
    const socket = connect(server.port, "127.0.0.1", () => socket.write("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    expect((await ask("GET", "/_sandstack/health")).status).toBe(200);
    await server.close();
    await closed;
  });
});

describe("real SDK clients over HTTP", () => {
  const client = (config: SQSClientConfig = {}) => new SQSClient({ endpoint: server.url, region: "us-east-1", credentials: test123, ...config });

  test("a life of a message, errors, and the region of the signature", async () => {
    await serve();
    const sqs = client();
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: "orders" }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle }));
    await expect(sqs.send(new SendMessageCommand({ QueueUrl: `${QueueUrl}x`, MessageBody: "m" }))).rejects.toBeInstanceOf(QueueDoesNotExist);
    expect(await client({ region: "eu-west-1" }).send(new ListQueuesCommand({}))).not.toHaveProperty("QueueUrls");
    // A key of twelve digits names an account.
    const { QueueUrl: theirs } = await client({ credentials: { accessKeyId: "111111111111", secretAccessKey: "x" } }).send(new CreateQueueCommand({ QueueName: "orders" }));
    expect(theirs).toBe(`${server.url}/111111111111/orders`);
    const iam = new IAMClient({ endpoint: server.url, region: "us-east-1", credentials: test123 });
    await iam.send(new CreateRoleCommand({ RoleName: "r", AssumeRolePolicyDocument: JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", Principal: { AWS: "*" }, Action: "sts:AssumeRole" }] }) }));
    await expect(iam.send(new GetRoleCommand({ RoleName: "s" }))).rejects.toBeInstanceOf(NoSuchEntityException);
    for (const each of [sqs, iam]) each.destroy();
  });

  test("a long poll is answered by a send, and one whose client left takes no message", async () => {
    await serve({ simAws: new SimAws({ clock: "live" }) });
    const sqs = client();
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: "orders" }));
    const abort = new AbortController();
    const left = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }), { abortSignal: abort.signal });
    left.catch(() => {});
    await sqs.send(new ListQueuesCommand({}));
    abort.abort();
    await expect(left).rejects.toMatchObject({ name: "AbortError" });
    const polling = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
    await sqs.send(new ListQueuesCommand({}));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" }));
    expect((await polling).Messages).toMatchObject([{ Body: "m" }]);
    sqs.destroy();
  });
});

describe("auth: strict", () => {
  const alice = { kind: "arn", arn: `arn:aws:iam::${ACCOUNT}:user/alice` } as const;
  const sts = (credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }, more: object = {}) =>
    new STSClient({ endpoint: server.url, region: "us-east-1", credentials, maxAttempts: 1, ...more });
  const who = new GetCallerIdentityCommand({});

  test("the caller is whom the key belongs to, and the signature is checked", async () => {
    await serve({ auth: "strict" });
    const { credentials } = simAws.sdkConfig({ caller: alice });
    expect(await sts(credentials).send(who)).toMatchObject({ Arn: alice.arn });
    await expect(sts({ ...credentials, secretAccessKey: "wrong" }).send(who)).rejects.toMatchObject({ name: "SignatureDoesNotMatch", $metadata: { httpStatusCode: 403 } });
    await expect(sts(test123).send(who)).rejects.toMatchObject({ name: "InvalidClientTokenId", $metadata: { httpStatusCode: 403 } });
    const sqs = new SQSClient({ endpoint: server.url, region: "us-east-1", credentials: { ...credentials, secretAccessKey: "wrong" }, maxAttempts: 1 });
    await expect(sqs.send(new ListQueuesCommand({}))).rejects.toMatchObject({ name: "SignatureDoesNotMatch" });
  });

  test.each([
    { name: "in time", offsetMs: -14 * 60_000, isAccepted: true },
    { name: "too old", offsetMs: -16 * 60_000, isAccepted: false },
    { name: "early, in time", offsetMs: 14 * 60_000, isAccepted: true },
    { name: "too early", offsetMs: 16 * 60_000, isAccepted: false },
  ])("a clock that is off by less than 15 minutes: $name", async ({ offsetMs, isAccepted }) => {
    await serve({ auth: "strict" });
    // However far the sandbox's clock was moved.
    await simAws.clock().advanceBy({ days: 3 });
    const client = sts(simAws.sdkConfig().credentials, { systemClockOffset: offsetMs });
    const answered = client.send(who);
    if (isAccepted) await answered;
    else await expect(answered).rejects.toMatchObject({ name: "SignatureDoesNotMatch", message: expect.stringMatching(/^Signature (expired|not yet current): /) });
  });

  test("unsigned and half-signed requests", async () => {
    await serve({ auth: "strict" });
    expect(await ask("POST", "/", {}, "Action=GetCallerIdentity&Version=2011-06-15")).toMatchObject({ status: 403, text: expect.stringContaining("<Code>MissingAuthenticationToken</Code>") });
    expect(await ask("POST", "/", { authorization: "Bearer x" }, "Action=GetCallerIdentity&Version=2011-06-15")).toMatchObject({ status: 400, text: expect.stringContaining("<Code>IncompleteSignature</Code>") });
    // SQS lets strangers in where a queue's policy does.
    expect(JSON.parse((await json("ListQueues", {})).text)).toMatchObject({ __type: "com.amazon.coral.service#AccessDeniedException" });
  });

  test("a body that is not the one signed", async () => {
    await serve({ auth: "strict" });
    const signer = new SignatureV4({ credentials: simAws.sdkConfig().credentials, region: "us-east-1", service: "sqs", sha256: Sha256 });
    const body = JSON.stringify({ QueueName: "orders" });
    const host = `127.0.0.1:${server.port}`;
    const signed = await signer.sign({ method: "POST", protocol: "http:", hostname: "127.0.0.1", path: "/", headers: { host, "content-type": JSON_TYPE, "x-amz-target": "AmazonSQS.CreateQueue" }, body });
    expect((await ask("POST", "/", signed.headers, body.replace("orders", "others"))).status).toBe(403);
    expect((await ask("POST", "/", signed.headers, body)).status).toBe(200);
  });

  test("presigned URLs", async () => {
    await serve({ auth: "strict" });
    const host = `127.0.0.1:${server.port}`;
    const presign = async (signingDate: Date, secretAccessKey?: string) => {
      const { credentials } = simAws.sdkConfig();
      const signer = new SignatureV4({ credentials: { ...credentials, ...(secretAccessKey && { secretAccessKey }) }, region: "us-east-1", service: "sqs", sha256: Sha256 });
      const signed = await signer.presign({ method: "GET", protocol: "http:", hostname: "127.0.0.1", path: "/", query: { Action: "CreateQueue", QueueName: "q a" }, headers: { host } }, { expiresIn: 60, signingDate });
      return `/?${new URLSearchParams(signed.query as Record<string, string>).toString()}`;
    };
    const now = Date.now();
    expect(await ask("GET", (await presign(new Date(now))).replace("q+a", "q"))).toMatchObject({ status: 403 });
    expect(await ask("GET", await presign(new Date(now), "wrong"))).toMatchObject({ status: 403 });
    expect(await ask("GET", await presign(new Date(now - 61_000)))).toMatchObject({ status: 403, text: expect.stringContaining("Signature expired") });
    // The signature is right; the name is not.
    expect(await ask("GET", await presign(new Date(now)))).toMatchObject({ status: 400, text: expect.stringContaining("InvalidParameterValue") });
  });
});

describe("the server", () => {
  test("health, reset and the clock", async () => {
    await serve();
    expect(JSON.parse((await ask("GET", "/_sandstack/health")).text)).toMatchObject({ status: "ok", services: expect.arrayContaining(["sqs", "iam"]) });
    for (const path of ["/_sandstack/reset", "/moto-api/reset"]) {
      await json("CreateQueue", { QueueName: "orders" });
      expect((await ask("POST", path)).status).toBe(200);
      expect((await json("ListQueues", {})).text).toBe("{}");
    }
    const post = (change: unknown) => ask("POST", "/_sandstack/clock", {}, JSON.stringify(change));
    const start = simAws.clock().now().getTime();
    expect(JSON.parse((await ask("GET", "/_sandstack/clock")).text)).toEqual({ now: new Date(start).toISOString(), mode: "manual" });
    expect(JSON.parse((await post({ advanceBy: { minutes: 1, seconds: 5 } })).text)).toEqual({ now: new Date(start + 65_000).toISOString(), mode: "manual" });
    expect(JSON.parse((await post({ advanceTo: "2040-01-01T00:00:00Z" })).text)).toEqual({ now: "2040-01-01T00:00:00.000Z", mode: "manual" });
    for (const wrong of [{}, null, 5, { advanceBy: { seconds: -1 } }, { advanceTo: "tomorrow" }, { advanceTo: "2039-01-01" }, { mode: "fast" }]) {
      expect(await post(wrong)).toMatchObject({ status: 400, text: expect.stringContaining("advanceBy") });
    }
    expect(simAws.clock().now()).toEqual(new Date("2040-01-01T00:00:00Z"));
    expect(JSON.parse((await post({ mode: "live" })).text)).toMatchObject({ mode: "live" });
    expect(JSON.parse((await post({ mode: "manual" })).text)).toMatchObject({ mode: "manual" });
    expect((await ask("GET", "/_sandstack/nothing")).status).toBe(404);
  });

  test.each<{ name: string; headers: Record<string, string>; status: number }>([
    { name: "a page of this machine", headers: { origin: "http://localhost:3000" }, status: 200 },
    { name: "a page of this machine by address", headers: { origin: "http://127.0.0.1:3000" }, status: 200 },
    { name: "a page of elsewhere", headers: { origin: "https://evil.example" }, status: 403 },
    { name: "a page that hides where it is from", headers: { origin: "null" }, status: 403 },
    { name: "a page whose name looks like this machine's", headers: { origin: "http://localhost.evil.example" }, status: 403 },
    { name: "an image of elsewhere", headers: { "sec-fetch-site": "cross-site" }, status: 403 },
    { name: "an attacker's name for this machine", headers: { host: "evil.example" }, status: 403 },
    { name: "an attacker's name with a port", headers: { host: "evil.example:4566" }, status: 403 },
    { name: "another name of this machine", headers: { host: "sqs.us-east-1.localhost:4566" }, status: 200 },
    { name: "AWS's own name", headers: { host: "sqs.us-east-1.amazonaws.com" }, status: 200 },
    { name: "an address", headers: { host: "[::1]:4566" }, status: 200 },
  ])("who may ask: $name", async ({ headers, status }) => {
    await serve();
    const answer = await ask("GET", "/?Action=ListQueues", headers);
    expect(answer.status).toBe(status);
    expect(answer.headers["access-control-allow-origin"]).toBe(status === 200 ? headers["origin"] : undefined);
  });

  test("a reset ends what waits", async () => {
    await serve({ simAws: new SimAws({ clock: "live" }) });
    const { QueueUrl } = JSON.parse((await json("CreateQueue", { QueueName: "orders" })).text) as { QueueUrl: string };
    const parked = json("ReceiveMessage", { QueueUrl, WaitTimeSeconds: 20 });
    await json("ListQueues", {});
    await ask("POST", "/moto-api/reset");
    expect(await parked).toMatchObject({ status: 200, text: "{}" });
  });

  test("the queue URLs of a stack lead here too", async () => {
    const { url } = await serve();
    const template = JSON.stringify({ Resources: { Queue: { Type: "AWS::SQS::Queue", Properties: { QueueName: "orders" } } }, Outputs: { Url: { Value: { Ref: "Queue" } }, Told: { Value: { "Fn::Sub": "send to ${Queue}" } } } });
    await query({ Action: "CreateStack", Version: "2010-05-15", StackName: "s", TemplateBody: template });
    await simAws.backgroundTasksComplete();
    const { text } = await query({ Action: "DescribeStacks", Version: "2010-05-15", StackName: "s" });
    expect(text).toContain(`<OutputValue>${url}/${ACCOUNT}/orders</OutputValue>`);
    expect(text).toContain(`<OutputValue>send to https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/orders</OutputValue>`);
    expect(text).toMatch(/<CreationTime>\d{4}-/);
    expect((await query({ Action: "DescribeStackResources", Version: "2010-05-15", StackName: "s" })).text).toContain(`<PhysicalResourceId>${url}/${ACCOUNT}/orders</PhysicalResourceId>`);
  });

  test.each([
    { host: "0.0.0.0", url: "http://127.0.0.1:" },
    { host: "localhost", url: "http://localhost:" },
  ])("asked to listen on $host, it says where it is reached", async ({ host, url }) => {
    await serve({ host });
    expect(server.url).toBe(`${url}${server.port}`);
    expect((await fetch(`${server.url}/_sandstack/health`)).status).toBe(200);
  });

  test("a page's preflight, and an error that it may read", async () => {
    await serve();
    const origin = "http://localhost:3000";
    const preflight = await ask("OPTIONS", "/", { origin, "access-control-request-method": "POST", "access-control-request-headers": "x-amz-target,authorization" });
    expect(preflight).toMatchObject({ status: 204, headers: { "access-control-allow-origin": origin, "access-control-allow-headers": "x-amz-target,authorization" } });
    expect((await ask("OPTIONS", "/", { origin: "https://evil.example" })).status).toBe(403);
    expect(await ask("POST", "/", { origin }, "Action=GetQueueUrl&QueueName=x")).toMatchObject({ status: 400, headers: { "access-control-allow-origin": origin } });
  });

  test("listens on this machine alone, on the port asked for or one that is free", async () => {
    await serve();
    expect(server).toMatchObject({ host: "127.0.0.1", url: `http://127.0.0.1:${server.port}` });
    for (const { address, internal, family } of Object.values(networkInterfaces()).flat() as NetworkInterfaceInfo[]) {
      if (internal || family !== "IPv4") continue;
      const code = await new Promise((resolve) => connect(server.port, address, () => resolve("connected")).once("error", (error: { code?: string }) => resolve(error.code)));
      expect(code).toBe("ECONNREFUSED");
    }
    await expect(serveSimAws({ port: server.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("the default port gives way where it is taken", async () => {
    const first = await serveSimAws();
    const second = await serveSimAws();
    expect(second.port).not.toBe(first.port);
    await first.close();
    await second.close();
    await serve();
  });

  test("closes at once with connections open, and answers what was parked", async () => {
    await serve({ simAws: new SimAws({ clock: "live" }) });
    const { QueueUrl } = JSON.parse((await json("CreateQueue", { QueueName: "orders" })).text) as { QueueUrl: string };
    const idle = connect(server.port, "127.0.0.1");
    await new Promise((resolve) => idle.once("connect", resolve));
    const closed = new Promise((resolve) => idle.once("close", resolve));
    const parked = json("ReceiveMessage", { QueueUrl, WaitTimeSeconds: 20 });
    await json("ListQueues", {});
    await server.close();
    expect(await parked).toMatchObject({ status: 200, text: "{}" });
    await closed;
    await expect(ask("GET", "/_sandstack/health")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
