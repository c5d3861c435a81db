import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SimAws } from "sandstack";
import { figure, type Benchmark } from "../figure.js";
import { interleaved } from "../measure.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const ROUNDS = 21;

/** Deploying into a fresh world: the example's assembly, and stacks of many queues with policies. */
export const deployment: Benchmark = {
  name: "deployment",
  async run() {
    const assembly = mkdtempSync(join(tmpdir(), "sandstack-bench-"));
    try {
      synthesizeOrders(assembly);
      const works = {
        orders: () => new SimAws().cdk().deploy(assembly),
        queues250: () => deployQueues(250),
        queues500: () => deployQueues(500),
      };
      await interleaved(5, works);
      const timesMs = await interleaved(ROUNDS, works);
      return [
        figure("deployment.orders", timesMs.orders, "ms", { target: 10 }),
        figure("deployment.500-queues", timesMs.queues500, "ms", { ratioTo: "250 queues", ratio: timesMs.queues500 / timesMs.queues250, target: 2.5 }),
      ];
    } finally {
      rmSync(assembly, { recursive: true });
    }
  },
};

function synthesizeOrders(assembly: string): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/run.mjs"), "bin/app.ts"], { cwd: join(root, "examples/orders"), env: { ...process.env, CDK_OUTDIR: assembly }, encoding: "utf8" });
  if (status !== 0) throw new Error(`The example could not be synthesized: ${stderr}`);
}

async function deployQueues(count: number): Promise<void> {
  const stack = await new SimAws().cloudFormation().deployTemplate({ stackName: "queues", template: queuesWithPolicies(count) });
  await stack.waitForDeployComplete();
}

function queuesWithPolicies(count: number): object {
  const Resources: Record<string, object> = {};
  for (let index = 0; index < count; index++) {
    Resources[`Queue${index}`] = { Type: "AWS::SQS::Queue", Properties: { VisibilityTimeout: 60 } };
    Resources[`Policy${index}`] = {
      Type: "AWS::SQS::QueuePolicy",
      Properties: {
        Queues: [{ Ref: `Queue${index}` }],
        PolicyDocument: {
          Version: "2012-10-17",
          Statement: [{ Effect: "Deny", Principal: { AWS: "*" }, Action: "sqs:*", Resource: { "Fn::GetAtt": [`Queue${index}`, "Arn"] }, Condition: { Bool: { "aws:SecureTransport": "false" } } }],
        },
      },
    };
  }
  return { Resources };
}
