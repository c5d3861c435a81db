import { namedValues, type NamedValues, type SimStack } from "@sandstack/cloudformation";
import { invariant, simError } from "@sandstack/core";
import { carryOut, planDeployment, type CdkDeployOptions, type CdkWorld, type DeployedStack } from "./deploy.js";
import { describeStack } from "./select.js";
import type { CdkSource } from "./source.js";

/**
 * Deployed stacks by name, in the order of their deployment: as an object's members (`const { Orders } = stacks`) and as in a Map (`stacks.get("Orders")`).
 * Stacks of one name in several environments are under their construct paths.
 *
 * `Name` can be given where the names are known: `deploy<"Orders" | "Billing">(app)`.
 */
export type SimStacks<Name extends string = string> = NamedValues<SimStack> & { readonly [Known in Name]: SimStack };

/** Deploys CDK apps into a world. */
export class SimCdk {
  readonly #world: CdkWorld;

  constructor(world: CdkWorld) {
    this.#world = world;
  }

  /**
   * Deploys the stacks of a CDK app and waits until they are there:
   * `const { Orders } = await simAws.cdk().deploy(app)`.
   *
   * The app is synthesized if it is not yet. File assets need no bucket and no bootstrapping. Stacks are deployed one after the other, each behind those
   * it depends on, in the account and region of its `env`, or in the default ones.
   *
   * @param source an `App`, `Stage`, `Stack` (with those it depends on), a cloud assembly, or the path of one (`cdk.out`)
   * @throws the error of the resource that failed; stacks deployed before it stay. SimInvalidAssembly, SimStackNotFound, SimBindingNotFound
   *   and SimParameterNotFound before anything is deployed
   */
  async deploy<Name extends string = string>(source: CdkSource, options?: CdkDeployOptions): Promise<SimStacks<Name>> {
    return byName(await carryOut(this.#world, planDeployment(source, options), options)) as SimStacks<Name>; // the names are the caller's to know
  }

  /**
   * As `deploy`, for a single stack, which is the answer: `const orders = await simAws.cdk().deployStack(ordersStack)`.
   *
   * @param source a `Stack` (those it depends on are deployed before it), or an app or assembly that comes to one stack
   * @throws SimStackNotFound naming the stacks when there are several or none
   */
  async deployStack(source: CdkSource, options?: CdkDeployOptions): Promise<SimStack> {
    const plan = planDeployment(source, options);
    const [wanted, ...others] = plan.wanted;
    if (wanted === undefined || others.length > 0) {
      throw simError("SimStackNotFound", `cdk().deployStack takes what comes to one stack; this comes to ${plan.wanted.map(describeStack).join(", ") || "none"}. Give the stack, or name it: { stacks: ["NAME"] }.`);
    }
    const deployed = await carryOut(this.#world, plan, options);
    const answer = deployed.find(({ source }) => source === wanted);
    invariant(answer, "the stack that was asked for is among those deployed");
    return answer.stack;
  }
}

function byName(deployed: readonly DeployedStack[]): NamedValues<SimStack> {
  const isShared = (name: string): boolean => deployed.filter(({ source }) => source.stackName === name).length > 1;
  return namedValues(deployed.map(({ source, stack }) => [isShared(source.stackName) ? source.constructPath : source.stackName, stack]));
}
