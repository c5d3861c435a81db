import type { BoundHandler, DeployTemplateOptions, SimCloudFormation, SimStack } from "@sandstack/cloudformation";
import { checkOptions, invalidOption, isAwsError, memberNames, type AssetStore, type Scope } from "@sandstack/core";
import { readAssembly, readTemplate, type AssemblyStack } from "./assembly.js";
import { publishAssets } from "./assets.js";
import { resolveBindings, type Bindings, type StackTemplate } from "./bindings.js";
import { scopeOfEnvironment } from "./environment.js";
import { resolveParameters, type CdkParameters } from "./parameters.js";
import { selectStacks, withDependencies } from "./select.js";
import { synthesize, type CdkSource } from "./source.js";

export interface CdkDeployOptions {
  /**
   * In-process handlers in place of functions' code. A function's address is its logical id, construct path or function name; in a Map,
   * or an array of pairs, the CDK construct itself too: `new Map([[stack.consumer, handler]])`.
   */
  readonly bindings?: Bindings<BoundHandler>;
  /** Template parameters, by name or as `STACK:NAME`. */
  readonly parameters?: CdkParameters;
  /** Only these stacks, by name or construct path, and those they depend on. A stage's path means its stacks. Default: all */
  readonly stacks?: readonly string[];
  /** True: a property outside AWS's schema, as an escape hatch may set, fails its resource, as on AWS. False (default): it is reported in `ignoredProperties`. */
  readonly strict?: boolean;
  /** Called with each stack when its deployment has begun: for progress, and to look at a stack that failed. */
  readonly onStack?: (stack: SimStack) => void;
}

const OPTIONS = memberNames<CdkDeployOptions>({ bindings: true, parameters: true, stacks: true, strict: true, onStack: true });

/** CloudFormation in one account and region, as far as the CDK needs it. */
export type CdkCloudFormation = Pick<SimCloudFormation, "deployTemplate" | "updateTemplate" | "findStack"> & {
  updateTerminationProtection(command: { readonly input: { StackName: string; EnableTerminationProtection: boolean } }): Promise<unknown>;
};

/** What a deployment needs of the world. */
export interface CdkWorld {
  readonly assets: AssetStore;
  /** Where stacks go that leave their account or region open. */
  readonly scope: Scope;
  cloudFormation(scope: Scope): CdkCloudFormation;
}

/** A stack of the assembly, as it was deployed. */
export interface DeployedStack {
  readonly source: AssemblyStack;
  readonly stack: SimStack;
}

/** What a deployment will do; all that can be refused beforehand has been. */
export interface DeploymentPlan {
  /** The stacks that were asked for; the others are there because these depend on them. */
  readonly wanted: readonly AssemblyStack[];
  /** In the order of deployment. */
  readonly templates: readonly StackTemplate[];
  readonly bindings: ReadonlyMap<AssemblyStack, Record<string, BoundHandler>>;
  readonly parameters: ReadonlyMap<AssemblyStack, Record<string, string>>;
}

/** @throws SimInvalidOption, before anything is synthesized */
function checkCdkOptions(options: CdkDeployOptions): void {
  checkOptions("cdk().deploy()", options, OPTIONS);
  const { stacks } = options;
  if (stacks !== undefined && !Array.isArray(stacks)) throw invalidOption("stacks", 'a list of names such as ["Orders"]', stacks);
}

/** Synthesizes the source if need be, and finds out what is to be deployed and with what. */
export function planDeployment(source: CdkSource, options: CdkDeployOptions = {}): DeploymentPlan {
  checkCdkOptions(options);
  const { directory, constructPath } = synthesize(source);
  const stacks = readAssembly(directory);
  const wanted = selectStacks(stacks, { constructPath, addresses: options.stacks });
  const templates = withDependencies(stacks, wanted).map((stack) => ({ stack, template: readTemplate(stack) }));
  return { wanted, templates, bindings: resolveBindings(options.bindings ?? {}, templates), parameters: resolveParameters(options.parameters ?? {}, templates) };
}

/** Deploys the stacks of a plan, one after the other. */
export async function carryOut(world: CdkWorld, plan: DeploymentPlan, { strict, onStack }: Pick<CdkDeployOptions, "strict" | "onStack"> = {}): Promise<DeployedStack[]> {
  const deployed: DeployedStack[] = [];
  for (const { stack: source, template } of plan.templates) {
    const { stackName, artifact } = source;
    const scope = scopeOfEnvironment(artifact.environment, world.scope);
    publishAssets(world.assets, source, scope);
    const cloudFormation = world.cloudFormation(scope);
    const { tags, terminationProtection = false } = artifact.properties;
    const stack = await createOrUpdate(cloudFormation, { stackName, template, tags, parameters: plan.parameters.get(source), bindings: plan.bindings.get(source), strict });
    onStack?.(stack);
    await stack.waitForDeployComplete();
    await cloudFormation.updateTerminationProtection({ input: { StackName: stackName, EnableTerminationProtection: terminationProtection } });
    deployed.push({ source, stack });
  }
  return deployed;
}

/** As `cdk deploy`: a stack that is there is updated, and one that would not change is left alone. */
async function createOrUpdate(cloudFormation: CdkCloudFormation, options: DeployTemplateOptions): Promise<SimStack> {
  const existing = cloudFormation.findStack(options.stackName);
  if (existing === undefined) return cloudFormation.deployTemplate(options);
  try {
    return await cloudFormation.updateTemplate(options);
  } catch (error) {
    if (isAwsError(error) && error.message === "No updates are to be performed.") return existing;
    throw error;
  }
}
