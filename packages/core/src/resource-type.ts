import { types } from "node:util";
import type { CallOptions } from "./caller.js";
import type { Scope } from "./scope.js";
import type { InputOf, OperationName, OutputOf, ServiceId } from "./service.js";

/** What a resource type's functions may use. Everything they do goes through operations, as the stack's principal. */
export interface ResourceContext {
  readonly logicalId: string;
  readonly stackName: string;
  readonly stackId: string;
  readonly scope: Scope;
  /** The stack's tags with CloudFormation's own three; for types that take tags. */
  readonly tags: Readonly<Record<string, string>>;
  /**
   * The name CloudFormation makes: `<stack>-<logical id>-<12 random characters>`, the first two shortened to fit.
   *
   * @param options.maxLength the service's limit, suffix included. Default 64
   * @param options.suffix kept whole at the end: `.fifo`
   * @param options.lowerCase for services that take lower case only
   */
  physicalName(options?: { maxLength?: number; suffix?: string; lowerCase?: boolean }): string;
  /** A new UUID from the world's generator. */
  uuid(): string;
  /**
   * Asks a service through the door.
   *
   * @param options.ignore names of errors that mean the work is already done; the answer is then `undefined`
   */
  call<Id extends ServiceId, Name extends OperationName<Id>>(
    service: Id,
    operation: Name,
    input: InputOf<Id, Name>,
    options?: CallOptions & { ignore?: readonly string[] },
  ): Promise<OutputOf<Id, Name> | undefined>;
}

/** A resource that exists. */
export interface ResourceResult {
  /** What `Ref` gives. */
  readonly physicalId: string;
  /** What `Fn::GetAtt` gives. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface CurrentResource<Properties> extends ResourceResult {
  readonly properties: Properties;
}

/** One CloudFormation resource type, working through its service's operations. */
export interface ResourceType<Properties = any> {
  /** `AWS::SQS::Queue` */
  readonly type: string;
  /**
   * The properties the sandbox acts on: a top-level name for all that is below it, or a dotted path for a part (`Code.ZipFile`).
   * All others of AWS's schema are reported in `ignoredProperties` where a template sets them.
   */
  readonly actsOn: readonly string[];
  /** Why a property has no effect here, where more can be said than that the sandbox does not act on it. By property name. */
  readonly ignoredBecause?: Readonly<Record<string, string>>;
  create(ctx: ResourceContext, wanted: Properties): Promise<ResourceResult>;
  /** An update in place. Left out: the engine replaces the resource on any change. */
  update?(ctx: ResourceContext, wanted: Properties, current: CurrentResource<Properties>): Promise<ResourceResult>;
  /** Deleting what is gone already is done, not an error. */
  delete(ctx: ResourceContext, current: CurrentResource<Properties>): Promise<void>;
}

/** Declares a resource type. */
export function resourceType<Properties>(definition: ResourceType<Properties>): ResourceType<Properties> {
  return definition;
}

/**
 * Runs what is left to do for something just made; when that fails, takes down what was made, so that a failed creation leaves nothing.
 *
 * @throws what `work` threw; when it cannot be taken down either, the message says so
 */
export async function orTakeDown<Result>(work: () => Promise<Result>, takeDown: () => Promise<void>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    try {
      await takeDown();
    } catch (obstacle) {
      if (types.isNativeError(error)) error.message = `${error.message} What was made stays behind: ${types.isNativeError(obstacle) ? obstacle.message : String(obstacle)}`;
    }
    throw error;
  }
}

/** Does `work` for each item; when it fails for one, undoes it for those before, the last first. */
export async function forAllOrNone<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>, undo: (item: Item) => Promise<unknown>): Promise<void> {
  const done: Item[] = [];
  await orTakeDown(
    async () => {
      for (const item of items) {
        await work(item);
        done.push(item);
      }
    },
    async () => {
      for (const item of done.toReversed()) await undo(item);
    },
  );
}
