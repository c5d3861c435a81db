import type { StackEvent as SdkStackEvent } from "@aws-sdk/client-cloudformation";
import { simError, type Scope, type World } from "@sandstack/core";
import { isInProgress } from "./engine/carry-out.js";
import { constructPathOf, isAtPath } from "./engine/code-overrides.js";
import { namedValues, type NamedValues } from "./named-values.js";
import { cloudFormationService } from "./service.js";
import { describeEvent } from "./shapes.js";
import type { CloudFormationState, IgnoredProperty, ResourceStatus, Stack, StackResource, StackStatus } from "./state.js";

/** A resource of a stack, as it was when it was asked for. */
export interface SimStackResource {
  readonly logicalId: string;
  readonly type: string;
  /** What `Ref` gives; for a skipped resource its logical id. Absent for one that was never made. */
  readonly physicalId: string | undefined;
  readonly status: ResourceStatus;
  /** What `Fn::GetAtt` gives, by attribute. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** True when it is really there. */
  readonly deployed: boolean;
  /** Why it is not, for a type that AWS has and the sandbox lacks. */
  readonly skippedReason: string | undefined;
  /** Properties that it was made without. */
  readonly ignoredProperties: readonly IgnoredProperty[];
  /** For a template made by the CDK. */
  readonly constructPath: string | undefined;
}

/** The statuses in which what was last asked of a stack has been done. */
const SUCCESSES: readonly StackStatus[] = ["CREATE_COMPLETE", "UPDATE_COMPLETE", "DELETE_COMPLETE", "REVIEW_IN_PROGRESS"];

/** A stack, as it is at the time of each question. */
export class SimStack {
  /** `arn:aws:cloudformation:<region>:<account>:stack/<name>/<uuid>` */
  readonly stackId: string;
  readonly stackName: string;
  readonly #world: World;
  readonly #scope: Scope;

  constructor(world: World, scope: Scope, stackId: string) {
    this.#world = world;
    this.#scope = scope;
    this.stackId = stackId;
    this.stackName = this.#stack.name;
  }

  get status(): StackStatus {
    return this.#stack.status;
  }

  /**
   * Waits until what was asked of the stack has ended, and runs all other background work that is due meanwhile.
   *
   * @returns the stack itself
   * @throws the error of the resource that failed, as its service gave it; its message says which resource it was
   */
  async waitForDeployComplete(): Promise<this> {
    const { background } = this.#world;
    await background.settle();
    // Work that waits for the clock (another stack's may, this one's too) is given the time it needs.
    for (let running = this.#running(); running !== undefined; running = this.#running()) await background.finish(running);
    const { name, status, statusReason } = this.#stack;
    if (SUCCESSES.includes(status)) return this;
    const failure = this.#world.table<Error>(cloudFormationService.id, "failures").get(this.stackId);
    throw failure ?? simError("SimDeploymentFailed", `The stack ${name} is ${status}${statusReason === undefined ? "" : `: ${statusReason}`}`);
  }

  /** The value of an output. @throws SimOutputNotFound naming the outputs there are */
  output(key: string): string {
    const { outputs, name, status } = this.#stack;
    const found = outputs.find((output) => output.key === key);
    if (found !== undefined) return found.value;
    const hint = isInProgress(status) ? ` The stack is ${status}: await waitForDeployComplete() first.` : "";
    throw simError("SimOutputNotFound", `The stack ${name} has no output ${key}. The outputs it has: ${outputs.map((output) => output.key).join(", ") || "none"}.${hint}`);
  }

  /** The outputs' values by key. */
  get outputs(): NamedValues {
    return namedValues(this.#stack.outputs.map(({ key, value }) => [key, value]));
  }

  /** The exports' values by name. */
  get exports(): NamedValues {
    return namedValues(this.#stack.outputs.flatMap(({ exportName, value }) => (exportName === undefined ? [] : [[exportName, value] as const])));
  }

  /** All resources, in the order in which they were begun. */
  get resources(): readonly SimStackResource[] {
    return [...this.#stack.resources.values()].map(viewOf);
  }

  /** A resource by logical id or, for a template made by the CDK, construct path. @throws SimResourceNotFound naming the resources there are */
  getResource(idOrConstructPath: string): SimStackResource {
    const { resources, name } = this.#stack;
    const found = resources.get(idOrConstructPath) ?? [...resources.values()].find(({ metadata }) => isAtPath(constructPathOf(metadata), idOrConstructPath));
    if (found !== undefined) return viewOf(found);
    const known = [...resources.values()].map(({ logicalId, metadata }) => `${logicalId}${constructPathOf(metadata) === undefined ? "" : ` (${constructPathOf(metadata)})`}`);
    throw simError("SimResourceNotFound", `The stack ${name} has no resource ${idOrConstructPath}. The resources it has: ${known.join(", ") || "none"}.`);
  }

  /** The properties that resources were made without, with the reason for each. */
  get ignoredProperties(): readonly IgnoredProperty[] {
    return [...this.#stack.resources.values()].flatMap(({ ignoredProperties }) => ignoredProperties);
  }

  /** The resources of types that AWS has and the sandbox lacks. */
  get skippedResources(): readonly SimStackResource[] {
    return this.resources.filter(({ skippedReason }) => skippedReason !== undefined);
  }

  /** As DescribeStackEvents gives them: newest first, at the sandbox's times. */
  get events(): readonly SdkStackEvent[] {
    const stack = this.#stack;
    return stack.events.toReversed().map((event) => describeEvent(stack, event));
  }

  #running(): Promise<void> | undefined {
    return this.#world.table<Promise<void>>(cloudFormationService.id, "running").get(this.stackId);
  }

  get #stack(): Stack {
    const state = this.#world.stateOf(cloudFormationService, this.#scope) as CloudFormationState; // this service's own state
    const stack = state.stacks.get(this.stackId);
    if (stack === undefined) throw simError("SimStackGone", `There is no stack ${this.stackId} any more: the world was reset, or the stack was deleted long ago.`);
    return stack;
  }
}

function viewOf({ logicalId, type, physicalId, status, attributes, skippedReason, ignoredProperties, metadata }: StackResource): SimStackResource {
  const deployed = skippedReason === undefined && (status === "CREATE_COMPLETE" || status === "UPDATE_COMPLETE");
  return { logicalId, type, physicalId, status, attributes, deployed, skippedReason, ignoredProperties, constructPath: constructPathOf(metadata) };
}
