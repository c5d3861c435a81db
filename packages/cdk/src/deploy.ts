import type { DeployTemplateOptions, SimCloudFormation, SimStack } from "@sandstack/cloudformation";
import type { AssetStore, Scope } from "@sandstack/core";
import { readAssembly, readTemplate, type AssemblyStack } from "./assembly.js";
import { publishAssets } from "./assets.js";
import { resolveBindings, type Bindings, type StackTemplate } from "./bindings.js";
import { scopeOfEnvironment } from "./environment.js";
import { resolveParameters, type CdkParameters } from "./parameters.js";
import { selectStacks, withDependencies } from "./select.js";
import { synthesize, type CdkSource } from "./source.js";

/** An in-process function that stands for a Lambda function's code. */
export type BoundHandler = NonNullable<DeployTemplateOptions["bindings"]>[string];

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
}

/** What a deployment needs of the world. */
export interface CdkWorld {
  readonly assets: AssetStore;
  /** Where stacks go that leave their account or region open. */
  readonly scope: Scope;
  cloudFormation(scope: Scope): SimCloudFormation;
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

/** Synthesizes the source if need be, and finds out what is to be deployed and with what. */
export function planDeployment(source: CdkSource, options: CdkDeployOptions = {}): DeploymentPlan {
  const { directory, constructPath } = synthesize(source);
  const stacks = readAssembly(directory);
  const wanted = selectStacks(stacks, { constructPath, addresses: options.stacks });
  const templates = withDependencies(stacks, wanted).map((stack) => ({ stack, template: readTemplate(stack) }));
  return { wanted, templates, bindings: resolveBindings(options.bindings ?? {}, templates), parameters: resolveParameters(options.parameters ?? {}, templates) };
}

/** Deploys the stacks of a plan, one after the other. */
export async function carryOut(world: CdkWorld, { templates, bindings, parameters }: DeploymentPlan): Promise<DeployedStack[]> {
  const deployed: DeployedStack[] = [];
  for (const { stack: source, template } of templates) {
    const scope = scopeOfEnvironment(source.artifact.environment, world.scope);
    publishAssets(world.assets, source, scope);
    const stack = await world.cloudFormation(scope).deployTemplate({
      stackName: source.stackName,
      template,
      parameters: parameters.get(source),
      bindings: bindings.get(source),
      tags: source.artifact.properties.tags,
    });
    await stack.waitForDeployComplete();
    deployed.push({ source, stack });
  }
  return deployed;
}
