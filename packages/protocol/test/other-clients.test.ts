import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SimAws } from "sandstack";
import { serveSimAws, type SimAwsServer } from "sandstack/serve";

const ACCOUNT = "888888888888";

/** Interpreters with boto3: the system's may be older and speak SQS's Query protocol, another one JSON. */
const interpreters = ["/usr/bin/python3", "python3"].filter(hasBoto3);
/** Debian's `aws` is older than most: it speaks SQS's Query protocol. */
const awsCommands = ["/usr/bin/aws"].filter((path) => existsSync(path));

function hasBoto3(python: string): boolean {
  try {
    execFileSync(python, ["-c", "import boto3"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // it is not installed, whatever of it
  }
}

let server: SimAwsServer;

beforeEach(async () => {
  server = await serveSimAws({ simAws: new SimAws({ clock: "live" }), port: 0, auth: "strict" });
});

afterEach(() => server.close());

function run(command: string, args: readonly string[]): Promise<string> {
  const { accessKeyId, secretAccessKey } = server.simAws.sdkConfig().credentials;
  const env = { ...process.env, AWS_ENDPOINT_URL: server.url, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_DEFAULT_REGION: "us-east-1", AWS_REGION: "us-east-1", AWS_PAGER: "", PYTHONWARNINGS: "ignore" };
  return new Promise((resolve, reject) => {
    execFile(command, args, { env }, (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(`${error.message}\n${stderr}`))));
  });
}

(interpreters.length > 0 ? test.each(interpreters) : test.skip.each(["boto3, which is not installed"]))("a whole story through boto3 of %s", async (python) => {
  const told: unknown = JSON.parse(await run(python, [join(__dirname, "clients/story.py")]));
  expect(told).toEqual({
    protocol: expect.stringMatching(/^(json|query)$/),
    caller: `arn:aws:iam::${ACCOUNT}:root`,
    tags: { team: "a b" },
    body: "héllo & <x> \r\n",
    bytes: [0, 1, 255],
    receives: "1",
    empty: true,
    dead: "héllo & <x> \r\n",
    batch: [["a"], [["b", "InvalidParameterValue"]]],
    errors: [
      ["QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue", 400],
      ["PurgeQueueInProgress", "AWS.SimpleQueueService.PurgeQueueInProgress", 403],
      ["ClientError", "InvalidParameterValue", 400],
      ["EmptyBatchRequest", "AWS.SimpleQueueService.EmptyBatchRequest", 400],
      ["NoSuchEntityException", "NoSuchEntity", 404],
      ["ClientError", "ValidationError", 400],
      ["ResourceNotFoundException", "ResourceNotFoundException", 404],
    ],
    denied: ["ClientError", "AccessDenied", 403],
    invoked: 1,
    replies: ["LATER", "NOW"],
    stack: ["CREATE_COMPLETE", "Url", [{ Key: "k", Value: "v" }]],
    deleted: ["ClientError", "ValidationError", 400],
  });
}, 60_000);

(awsCommands.length > 0 ? test.each(awsCommands) : test.skip.each(["aws, which is not installed"]))("a queue through %s", async (aws) => {
  const cli = (...args: string[]) => run(aws, ["--endpoint-url", server.url, "--output", "json", ...args]);
  const { QueueUrl } = JSON.parse(await cli("sqs", "create-queue", "--queue-name", "orders", "--attributes", "DelaySeconds=0")) as { QueueUrl: string };
  expect(QueueUrl).toBe(`${server.url}/${ACCOUNT}/orders`);
  await cli("sqs", "send-message", "--queue-url", QueueUrl, "--message-body", "hi there", "--message-attributes", '{"k":{"DataType":"String","StringValue":"v"}}');
  expect(JSON.parse(await cli("sqs", "receive-message", "--queue-url", QueueUrl, "--attribute-names", "All", "--message-attribute-names", "All"))).toMatchObject({
    Messages: [{ Body: "hi there", Attributes: { ApproximateReceiveCount: "1" }, MessageAttributes: { k: { StringValue: "v" } } }],
  });
  await expect(cli("sqs", "get-queue-url", "--queue-name", "missing")).rejects.toThrow("(AWS.SimpleQueueService.NonExistentQueue) when calling the GetQueueUrl operation: The specified queue does not exist for this wsdl version.");
}, 60_000);
