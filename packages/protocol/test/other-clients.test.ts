import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ListQueuesCommand } from "@aws-sdk/client-sqs";
import { SimAws } from "sandstack";
import { serveSimAws, type SimAwsServer } from "sandstack/serve";

const ACCOUNT = "888888888888";
/** Where the documents say that a sandbox is. */
const DOCUMENTED_URL = "http://127.0.0.1:4566";

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

/** @param aws the command that a script's `aws` is to be. Default: the one that the system finds */
function run(command: string, args: readonly string[], aws?: string): Promise<string> {
  const { accessKeyId, secretAccessKey } = server.simAws.sdkConfig().credentials;
  const env = { ...process.env, AWS_ENDPOINT_URL: server.url, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_DEFAULT_REGION: "us-east-1", AWS_REGION: "us-east-1", AWS_PAGER: "", PYTHONWARNINGS: "ignore", ...(aws !== undefined && { PATH: `${dirname(aws)}:${process.env["PATH"]}` }) };
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
    policy: "everybody",
    fifo: ["one", "two", "three"],
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

(awsCommands.length > 0 ? test.each(awsCommands) : test.skip.each(["aws, which is not installed"]))("a whole story through %s", async (aws) => {
  const told = await run("/bin/bash", [join(__dirname, "clients/story.sh")], aws);
  expect(told.trimEnd().split("\n")).toEqual([
    `caller: arn:aws:iam::${ACCOUNT}:root`,
    `url: ${server.url}/${ACCOUNT}/orders`,
    'policy: "Sid":"everybody"',
    "received: héllo & <x>\tAAH/",
    "again: None",
    "dead: héllo & <x>",
    "batch: a InvalidParameterValue",
    "fifo: one two three",
    'invoked: ["now"]',
    "mapping: 5",
    "stack: CREATE_COMPLETE Name",
    "errors: AWS.SimpleQueueService.NonExistentQueue of GetQueueUrl, NoSuchEntity of GetRole, ResourceNotFoundException of GetFunction, ValidationError of DescribeStacks",
  ]);
}, 240_000);

describe("what the documents tell users of other clients to type", () => {
  /** The blocks of a language in the README and the page on clients, made to call this server. */
  function blocksOf(language: string): string[] {
    const documents = ["README.md", "docs/clients.md"].map((path) => readFileSync(join(__dirname, "../../..", path), "utf8"));
    return documents.flatMap((text) => [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, block = ""]) => block.replaceAll(DOCUMENTED_URL, server.url)));
  }

  beforeEach(async () => {
    await server.close();
    server = await serveSimAws({ simAws: new SimAws({ clock: "live" }), port: 0 });
  });

  (interpreters.length > 0 ? test.each(interpreters) : test.skip.each(["boto3, which is not installed"]))("%s", async (python) => {
    const blocks = blocksOf("python");
    expect(blocks).not.toEqual([]);
    for (const block of blocks) await run(python, ["-c", block]);
    expect(await queueNames()).toEqual(["orders"]);
  }, 60_000);

  (awsCommands.length > 0 ? test.each(awsCommands) : test.skip.each(["aws, which is not installed"]))("%s", async (aws) => {
    const blocks = blocksOf("sh aws");
    expect(blocks).not.toEqual([]);
    for (const block of blocks) await run("/bin/bash", ["-ec", block], aws);
    expect(await queueNames()).toEqual(["orders"]);
  }, 60_000);

  async function queueNames(): Promise<string[]> {
    const { QueueUrls = [] } = await server.simAws.sqs().listQueues(new ListQueuesCommand({}));
    return QueueUrls.map((url) => url.slice(url.lastIndexOf("/") + 1));
  }
});
