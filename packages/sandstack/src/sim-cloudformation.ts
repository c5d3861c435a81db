import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { SimCloudFormation, type DeployTemplateOptions, type SimStack, type UpdateTemplateOptions } from "@sandstack/cloudformation";
import type { CallOptions, InputOf, OutputOf, Scope, World } from "@sandstack/core";
import { makeLambdaBinding } from "@sandstack/lambda";
import { noCommand, type CommandLike, type ServiceFacade } from "./facade.js";

/** As `deployTemplate`, with the template in a file. */
export type DeployTemplateFileOptions = Omit<DeployTemplateOptions, "stackName" | "template"> & {
  /** JSON or YAML. */
  readonly path: string;
  /** Default: the file's name without its endings, what no stack can be called left out. */
  readonly stackName?: string;
};

/** CloudFormation called directly, and its shorter ways. */
export type SimCloudFormationService = Omit<ServiceFacade<"cloudformation">, "deleteStack"> & {
  /**
   * Begins to make a stack of a template: an object, or JSON or YAML text. `await stack.waitForDeployComplete()` waits for it.
   *
   * @throws AlreadyExistsException for a name in use, ValidationError for a template that is wrong; nothing has been made then
   */
  deployTemplate(options: DeployTemplateOptions): Promise<SimStack>;
  /** As `deployTemplate`, with the template in a file, given by its path alone or with options. */
  deployTemplateFile(pathOrOptions: string | DeployTemplateFileOptions): Promise<SimStack>;
  /** Begins to update a stack. Template, tags and parameters that are not given stay as they are. @throws ValidationError, also when there is nothing to do */
  updateTemplate(options: UpdateTemplateOptions): Promise<SimStack>;
  /** A stack by name, if it is not deleted, or by id. */
  findStack(stackName: string): SimStack | undefined;
  /** With the SDK's command, as AWS: answers at once. With a name it waits until the stack is gone. */
  deleteStack: ServiceFacade<"cloudformation">["deleteStack"] & ((stack: string | StackToDelete) => Promise<void>);
};

type StackToDelete = { readonly stackName: string } & CallOptions;
type DeleteStackCommand = CommandLike<InputOf<"cloudformation", "DeleteStack">>;

/** Puts the sandbox's own ways beside the SDK-shaped operations. */
export function simCloudFormation(world: World, scope: Scope, operations: ServiceFacade<"cloudformation">): SimCloudFormationService {
  const templates = simCloudFormationTemplates(world, scope);
  async function deleteStack(what: DeleteStackCommand | string | StackToDelete, options?: CallOptions): Promise<OutputOf<"cloudformation", "DeleteStack"> | void> {
    if (typeof what === "string") return templates.deleteStack({ stackName: what });
    if (typeof what !== "object" || what === null) throw noCommand("cloudformation", "DeleteStack", what);
    return "input" in what ? operations.deleteStack(what, options) : templates.deleteStack(what);
  }
  return Object.assign(Object.create(operations) as ServiceFacade<"cloudformation">, {
    deployTemplate: (options: DeployTemplateOptions) => templates.deployTemplate(options),
    deployTemplateFile: (pathOrOptions: string | DeployTemplateFileOptions) => deployTemplateFile(templates, pathOrOptions),
    updateTemplate: (options: UpdateTemplateOptions) => templates.updateTemplate(options),
    findStack: (stackName: string) => templates.findStack(stackName),
    deleteStack: deleteStack as SimCloudFormationService["deleteStack"], // each form of the argument has its form of the answer
  });
}

/** Templates deployed into a scope, their functions' code replaced by Lambda's form of an in-process handler. */
export function simCloudFormationTemplates(world: World, scope: Scope): SimCloudFormation {
  return new SimCloudFormation(world, scope, { codeOf: makeLambdaBinding });
}

async function deployTemplateFile(templates: SimCloudFormation, pathOrOptions: string | DeployTemplateFileOptions): Promise<SimStack> {
  const { path, stackName, ...options } = typeof pathOrOptions === "string" ? { path: pathOrOptions } : pathOrOptions;
  const template = await readFile(path, "utf8");
  return templates.deployTemplate({ ...options, stackName: stackName ?? stackNameOf(path), template });
}

/** `orders-stack.template.json` makes `orders-stack`. */
function stackNameOf(path: string): string {
  const [name = ""] = basename(path).split(".");
  return name.replace(/[^A-Za-z0-9-]/g, "-").replace(/^[^A-Za-z]+/, "") || "stack";
}
