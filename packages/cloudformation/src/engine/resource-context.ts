import { isAwsError, uuid, type Caller, type ResourceContext, type ServiceContext } from "@sandstack/core";
import type { CloudFormationState, Stack } from "../state.js";
import { physicalName } from "./physical-name.js";

/** Where an error came from, for the reason AWS gives. Beside the errors, for they are the service's own. */
const serviceOfError = new WeakMap<object, string>();

export interface ContextOptions {
  readonly ctx: ServiceContext<CloudFormationState>;
  readonly stack: Stack;
  readonly logicalId: string;
  readonly caller: Caller | undefined;
  /** The user's own tags of the stack. */
  readonly tags: Readonly<Record<string, string>>;
}

/** What a resource type's functions work with: they ask the services as the one who deploys. */
export function resourceContext({ ctx, stack, logicalId, caller, tags }: ContextOptions): ResourceContext {
  return {
    logicalId,
    stackName: stack.name,
    stackId: stack.id,
    scope: ctx.scope,
    tags: {
      ...tags,
      "aws:cloudformation:stack-name": stack.name,
      "aws:cloudformation:stack-id": stack.id,
      "aws:cloudformation:logical-id": logicalId,
    },
    physicalName: (options) => physicalName(ctx.random, stack.name, logicalId, options),
    uuid: () => uuid(ctx.random),
    async call(service, operation, input, options = {}) {
      const { ignore = [], ...callOptions } = options;
      try {
        return await ctx.call(service, operation, input, { caller, ...callOptions });
      } catch (error) {
        if (isAwsError(error) && ignore.includes(error.name)) return undefined;
        if (typeof error === "object" && error !== null) serviceOfError.set(error, service);
        throw error;
      }
    },
  };
}

/** The service whose operation failed with `error`, by the SDK's name for it. */
export function serviceThatFailed(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? serviceOfError.get(error) : undefined;
}
