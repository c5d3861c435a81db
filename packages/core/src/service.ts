import { principalName, type Authorizer, type CallOptions, type ConditionContext, type Decision, type Principal } from "./caller.js";
import type { Describe, LogEvent, LogEventKind } from "./log.js";
import type { RandomState } from "./random.js";
import type { ResourceType } from "./resource-type.js";
import type { Reach, Scope } from "./scope.js";
import type { NewTask } from "./scheduler.js";
import type { InFlightWork } from "./background.js";
import type { Waiter } from "./parked-calls.js";
import type { AssetStore } from "./assets.js";
import type { ServiceWire } from "./wire.js";

/**
 * What each service's operations take and give, for typed calls between services: a type-only map that services fill
 * by declaration merging, `declare module "@sandstack/core" { interface ServiceOperations { sqs: { PurgeQueue: [input, output] } } }`.
 */
export interface ServiceOperations {}

export type ServiceId = keyof ServiceOperations & string;
export type OperationName<Id extends ServiceId> = keyof ServiceOperations[Id] & string;
export type InputOf<Id extends ServiceId, Name extends OperationName<Id>> = ServiceOperations[Id][Name] extends [infer Input, unknown] ? Input : never;
export type OutputOf<Id extends ServiceId, Name extends OperationName<Id>> = ServiceOperations[Id][Name] extends [unknown, infer Output] ? Output : never;

/**
 * What the maker of a world chooses for its services, beside what the world itself knows: a type-only map that services fill by
 * declaration merging, `declare module "@sandstack/core" { interface WorldSettings { delivery?: Delivery } }`.
 */
export interface WorldSettings {}

/**
 * Things that became true, which other services may act on at once. Unlike records they are not kept.
 * Services add theirs by declaration merging.
 */
export interface Announcements {
  /** A message of the queue can be received now. */
  "sqs.message.visible": { queueArn: string };
}

/** How far background work had led when it left something behind, such as a message: kept with that as plain data. */
export interface WorkMark {
  readonly generation: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** What every piece of a service's code may use of the world: an operation, a task, a subscriber. */
export interface ServiceContext<State> {
  /** Whose state this is. */
  readonly scope: Scope;
  readonly state: State;
  /** The sandbox's present instant, in epoch milliseconds. */
  readonly nowMs: number;
  /** The world's seeded generator: draw with the functions of `random.ts` and `ids.ts`. */
  readonly random: RandomState;
  /** Files that templates refer to by bucket and key. */
  readonly assets: AssetStore;
  /** How many times background work has led to this work without the clock moving; 0 outside background work, and once the clock has moved. */
  readonly generation: number;
  /** To be kept with what this work leaves for other background work to take up; `undefined` outside background work. */
  readonly workMark: WorkMark | undefined;
  /** The record that led to this work. */
  readonly cause: number | undefined;
  /** False in a world made with `iam: "off"`: nothing is denied, and roles need not exist. */
  readonly isIamEnforced: boolean;
  /** What the maker of the world chose for its services. */
  readonly settings: Readonly<WorldSettings>;
  /** The CloudFormation resource types of all services, by name. */
  readonly resourceTypes: ReadonlyMap<string, ResourceType>;
  /** The same service's state in another scope. */
  stateOf(scope: Scope): State;
  /** Appends to the world's log; answers the record's id, to be given as a `cause`. */
  record(event: LogEvent): number;
  announce<Kind extends keyof Announcements>(kind: Kind, announcement: Announcements[Kind]): void;
  /** Has a task of this service run at `dueAtMs`, or at the next chance when that has passed. Answers the task's id. */
  schedule(task: NewTask): number;
  /** Takes a scheduled task back; one that has run is left alone. */
  unschedule(taskId: number): void;
  /** Asks another service (or this one) through the door, as `caller`. */
  call<Id extends ServiceId, Name extends OperationName<Id>>(service: Id, operation: Name, input: InputOf<Id, Name>, options?: CallOptions): Promise<OutputOf<Id, Name>>;
  /** Answers the waiters on `key` that can be answered now, first come, first served. */
  wake(key: string): void;
  /**
   * Asks the door whether a call would be authorized, without making or recording it.
   *
   * @throws what the operation's own questions throw, such as the error of a queue that does not exist
   */
  isAllowed<Id extends ServiceId, Name extends OperationName<Id>>(service: Id, operation: Name, input: InputOf<Id, Name>, options?: CallOptions): boolean;
  /** Registers user code in flight. `run` is called with calls made inside it counted as the work's. */
  runInFlight<T>(work: InFlightWork, run: () => Promise<T>): Promise<T>;
  /** As `runInFlight`, for work that nobody awaits: what it throws fails the drive that waits for the background. */
  runInBackground(work: InFlightWork, run: () => Promise<void>): void;
  /** A `requestHandler` for SDK clients that answers from this world in `scope`; `undefined` in a world without a wire. */
  sdkRequestHandler(scope: Scope): unknown;
  /** What cannot be data (an in-process handler, a warm runtime): a table beside the state, per world and service. Emptied by `reset()`. */
  table<T>(name: string): Map<string, T>;
}

/** What an operation's function may use. */
export interface OperationContext<State> extends ServiceContext<State> {
  /** Where the call was made; `scope` is where the resource lives. */
  readonly callScope: Scope;
  readonly caller: Principal;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
  /** True when a service makes the call, as Lambda does for its mappings; false for a user's, also from inside a function. */
  readonly isMadeByService: boolean;
  /** Leaves the call open until `waiter.attempt` has an answer or its deadline comes. */
  park<T>(waiter: Waiter<T>): Promise<T>;
  /** Moves the clock, where it is manual and nothing else is runnable, as far as `work` needs to end. */
  finish<T>(work: Promise<T>): Promise<T>;
  /**
   * Says that the answer hands out what work of that mark left behind: the service that made the call goes on from there.
   *
   * @throws SimRunawayWork when the work has led too far, which is no answer of AWS's: it may come when the operation has done its work
   */
  continueFrom(mark: WorkMark | undefined): void;
  /** Asks IAM a further question, such as `iam:PassRole` on a role the input names. Throws the service's access-denied error on a refusal. */
  authorizeAlso(question: Question): void;
}

/** What is known of a call before it is authorized. */
export interface CallContext<State> {
  /** Where the call was made. */
  readonly callScope: Scope;
  /** Whose resource it is about: `callScope`, or what `Authorization.scope` gave. */
  readonly scope: Scope;
  readonly state: State;
  readonly caller: Principal;
}

/** What IAM is asked about one call. */
export interface Question {
  /** `sqs:SendMessage` */
  readonly action: string;
  /** The ARN, or `*`. */
  readonly resource: string;
  /** The resource's own policies, as JSON text. */
  readonly resourcePolicies?: readonly string[] | undefined;
  /** True where AWS never opens the action to other accounts. */
  readonly ownerOnly?: boolean | undefined;
  /** Condition keys beyond the global ones that the door knows. */
  readonly context?: ConditionContext | undefined;
}

/** How an operation is authorized, declared beside it. */
export interface Authorization<State, Input> {
  /** Whose resource the input names, where that may be another account's. Default: the scope called. */
  scope?(callScope: Scope, input: Input): Scope;
  /** What to ask IAM; several questions must all be allowed. It may throw AWS's error where the input names nothing that could be asked about. */
  questions(call: CallContext<State>, input: Input): Question | readonly Question[];
}

/** One action of a service. */
export interface Operation<State = any, Input = any, Output = any> {
  /** AWS's name: `PurgeQueue`. */
  readonly name: string;
  /** The status of a success. Default 200. */
  readonly httpStatusCode?: number;
  /** The status where it follows from the answer, as that of Lambda's Invoke does. */
  httpStatusCodeOf?(output: Awaited<Output>): number;
  /** Left out only where AWS needs no permission (`sts:GetCallerIdentity`). */
  readonly authorize?: Authorization<State, Input>;
  /**
   * All checks first, then all changes, then the records: an operation that throws has changed nothing.
   * `input` is the caller's own object: what is kept of it is copied. The answer is a new object.
   */
  run(ctx: OperationContext<State>, input: Input): Output | Promise<Output>;
}

/** Declares an operation. The type parameters tie its input and output to the SDK's command types. */
export function operation<State, Input, Output>(definition: Operation<State, Input, Output>): Operation<State, Input, Output> {
  return definition;
}

/** What a service knows of the access to one of its resources, beside the policies of those who ask for it. */
export interface ResourceAccess {
  /** The policies on it, as JSON text; `undefined` where there is no such resource. */
  readonly policies: readonly string[] | undefined;
  /** True where AWS never opens the action to other accounts. Default false. */
  readonly ownerOnly?: boolean;
}

/** What a task's function is given: the arguments it was scheduled with. */
export type TaskHandler<State = any, Args = any> = (ctx: ServiceContext<State>, args: Args) => void | Promise<void>;

/** What a refused call was, for the service's own access-denied error. */
export interface Refusal {
  readonly principal: Principal;
  readonly question: Question;
  readonly decision: Decision;
}

/** One service: lists, no logic. */
export interface ServiceDefinition<State = any> {
  /** The SDK's name for it: `sqs` of `@aws-sdk/client-sqs`. */
  readonly id: string;
  readonly reach: Reach;
  /** The service whose state this one works on, of the same reach: STS works on IAM's. Default: a state of its own. */
  readonly sharesStateWith?: string;
  emptyState(): State;
  readonly operations: readonly Operation<State>[];
  /** What falls due, by task name (`sqs.message.visible`). */
  readonly tasks?: Readonly<Record<string, TaskHandler<State>>>;
  /** What to do when something became true, in the scope that announced it. */
  readonly subscriptions?: { readonly [Kind in keyof Announcements]?: (ctx: ServiceContext<State>, announcement: Announcements[Kind]) => void };
  readonly resourceTypes?: readonly ResourceType[];
  /** How clients speak to it. Left out: it is called directly alone. */
  readonly wire?: ServiceWire;
  /** How this service's records read as sentences. */
  readonly describe?: { readonly [Kind in LogEventKind]?: Describe };
  /**
   * The access to a resource, for questions to IAM that are asked without a call. Left out: the service has no word on it.
   *
   * @param arn its state is that of the ARN's account and region
   * @param action `sqs:SendMessage`
   */
  accessTo?(state: State, arn: string, action: string): ResourceAccess;
  /** The error of a refused call. */
  accessDenied(refusal: Refusal): Error;
  /** IAM alone: the one who recognises callers and decides. */
  authorizer?(world: AuthorizerWorld<State>): Authorizer;
}

/** What the authorizer may see of the world. */
export interface AuthorizerWorld<State> {
  stateOf(scope: Scope): State;
  readonly nowMs: number;
}

/** The sentence AWS refuses a call with: `User: … is not authorized to perform: … on resource: … because …`. */
export function accessDeniedMessage({ principal, question, decision }: Refusal, action = question.action): string {
  return `User: ${principalName(principal)} is not authorized to perform: ${action} on resource: ${question.resource} ${decision.because.replace(question.action, action)}`;
}
