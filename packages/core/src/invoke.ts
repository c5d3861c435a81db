import { frames } from "./background.js";
import { principalName, type CallOptions, type ConditionContext, type Decision, type Principal } from "./caller.js";
import { isAwsError, simError } from "./errors.js";
import { uuid } from "./ids.js";
import type { LogEvent } from "./log.js";
import type { Waiter } from "./parked-calls.js";
import type { Scope } from "./scope.js";
import type { Operation, OperationContext, Question, ServiceDefinition, WorkMark } from "./service.js";
import { WorldContext, type World } from "./world.js";

/** A call's further circumstances, beside who makes it. */
export interface InvokeOptions extends CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What led to a call: the work it is part of. */
interface Origin {
  readonly generation: number;
  readonly cause: number | undefined;
}

/** Service code that makes a call: it goes on from what the call hands out. */
interface ServiceOrigin extends Origin {
  raiseGeneration(generation: number): void;
}

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
    return isPromise(output) ? output.then((value) => answer(ctx, value), (error: unknown) => fail(ctx, error)) : answer(ctx, output);
  } catch (error) {
    return fail(ctx, error);
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
  } catch (error) {
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

function fail(ctx: DoorContext, error: unknown): never {
  if (isAwsError(error)) {
    error.$metadata.requestId = ctx.requestId;
    if (!ctx.isRefused) ctx.record({ kind: "call.failed", service: ctx.definition.id, operation: ctx.operation.name, errorName: error.name, message: error.message });
  }
  throw error;
}

function unsupported(asked: string, kind: string, available: readonly string[]): Error {
  return simError("SimUnsupported", `The sandbox has not got ${asked}. The ${kind} it has: ${[...available].sort().join(", ")}.`);
}

class DoorContext extends WorldContext<unknown> implements OperationContext<unknown> {
  readonly operation: Operation;
  readonly callScope: Scope;
  readonly caller: Principal;
  readonly requestId: string;
  readonly isMadeByService: boolean;
  /** True once a question was refused: the refusal has its own record. */
  isRefused = false;
  readonly #options: InvokeOptions;
  readonly #service: ServiceOrigin | undefined;

  constructor(world: World, definition: ServiceDefinition, operation: Operation, scope: Scope, callScope: Scope, caller: Principal, from: Origin, options: InvokeOptions, service: ServiceOrigin | undefined) {
    super(world, definition, scope, from.generation, from.cause);
    this.operation = operation;
    this.callScope = callScope;
    this.caller = caller;
    this.requestId = uuid(world.state.random);
    this.#options = options;
    this.isMadeByService = service !== undefined;
    this.#service = service;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  override record(event: LogEvent): number {
    return this.world.record(event, principalName(this.caller), this.cause);
  }

  park<T>(waiter: Waiter<T>): Promise<T> {
    return this.world.background.park({ signal: this.signal, ...waiter });
  }

  finish<T>(work: Promise<T>): Promise<T> {
    return this.world.background.finish(work);
  }

  continueFrom(mark: WorkMark | undefined): void {
    if (mark === undefined || this.#service === undefined || !this.world.isPresent(mark.atMs)) return;
    this.#service.raiseGeneration(mark.generation);
    this.world.background.checkGeneration(mark.generation, this.operation.name);
  }

  authorizeAlso(question: Question): void {
    const decision = this.decide(question);
    if (decision === undefined || decision.isAllowed) return;
    const { action, resource } = question;
    this.isRefused = true;
    this.record({ kind: "call.denied", service: this.definition.id, operation: this.operation.name, action, resource, decision: decision.value, explanation: decision.explain() });
    throw this.definition.accessDenied({ principal: this.caller, question, decision });
  }

  /** What must be asked about the call before it runs. */
  questions(input: unknown): readonly Question[] {
    const asked = this.operation.authorize?.questions(this, input) ?? [];
    return Array.isArray(asked) ? (asked as readonly Question[]) : [asked as Question]; // `isArray` does not tell a readonly array
  }

  /** IAM's decision, or `undefined` where there is nothing to decide. */
  decide(question: Question): Decision | undefined {
    if (!this.isIamEnforced) return undefined;
    // An account's root may do everything in its own account that no policy on the resource could deny.
    if (this.caller.kind === "root" && this.caller.accountId === this.scope.accountId && (question.resourcePolicies?.length ?? 0) === 0) return undefined;
    const { action, resource, resourcePolicies, ownerOnly } = question;
    return this.world.authorizer.authorize({
      principal: this.caller,
      action,
      resource,
      resourceAccountId: this.scope.accountId,
      resourcePolicies,
      ownerOnly,
      region: this.callScope.region,
      context: { ...this.#sourceContext(), ...question.context },
    });
  }

  #sourceContext(): ConditionContext {
    const { sourceArn, sourceAccount } = this.#options;
    return { "aws:SourceArn": sourceArn, "aws:SourceAccount": sourceAccount };
  }
}
