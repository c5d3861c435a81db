import { frames } from "./background.js";
import type { CallOptions } from "./caller.js";
import { DoorContext, type InvokeOptions, type ServiceOrigin } from "./door-context.js";
import { isAwsError, isSimError, simError } from "./errors.js";
import { uuid } from "./ids.js";
import type { Scope } from "./scope.js";
import type { World } from "./world.js";

/**
 * The door: every request of every service, whoever makes it, goes through here. It authorizes, runs and records.
 *
 * @param scope the account and region that are called
 * @param input as the SDK's command takes it; never changed
 * @param origin given by service code; a user's call belongs to the invocation it is made from, if any
 * @throws AWS's own error, or one of the sandbox's for what it lacks
 */
export function invoke(world: World, scope: Scope, serviceId: string, operationName: string, input: unknown, options: InvokeOptions = {}, origin?: ServiceOrigin): unknown {
  const ctx = enterOrRecord(world, scope, serviceId, operationName, input, options, origin);
  try {
    for (const question of ctx.questions(input)) ctx.authorizeAlso(question);
    const output = ctx.operation.run(ctx, input);
    return isPromise(output) ? output.then((value) => answer(ctx, value), (error: unknown) => fail(ctx, input, error)) : answer(ctx, output);
  } catch (error) {
    return fail(ctx, input, error);
  }
}

/** Whether the door would let a call pass, without making or recording it. @throws what the operation's own questions throw */
export function wouldAllow(world: World, scope: Scope, serviceId: string, operationName: string, input: unknown, options: CallOptions): boolean {
  const ctx = enter(world, scope, serviceId, operationName, input, options, undefined);
  return ctx.questions(input).every((question) => ctx.decide(question)?.isAllowed ?? true);
}

/** As `enter`; a call that fails already there, such as one with an expired token, is answered and recorded as any other. */
function enterOrRecord(world: World, scope: Scope, serviceId: string, operationName: string, input: unknown, options: InvokeOptions, origin: ServiceOrigin | undefined): DoorContext {
  try {
    return enter(world, scope, serviceId, operationName, input, options, origin);
  } catch (thrown) {
    const error = told(world, serviceId, operationName, input, thrown);
    if (isAwsError(error)) {
      error.$metadata.requestId = uuid(world.state.random);
      world.record({ kind: "call.failed", service: serviceId, operation: operationName, errorName: error.name, message: error.message }, undefined, origin?.cause);
    }
    throw error;
  }
}

/** Finds the operation, recognises the caller and whose resource the call is about. */
function enter(world: World, scope: Scope, serviceId: string, operationName: string, input: unknown, options: InvokeOptions, origin: ServiceOrigin | undefined): DoorContext {
  const service = world.services.get(serviceId);
  if (service === undefined) throw unsupported(`the service ${serviceId}`, "services", [...world.services.keys()]);
  const operation = service.operations.get(operationName);
  if (operation === undefined) throw unsupported(`${serviceId}:${operationName}`, `operations of ${serviceId}`, [...service.operations.keys()]);

  world.background.catchUp();
  const frame = frames.getStore();
  const isInside = frame !== undefined && frame.world === world;
  const principal = world.authorizer.resolve(options.caller === undefined && isInside ? frame.caller : options.caller, scope);
  const work = isInside ? frame.work : undefined;
  if (work !== undefined) world.background.noteActivity();
  const isAtOnce = frame?.workBeganAtMs !== undefined && world.isPresent(frame.workBeganAtMs);
  const from = origin ?? { generation: work !== undefined && isAtOnce ? work.generation + 1 : 0, cause: work?.cause };
  const owner = operation.authorize?.scope?.(scope, input) ?? scope;
  return new DoorContext(world, service.definition, operation, owner, scope, principal, from, options, origin);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && typeof (value as Promise<unknown>).then === "function"; // any object can be asked for `then`
}

function answer(ctx: DoorContext, output: unknown): object {
  // The output is the operation's new object, so the metadata can be put on it.
  const answered = (output ?? {}) as { $metadata?: object };
  const { operation } = ctx;
  answered.$metadata = { httpStatusCode: operation.httpStatusCodeOf?.(output) ?? operation.httpStatusCode ?? 200, requestId: ctx.requestId, attempts: 1, totalRetryDelay: 0 };
  return answered;
}

function fail(ctx: DoorContext, input: unknown, thrown: unknown): never {
  const error = told(ctx.world, ctx.definition.id, ctx.operation.name, input, thrown);
  if (isAwsError(error)) {
    error.$metadata.requestId = ctx.requestId;
    if (!ctx.isRefused) ctx.record({ kind: "call.failed", service: ctx.definition.id, operation: ctx.operation.name, errorName: error.name, message: error.message });
  }
  throw error;
}

/** Operations trust the types of their input: when one stumbles over a number where a text belongs, that is the caller's to hear in AWS's words. */
function told(world: World, serviceId: string, operationName: string, input: unknown, thrown: unknown): unknown {
  if (isAwsError(thrown) || isSimError(thrown)) return thrown;
  return world.typeFault?.(serviceId, operationName, input) ?? thrown;
}

function unsupported(asked: string, kind: string, available: readonly string[]): Error {
  return simError("SimUnsupported", `The sandbox has not got ${asked}. The ${kind} it has: ${[...available].sort().join(", ")}.`);
}
