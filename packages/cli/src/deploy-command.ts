import { statSync } from "node:fs";
import { SimAws } from "sandstack";
import type { SimStack } from "sandstack/cloudformation";
import type { CommandIo } from "./command-io.js";
import { DEPLOY_USAGE, readDeployOptions, type DeployOptions } from "./deploy-options.js";
import { refusalReport, renderReports, reportOf, type StackReport } from "./report.js";

/**
 * Deploys a template or an assembly into a fresh world and tells what came of it.
 *
 * @returns the exit code: 0 deployed, 1 failed, 2 wrong options
 */
export async function deployCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  let options: DeployOptions | "help";
  try {
    options = readDeployOptions(argv);
    if (options !== "help" && statSync(options.path, { throwIfNoEntry: false }) === undefined) throw new Error(`There is no ${options.path}.`);
  } catch (error) {
    io.err(`${(error as Error).message}\n\n${DEPLOY_USAGE}`);
    return 2;
  }
  if (options === "help") {
    io.out(DEPLOY_USAGE);
    return 0;
  }
  const reports = await deploy(options);
  io.out(options.json ? `${JSON.stringify(reports.length === 1 ? reports[0] : { stacks: reports }, undefined, 2)}\n` : renderReports(reports));
  return reports.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

/** What came of each stack; the last one may have failed, or have been refused. */
async function deploy({ path, parameters }: DeployOptions): Promise<StackReport[]> {
  const simAws = new SimAws();
  const stacks: SimStack[] = [];
  const onStack = (stack: SimStack): void => void stacks.push(stack);
  try {
    if (statSync(path).isDirectory()) await simAws.cdk().deploy(path, { parameters, onStack });
    else await deployTemplateFile(simAws, path, parameters, onStack);
    return stacks.map((stack) => reportOf(stack));
  } catch (thrown) {
    const error = thrown as Error; // neither AWS nor the sandbox throws anything else
    const failed = stacks.find(({ status }) => status !== "CREATE_COMPLETE");
    return [...stacks.filter((stack) => stack !== failed).map((stack) => reportOf(stack)), failed === undefined ? refusalReport(error) : reportOf(failed, error)];
  }
}

async function deployTemplateFile(simAws: SimAws, path: string, parameters: DeployOptions["parameters"], onStack: (stack: SimStack) => void): Promise<void> {
  const stack = await simAws.cloudFormation().deployTemplateFile({ path, parameters });
  onStack(stack);
  await stack.waitForDeployComplete();
}
