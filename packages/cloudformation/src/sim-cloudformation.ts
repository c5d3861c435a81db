import { checkOptions, invalidOption, invoke, isPlainObject, memberNames, type CallOptions, type Caller, type Scope, type World } from "@sandstack/core";
import { SANDBOX, type SandboxDeployment } from "./deployment.js";
import { cloudFormationService } from "./service.js";
import { SimStack } from "./sim-stack.js";
import { findStack } from "./stacks.js";
import type { CloudFormationState } from "./state.js";

/** An in-process function that stands for a Lambda function's code. */
// Handlers are typed by whoever writes them; the sandbox only calls them.
export type BoundHandler = (event: any, context: any) => unknown;

/** Parameters or tags as an object, or as the SDK's list. */
export type ParameterValues = Readonly<Record<string, string | number | boolean | readonly string[]>> | readonly { readonly ParameterKey?: string; readonly ParameterValue?: string; readonly UsePreviousValue?: boolean }[];
export type TagValues = Readonly<Record<string, string>> | readonly { readonly Key?: string; readonly Value?: string }[];

export interface DeployTemplateOptions {
  readonly stackName: string;
  /** An object, or JSON or YAML text. */
  readonly template: string | object;
  readonly parameters?: ParameterValues | undefined;
  /** In-process handlers in place of functions' code, by logical id, construct path or function name. */
  readonly bindings?: Readonly<Record<string, BoundHandler>> | undefined;
  readonly tags?: TagValues | undefined;
  /** True: a property outside AWS's schema fails its resource, and AWS's quotas apply, as on AWS. False (default): it is reported in `ignoredProperties`. */
  readonly strict?: boolean | undefined;
  /** Who deploys, and makes the resources. Default: the account's root. */
  readonly caller?: Caller | undefined;
}

export type UpdateTemplateOptions = Omit<DeployTemplateOptions, "template"> & {
  /** Default: the stack's present one. */
  readonly template?: string | object | undefined;
};

const OPTIONS = memberNames<DeployTemplateOptions>({ stackName: true, template: true, parameters: true, bindings: true, tags: true, strict: true, caller: true });

/** What a deployment needs of packages that this one does not know. */
export interface DeploymentTools {
  /** The bytes that Lambda takes for an in-process function. */
  codeOf(handler: BoundHandler): Uint8Array;
}

const ALL_CAPABILITIES = ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"] as const;

/** Deploys templates into one account and region. */
export class SimCloudFormation {
  readonly #world: World;
  readonly #scope: Scope;
  readonly #tools: DeploymentTools;

  constructor(world: World, scope: Scope, tools: DeploymentTools) {
    this.#world = world;
    this.#scope = scope;
    this.#tools = tools;
  }

  /**
   * Begins to make a stack; `waitForDeployComplete()` of the answer waits for it. All capabilities are granted.
   *
   * @throws what CreateStack throws: AlreadyExistsException, ValidationError. SimBindingNotFound for a binding of no function. SimInvalidOption
   */
  async deployTemplate(options: DeployTemplateOptions): Promise<SimStack> {
    const { StackId } = await this.#begin("CreateStack", options, { keepsParameters: false });
    return new SimStack(this.#world, this.#scope, StackId);
  }

  /** Begins to update a stack. Parameters that are not given keep their values. @throws what UpdateStack throws */
  async updateTemplate(options: UpdateTemplateOptions): Promise<SimStack> {
    const { StackId } = await this.#begin("UpdateStack", options, { keepsParameters: true });
    return new SimStack(this.#world, this.#scope, StackId);
  }

  /** Deletes a stack and waits until it is gone. @throws the error of a resource that cannot be deleted, or what DeleteStack throws */
  async deleteStack({ stackName, ...options }: { readonly stackName: string } & CallOptions): Promise<void> {
    const stack = this.findStack(stackName);
    await invoke(this.#world, this.#scope, cloudFormationService.id, "DeleteStack", { StackName: stackName }, options);
    await stack?.waitForDeployComplete();
  }

  /** A stack by name, if it is not deleted, or by id. */
  findStack(stackName: string): SimStack | undefined {
    const state = this.#world.stateOf(cloudFormationService, this.#scope) as CloudFormationState; // this service's own state
    const stack = findStack(state, stackName);
    return stack === undefined ? undefined : new SimStack(this.#world, this.#scope, stack.id);
  }

  async #begin(operation: "CreateStack" | "UpdateStack", options: UpdateTemplateOptions, { keepsParameters }: Pick<SandboxDeployment, "keepsParameters">): Promise<{ StackId: string }> {
    checkOptions(operation === "CreateStack" ? "deployTemplate()" : "updateTemplate()", options, OPTIONS);
    const { stackName, template, parameters = [], bindings = {}, tags, strict = false, caller } = options;
    if (!isPlainObject(bindings) || Symbol.iterator in bindings) throw invalidOption("bindings", "an object of handlers, by logical id, construct path or function name", bindings);
    for (const [address, handler] of Object.entries(bindings)) checkBinding(address, handler);
    const codeOverrides = Object.fromEntries(Object.entries(bindings).map(([address, handler]) => [address, this.#tools.codeOf(handler)]));
    const sandbox: SandboxDeployment = { template, isStrict: strict, codeOverrides, keepsParameters };
    const input = {
      StackName: stackName,
      UsePreviousTemplate: template === undefined ? true : undefined,
      Parameters: parameterList(parameters),
      Capabilities: ALL_CAPABILITIES,
      Tags: tags === undefined ? undefined : tagList(tags),
      [SANDBOX]: sandbox,
    };
    return (await invoke(this.#world, this.#scope, cloudFormationService.id, operation, input, { caller })) as { StackId: string }; // both answer the stack's id
  }
}

/** @throws SimInvalidOption for what is no function, such as an import that came to nothing */
export function checkBinding(address: string, handler: unknown): void {
  if (typeof handler !== "function") throw invalidOption(`The binding of ${address}`, "a function, called with the event and the context", handler);
}

function parameterList(parameters: ParameterValues): { ParameterKey?: string; ParameterValue?: string; UsePreviousValue?: boolean }[] {
  if (isList(parameters)) return parameters.map((parameter) => ({ ...parameter }));
  return Object.entries(parameters).map(([ParameterKey, value]) => ({ ParameterKey, ParameterValue: Array.isArray(value) ? value.join(",") : String(value) }));
}

function tagList(tags: TagValues): { Key?: string; Value?: string }[] {
  return isList(tags) ? tags.map((tag) => ({ ...tag })) : Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

function isList<T>(value: readonly T[] | Readonly<Record<string, unknown>>): value is readonly T[] {
  return Array.isArray(value);
}
