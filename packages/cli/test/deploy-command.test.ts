import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deployCommand } from "../src/deploy-command.js";
import { App, CfnOutput, Stack } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";

// The CDK's own synthesis takes seconds on a busy machine.
jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "sandstack-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

const TEMPLATE = `
Parameters:
  Timeout: { Type: Number, MaxValue: 100, Default: 30 }
  Label: { Type: String, Default: none }
Resources:
  Orders:
    Type: AWS::SQS::Queue
    Properties: { VisibilityTimeout: !Ref Timeout, KmsMasterKeyId: alias/aws/sqs }
  Archive: { Type: AWS::S3::Bucket }
Outputs:
  Label: { Value: !Ref Label }
  Timeout: { Value: !Ref Timeout }
`;

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const code = await deployCommand(argv, { out: (text) => (out += text), err: (text) => (err += text) });
  return { code, out, err };
}

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("a template's status, outputs, skipped resources and ignored properties, as text", async () => {
  const { code, out, err } = await run(file("orders-stack.template.yaml", TEMPLATE));
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(`orders-stack is CREATE_COMPLETE

Outputs
  Label    none
  Timeout  30

Skipped resources
  Archive  AWS::S3::Bucket  The sandbox does not have the resource type AWS::S3::Bucket.

Ignored properties
  Orders  AWS::SQS::Queue  KmsMasterKeyId  The queue keeps and reports it, but the sandbox encrypts nothing.
`);
});

test.each([
  { name: "one by one", argv: ["--parameters", "Timeout=45", "--parameters=Label=a=b", "TEMPLATE", "--json"] },
  { name: "several at once, behind the template", argv: ["TEMPLATE", "--json", "--parameters", "Timeout=45", "Label=a=b"] },
  { name: "several at once, before it", argv: ["--parameters", "Timeout=45", "Label=a=b", "--json", "TEMPLATE"] },
])("parameters are given $name; --json prints one object", async ({ argv }) => {
  const path = file("orders-stack.template.yaml", TEMPLATE);
  const { code, out } = await run(...argv.map((argument) => (argument === "TEMPLATE" ? path : argument)));
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    stackName: "orders-stack",
    status: "CREATE_COMPLETE",
    outputs: { Label: "a=b", Timeout: "45" },
    skippedResources: [{ logicalId: "Archive", type: "AWS::S3::Bucket", reason: expect.any(String) }],
    ignoredProperties: [{ logicalId: "Orders", resourceType: "AWS::SQS::Queue", path: "KmsMasterKeyId", reason: expect.any(String) }],
  });
});

describe("assemblies", () => {
  function synthesize(...names: string[]): string {
    const app = new App();
    for (const name of names) {
      const stack = new Stack(app, name);
      // The second queue's name makes the stack called Broken fail.
      const queue = new Queue(stack, "Queue", { queueName: name === "Broken" ? "not a queue name" : `${name}-queue` });
      new CfnOutput(stack, "QueueName", { value: queue.queueName });
    }
    return app.synth().directory;
  }

  test("an assembly of one stack reads as a template does", async () => {
    const { code, out } = await run(synthesize("Orders"), "--json");
    expect({ code, report: JSON.parse(out) }).toEqual({
      code: 0,
      report: { stackName: "Orders", status: "CREATE_COMPLETE", outputs: { QueueName: "Orders-queue" }, skippedResources: [], ignoredProperties: [] },
    });
  });

  test("of several stacks, those deployed and the one that failed are told", async () => {
    const assembly = synthesize("Orders", "Broken", "Later");
    const { code, out } = await run(assembly, "--json");
    expect({ code, report: JSON.parse(out) }).toMatchObject({
      code: 1,
      report: {
        stacks: [
          { stackName: "Orders", status: "CREATE_COMPLETE" },
          { stackName: "Broken", status: "ROLLBACK_COMPLETE", failure: { name: "InvalidParameterValue", logicalId: expect.stringMatching(/^Queue/), resourceType: "AWS::SQS::Queue", constructPath: "Broken/Queue/Resource" } },
        ],
      },
    });
    const text = await run(assembly);
    expect(text).toMatchObject({ code: 1, out: expect.stringMatching(/^Orders is CREATE_COMPLETE\n[^]*\nBroken is ROLLBACK_COMPLETE\n\nFailure\n {2}InvalidParameterValue {2}.*resource Queue\w+ of type AWS::SQS::Queue/) });
  });
});

test.each([
  { name: "a parameter out of its bounds", argv: ["--parameters", "Timeout=101"], failure: { name: "ValidationError", message: expect.stringContaining("Timeout") } },
  { name: "a parameter that the template has not", argv: ["--parameters", "Timout=50"], failure: { name: "ValidationError", message: "Parameters: [Timout] do not exist in the template" } },
])("a refused template is a failed deployment without a stack: $name", async ({ argv, failure }) => {
  const { code, out } = await run(file("orders-stack.template.yaml", TEMPLATE), "--json", ...argv);
  expect({ code, report: JSON.parse(out) }).toEqual({ code: 1, report: { outputs: {}, skippedResources: [], ignoredProperties: [], failure } });
});

test.each([
  { name: "no template", argv: [], message: "Which template or assembly? Give its path." },
  { name: "a path that is not there", argv: ["no/such.yaml"], message: "There is no no/such.yaml." },
  { name: "two templates", argv: ["a.yaml", "b.yaml"], message: "One template or assembly at a time; b.yaml is one too many." },
  { name: "a parameter without a value", argv: ["a.yaml", "--parameters", "Timeout"], message: '--parameters takes KEY=VALUE, not "Timeout".' },
  { name: "an unknown option", argv: ["a.yaml", "--jsn"], message: "Unknown option '--jsn'" },
])("wrong options end with 2 and the usage: $name", async ({ argv, message }) => {
  const { code, out, err } = await run(...argv);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(message);
  expect(err).toMatch("Usage: npm run deploy");
});

test("--help prints the usage", async () => {
  expect(await run("--help")).toMatchObject({ code: 0, out: expect.stringContaining("Usage: npm run deploy") });
});
