import { principalName, type CallOptions, type ConditionContext, type Decision, type Principal } from "./caller.js";
import { WorldContext } from "./context.js";
import { uuid } from "./ids.js";
import type { LogEvent } from "./log.js";
import type { Waiter } from "./parked-calls.js";
import type { Scope } from "./scope.js";
import type { Operation, OperationContext, Question, ServiceDefinition, WorkMark } from "./service.js";
import type { World } from "./world.js";

/** A call's further circumstances, beside who makes it. */
export interface InvokeOptions extends CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What led to a call: the work it is part of. */
export interface Origin {
  readonly generation: number;
  readonly cause: number | undefined;
}

/** Service code that makes a call: it goes on from what the call hands out. */
export interface ServiceOrigin extends Origin {
  raiseGeneration(generation: number): void;
}

/** What an operation sees of its call, and how the door asks IAM about it. */
export class DoorContext extends WorldContext<unknown> implements OperationContext<unknown> {
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
