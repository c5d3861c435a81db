import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InvokeCommand } from "@aws-sdk/client-lambda";
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { App, CfnOutput, CfnParameter, type CfnResource, Duration, Stack, Stage, Tags, type StackProps } from "aws-cdk-lib";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { SimAws, type SimScope } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";
import { makeLambdaCodeZip } from "sandstack/lambda";

// The CDK's own synthesis takes seconds on a busy machine.
jest.setTimeout(60_000);

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const repositoryRoot = fileURLToPath(new URL("../../..", import.meta.url));

/** Functions of each kind of code, each behind a queue of its own, all sending to one queue. */
class Post extends Stack {
  constructor(scope: App, id: string) {
    super(scope, id);
    const parcels = new Queue(this, "Parcels");
    new CfnOutput(this, "ParcelsUrl", { value: parcels.queueUrl });
    const runtime = Runtime.NODEJS_22_X;
    const environment = { PARCELS_URL: parcels.queueUrl };
    const functions = {
      Inline: new LambdaFunction(this, "Inline", { runtime, environment, handler: "index.handler", code: Code.fromInline(INLINE) }),
      Directory: new LambdaFunction(this, "Directory", { runtime, environment, handler: "main.handler", code: Code.fromAsset(fixture("shipper")) }),
      Bundled: new NodejsFunction(this, "Bundled", { runtime, environment, entry: fixture("bundled/handler.ts"), projectRoot: repositoryRoot, depsLockFilePath: `${repositoryRoot}/package-lock.json` }),
    };
    for (const [name, consumer] of Object.entries(functions)) {
      const queue = new Queue(this, `${name}Queue`);
      consumer.addEventSource(new SqsEventSource(queue));
      parcels.grantSendMessages(consumer);
      new CfnOutput(this, `${name}QueueUrl`, { value: queue.queueUrl });
    }
  }
}

const INLINE = `
const { SQS } = require("@aws-sdk/client-sqs");
exports.handler = async ({ Records }) => {
  for (const { body } of Records) await new SQS().sendMessage({ QueueUrl: process.env.PARCELS_URL, MessageBody: "note on " + body });
};`;

describe("one stack with file assets", () => {
  let app: App;

  beforeAll(() => {
    app = new App();
    new Post(app, "Post");
    app.synth();
  });

  test.each<{ given: string; source: () => Parameters<ReturnType<SimAws["cdk"]>["deploy"]>[0] }>([
    { given: "an App", source: () => app },
    { given: "a Stack", source: () => app.node.findChild("Post") as Stack },
    { given: "a cloud assembly", source: () => app.synth() },
    { given: "the path of a cdk.out", source: () => app.synth().directory },
  ])("$given is deployed, and its inline, directory and bundled code runs", async ({ source }) => {
    const simAws = new SimAws();
    const stacks = await simAws.cdk().deploy<"Post">(source());
    expect(Object.keys(stacks)).toEqual(["Post"]);
    const stack = stacks.Post;
    expect(stack.status).toBe("CREATE_COMPLETE");

    for (const name of ["Inline", "Directory", "Bundled"]) await send(simAws, stack.output(`${name}QueueUrl`), "A-1");
    await simAws.backgroundTasksComplete();
    expect(await bodiesOn(simAws, stack.output("ParcelsUrl"))).toEqual(new Set(["letter about A-1", "note on A-1", "parcel of A-1"]));
  });

  test("resources are found by construct path, though synthesis in the process leaves the paths out of the template", async () => {
    const stack = await new SimAws().cdk().deployStack(app);
    expect(stack.getResource("Post/Parcels").physicalId).toBe(stack.output("ParcelsUrl"));
    expect(stack.getResource("Post/Directory/Resource")).toMatchObject({ type: "AWS::Lambda::Function" });
  });

  test("an assembly copied without its assets fails where their code is needed, naming the asset", async () => {
    const outdir = mkdtempSync(join(tmpdir(), "sandstack-cdk-"));
    const copied = new App({ outdir });
    new LambdaFunction(new Stack(copied, "Post"), "Directory", { runtime: Runtime.NODEJS_22_X, handler: "main.handler", code: Code.fromAsset(fixture("shipper")) });
    copied.synth();
    for (const name of readdirSync(outdir).filter((entry) => entry.startsWith("asset."))) rmSync(join(outdir, name), { recursive: true });
    await expect(new SimAws().cdk().deploy(outdir)).rejects.toThrow(/The files of the asset .* are not at .*asset\.\w+/);
    rmSync(outdir, { recursive: true });
  });

  test("a zip is an asset as it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandstack-cdk-"));
    const zip = join(folder, "code.zip");
    writeFileSync(zip, makeLambdaCodeZip({ "main.js": "exports.handler = async () => require('./lib/answer.js');", "lib/answer.js": "module.exports = 42;" }));
    const stack = new Stack(new App(), "Zipped");
    new LambdaFunction(stack, "Answer", { functionName: "answer", runtime: Runtime.NODEJS_22_X, handler: "main.handler", code: Code.fromAsset(zip) });
    const simAws = new SimAws();
    await simAws.cdk().deploy(stack);
    const { Payload } = await simAws.lambda().invoke(new InvokeCommand({ FunctionName: "answer" }));
    expect(Buffer.from(Payload ?? []).toString()).toBe("42");
    rmSync(folder, { recursive: true });
  });
});

describe("where stacks go", () => {
  class QueueStack extends Stack {
    constructor(scope: App | Stage, id: string, props?: StackProps) {
      super(scope, id, props);
      const queue = new Queue(this, "Queue", { visibilityTimeout: Duration.seconds(45) });
      new CfnOutput(this, "QueueArn", { value: queue.queueArn });
      new CfnOutput(this, "QueueUrl", { value: queue.queueUrl });
    }
  }

  test("a stack goes where its env says, and one without an env where it is deployed", async () => {
    const app = new App();
    new QueueStack(app, "Anywhere");
    new QueueStack(app, "Region", { env: { region: "eu-west-1" } });
    new QueueStack(app, "Both", { env: { account: "222222222222", region: "ap-southeast-2" } });

    const simAws = new SimAws();
    const regionOfArn = async (from: SimScope): Promise<Record<string, string>> =>
      Object.fromEntries(Object.entries(await from.cdk().deploy(app)).map(([name, stack]) => [name, stack.output("QueueArn").split(":").slice(3, 5).join("/")]));
    expect(await regionOfArn(simAws)).toEqual({ Anywhere: "us-east-1/888888888888", Region: "eu-west-1/888888888888", Both: "ap-southeast-2/222222222222" });
    const elsewhere = new SimAws();
    expect(await regionOfArn(elsewhere.account("333333333333").region("eu-north-1"))).toEqual({
      Anywhere: "eu-north-1/333333333333",
      Region: "eu-west-1/333333333333",
      Both: "ap-southeast-2/222222222222",
    });
  });

  test("stages: their stacks are named and found by stage, and share the app's assets", async () => {
    const app = new App();
    const stage = new Stage(app, "Prod", { env: { region: "eu-west-1" } });
    const api = new QueueStack(stage, "Api");
    new LambdaFunction(api, "Directory", { runtime: Runtime.NODEJS_22_X, handler: "main.handler", code: Code.fromAsset(fixture("shipper")) });
    new QueueStack(app, "Tools");

    expect(Object.keys(await new SimAws().cdk().deploy(app))).toEqual(["Prod-Api", "Tools"]);
    expect(Object.keys(await new SimAws().cdk().deploy(stage))).toEqual(["Prod-Api"]);
    expect(Object.keys(await new SimAws().cdk().deploy(app, { stacks: ["Prod"] }))).toEqual(["Prod-Api"]);
    const stack = await new SimAws().cdk().deployStack(api);
    expect(stack.getResource("Prod/Api/Directory").status).toBe("CREATE_COMPLETE");
  });

  test("stacks of one name in two regions are told apart by construct path", async () => {
    const app = new App();
    new QueueStack(app, "OrdersUs", { stackName: "Orders", env: { region: "us-east-1" } });
    new QueueStack(app, "OrdersEu", { stackName: "Orders", env: { region: "eu-west-1" } });
    expect(Object.keys(await new SimAws().cdk().deploy(app))).toEqual(["OrdersUs", "OrdersEu"]);
  });

  test("tags of the stack and parameters reach its resources", async () => {
    const app = new App();
    const stack = new Stack(app, "Tagged");
    Tags.of(stack).add("team", "orders");
    const timeout = new CfnParameter(stack, "Timeout", { type: "Number", default: 30 });
    const queue = new Queue(stack, "Queue", { visibilityTimeout: Duration.seconds(timeout.valueAsNumber) });
    new CfnOutput(stack, "QueueUrl", { value: queue.queueUrl });
    new QueueStack(app, "Plain");

    for (const [parameters, seconds] of [[{}, "30"], [{ Timeout: "50" }, "50"], [{ "Tagged:Timeout": "60" }, "60"]] as const) {
      const simAws = new SimAws();
      const { Tagged } = await simAws.cdk().deploy<"Tagged">(app, { parameters });
      expect(await attribute(simAws, Tagged.output("QueueUrl"), "VisibilityTimeout")).toBe(seconds);
    }
    await expect(new SimAws().cdk().deploy(app, { parameters: { "Plain:Timeout": "50" } })).rejects.toMatchObject({ name: "SimParameterNotFound", message: expect.stringContaining("Tagged:Timeout") });
  });
});

describe("several stacks", () => {
  function shopApp(): { app: App; consumer: Stack } {
    const app = new App();
    // Declared first, deployed last: it needs the other's queue.
    const consumer = new Stack(app, "Consumer");
    const producer = new Stack(app, "Producer");
    const queue = new Queue(producer, "Queue");
    new Queue(consumer, "Own");
    new CfnOutput(consumer, "ImportedArn", { value: queue.queueArn });
    new Queue(new Stack(app, "Unrelated"), "Queue");
    return { app, consumer };
  }

  test("are deployed in the order of their dependencies, and import each other's exports", async () => {
    const stacks = await new SimAws().cdk().deploy<"Producer" | "Consumer">(shopApp().app);
    expect([...stacks.keys()]).toEqual(["Producer", "Consumer", "Unrelated"]);
    expect(stacks.Consumer.output("ImportedArn")).toBe(stacks.Producer.getResource("Producer/Queue").attributes["Arn"]);
  });

  test.each([
    { given: "a stack construct", deploy: async (simAws: SimAws) => simAws.cdk().deploy(shopApp().consumer) },
    { given: "a name", deploy: async (simAws: SimAws) => simAws.cdk().deploy(shopApp().app, { stacks: ["Consumer"] }) },
  ])("one chosen by $given brings those it depends on, and no other", async ({ deploy }) => {
    expect(Object.keys(await deploy(new SimAws()))).toEqual(["Producer", "Consumer"]);
  });

  test("deployStack answers the one that was asked for, and refuses several", async () => {
    const { app, consumer } = shopApp();
    expect((await new SimAws().cdk().deployStack(consumer)).stackName).toBe("Consumer");
    await expect(new SimAws().cdk().deployStack(app)).rejects.toMatchObject({ name: "SimStackNotFound", message: expect.stringContaining("Consumer, Producer, Unrelated") });
  });

  test("a failure is the failing resource's own error, and stops the deployment", async () => {
    const app = new App();
    const broken = new Stack(app, "Broken");
    new Queue(broken, "Queue", { queueName: "not a queue name" });
    new Queue(new Stack(app, "Later"), "Queue");
    const simAws = new SimAws();
    await expect(simAws.cdk().deploy(app)).rejects.toMatchObject({ message: expect.stringContaining("Can only include alphanumeric characters") });
    expect(simAws.log().filter({ stack: "Later" }).records).toEqual([]);
  });
});

describe("deployed again", () => {
  function queueApp(visibilityTimeout: number, props?: StackProps): App {
    const app = new App();
    const stack = new Stack(app, "Orders", props);
    const queue = new Queue(stack, "Queue", { visibilityTimeout: Duration.seconds(visibilityTimeout) });
    new CfnOutput(stack, "QueueUrl", { value: queue.queueUrl });
    return app;
  }

  test("a stack is updated, and one that would not change is left alone", async () => {
    const simAws = new SimAws();
    const first = await simAws.cdk().deployStack(queueApp(30));
    const updated = await simAws.cdk().deployStack(queueApp(60));
    expect(updated).toMatchObject({ stackId: first.stackId, status: "UPDATE_COMPLETE" });
    expect(updated.output("QueueUrl")).toBe(first.output("QueueUrl"));
    expect(await attribute(simAws, updated.output("QueueUrl"), "VisibilityTimeout")).toBe("60");

    const eventCount = updated.events.length;
    const same = await simAws.cdk().deployStack(queueApp(60));
    expect(same.stackId).toBe(first.stackId);
    expect(same.events).toHaveLength(eventCount);
  });

  test("termination protection is set as the app says", async () => {
    const simAws = new SimAws();
    await simAws.cdk().deploy(queueApp(30, { terminationProtection: true }));
    await expect(simAws.cloudFormation().deleteStack({ stackName: "Orders" })).rejects.toMatchObject({ name: "ValidationError", message: expect.stringContaining("TerminationProtection is enabled") });
    await simAws.cdk().deploy(queueApp(30));
    await simAws.cloudFormation().deleteStack({ stackName: "Orders" });
  });

  test("each stack is told of when its deployment begins, the one that fails too", async () => {
    const app = queueApp(30);
    const broken = new Stack(app, "Broken");
    new Queue(broken, "Queue", { queueName: "not a queue name" });
    const stacks: SimStack[] = [];
    const statuses: string[] = [];
    await expect(new SimAws().cdk().deploy(app, { onStack: (stack) => statuses.push(`${stack.stackName} ${stack.status}`) && stacks.push(stack) })).rejects.toThrow();
    expect(statuses).toEqual(["Orders CREATE_IN_PROGRESS", "Broken CREATE_IN_PROGRESS"]);
    expect(stacks.map(({ status }) => status)).toEqual(["CREATE_COMPLETE", "ROLLBACK_COMPLETE"]);
  });
});

test("an assembly of an older release, with the constructs' paths in its manifest, and without environments or metadata files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sandstack-cdk-"));
  const manifest = {
    version: "21.0.0",
    artifacts: {
      Orders: {
        type: "aws:cloudformation:stack",
        properties: { templateFile: "Orders.template.json" },
        metadata: {
          // A nested stack's queue has the same logical id.
          "/Orders/Nested/Queue/Resource": [{ type: "aws:cdk:logicalId", data: "Queue4A7E3555" }],
          "/Orders/Queue/Resource": [{ type: "aws:cdk:logicalId", data: "Queue4A7E3555" }],
        },
      },
    },
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "Orders.template.json"), JSON.stringify({ Resources: { Queue4A7E3555: { Type: "AWS::SQS::Queue" } } }));
  const { Orders } = await new SimAws().cdk().deploy<"Orders">(folder);
  expect(Orders.getResource("Orders/Queue")).toMatchObject({ logicalId: "Queue4A7E3555", constructPath: "Orders/Queue/Resource", status: "CREATE_COMPLETE" });
  rmSync(folder, { recursive: true });
});

describe("refusals", () => {
  const folder = mkdtempSync(join(tmpdir(), "sandstack-cdk-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each<{ name: string; source: () => unknown; error: string; message: string | RegExp }>([
    { name: "a path that is not there", source: () => "no/such/cdk.out", error: "SimInvalidAssembly", message: "no/such/cdk.out is not a cloud assembly: it has no manifest.json. Give the folder that synthesis writes (cdk.out), or the app itself." },
    { name: "a folder without a manifest", source: () => folder, error: "SimInvalidAssembly", message: /has no manifest\.json/ },
    {
      name: "a manifest that is no JSON",
      source: () => {
        writeFileSync(join(folder, "manifest.json"), "{");
        return folder;
      },
      error: "SimInvalidAssembly",
      message: /The manifest of the cloud assembly cannot be read from .*manifest\.json/,
    },
    { name: "a construct that is no stack", source: () => new Queue(new Stack(new App(), "Orders"), "Queue"), error: "SimInvalidAssembly", message: /the construct Orders\/Queue is none of these/ },
    { name: "something else", source: () => ({ stacks: [] }), error: "SimInvalidAssembly", message: /an object with the members stacks/ },
    { name: "nothing", source: () => undefined, error: "SimInvalidAssembly", message: /this is undefined/ },
  ])("$name", async ({ source, error, message }) => {
    // A test of what the types forbid.
    await expect(new SimAws().cdk().deploy(source() as App)).rejects.toMatchObject({ name: error, message: typeof message === "string" ? message : expect.stringMatching(message) });
  });

  test("a stack that is not there is refused before anything is deployed, naming those there are", async () => {
    const app = new App();
    new Queue(new Stack(app, "Orders"), "Queue");
    const simAws = new SimAws();
    await expect(simAws.cdk().deploy(app, { stacks: ["Orders", "Ordres"] })).rejects.toMatchObject({ name: "SimStackNotFound", message: "The assembly has no stack Ordres. The stacks it has: Orders." });
    expect(simAws.log().records).toEqual([]);
  });
});

async function send(simAws: SimAws, QueueUrl: string, MessageBody: string): Promise<void> {
  await simAws.sqs().sendMessage(new SendMessageCommand({ QueueUrl, MessageBody }));
}

async function bodiesOn(simAws: SimAws, QueueUrl: string): Promise<Set<string | undefined>> {
  const { Messages = [] } = await simAws.sqs().receiveMessage(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
  return new Set(Messages.map(({ Body }) => Body));
}

async function attribute(simAws: SimAws, QueueUrl: string, name: "VisibilityTimeout"): Promise<string | undefined> {
  const { Attributes } = await simAws.sqs().getQueueAttributes(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }));
  return Attributes?.[name];
}

test("a property outside AWS's schema is reported, and with strict it fails the stack, as on AWS", async () => {
  const app = new App();
  const stack = new Stack(app, "Misspelt");
  const queue = new Queue(stack, "Orders").node.defaultChild as CfnResource; // a construct of the second level has one of the first
  queue.addPropertyOverride("VisibilityTimeOut", 30);
  const { Misspelt } = await new SimAws().cdk().deploy<"Misspelt">(app);
  expect(Misspelt.ignoredProperties).toEqual([expect.objectContaining({ path: "VisibilityTimeOut" })]);
  await expect(new SimAws().cdk().deploy(app, { strict: true })).rejects.toThrow("VisibilityTimeOut");
});
