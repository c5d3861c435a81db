import { hexId, type ServiceContext } from "@sandstack/core";
import { qualified } from "./functions.js";
import { LEAST_ROUND_TRIP_MS, LOADING_BOUND_MS, MAX_ROUND_TRIPS, RUNNING_BOUND_MS } from "./limits.js";
import { assumeExecutionRole, type ExecutionCredentials } from "./role.js";
import { ExecutionEnvironment } from "./runtime/environment.js";
import type { FunctionFailure, RuntimeHost } from "./runtime/runtime-host.js";
import type { FunctionVersion, LambdaState } from "./state.js";

const LAYERS_HINT = "\nThe function has layers, which the sandbox does not unpack: what its code requires must be in its own archive.";

/** A timer of an environment has fallen due. */
export const TIMER_TASK = "lambda.timer.due";

export interface TimerArgs {
  readonly environmentId: string;
  readonly timerId: number;
}

/** An environment with what the pool must know of it. */
export interface PooledEnvironment {
  readonly id: string;
  readonly environment: ExecutionEnvironment;
  /** The ARN of the version that it runs: `$LATEST` or a number is its qualifier. */
  readonly versionArn: string;
  /** The state of code and configuration that it was made for. */
  readonly changeId: string;
  /** When its credentials end, in epoch milliseconds. */
  readonly expiresAtMs: number;
  readonly logStreamName: string;
}

/** All environments of a world, by id. */
function allEnvironments(ctx: ServiceContext<LambdaState>): Map<string, PooledEnvironment> {
  return ctx.table("environments");
}

/** The environments that handle no invocation, by the version's ARN; the one used last stands last. */
function idleEnvironments(ctx: ServiceContext<LambdaState>): Map<string, PooledEnvironment[]> {
  return ctx.table("idle-environments");
}

/** Takes a warm environment of a version as it now is, or makes one: its execution role is assumed for it. */
export async function takeEnvironment(ctx: ServiceContext<LambdaState>, fn: FunctionVersion, host: RuntimeHostMaker, untilMs: number): Promise<PooledEnvironment> {
  const idle = idleEnvironments(ctx).get(versionArn(fn)) ?? [];
  for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
    if (found.changeId === fn.changeId && found.expiresAtMs > untilMs) return found;
    dropEnvironment(ctx, found);
  }
  return makeEnvironment(ctx, fn, host);
}

/** Puts an environment back for the next invocation. */
export function keepEnvironment(ctx: ServiceContext<LambdaState>, pooled: PooledEnvironment): void {
  const idle = idleEnvironments(ctx);
  const ofVersion = idle.get(pooled.versionArn);
  if (ofVersion === undefined) idle.set(pooled.versionArn, [pooled]);
  else ofVersion.push(pooled);
}

/** Ends an environment: after a time-out or a crash, and when it is of older code or configuration. */
export function dropEnvironment(ctx: ServiceContext<LambdaState>, pooled: PooledEnvironment): void {
  allEnvironments(ctx).delete(pooled.id);
  pooled.environment.dispose();
}

/** Ends the environments of a version that is gone. */
export function dropIdleEnvironments(ctx: ServiceContext<LambdaState>, version: FunctionVersion): void {
  const arn = versionArn(version);
  for (const pooled of idleEnvironments(ctx).get(arn) ?? []) dropEnvironment(ctx, pooled);
  idleEnvironments(ctx).delete(arn);
}

function versionArn({ arn, version }: FunctionVersion): string {
  return qualified(arn, version);
}

export function fireEnvironmentTimer(ctx: ServiceContext<LambdaState>, { environmentId, timerId }: TimerArgs): void {
  allEnvironments(ctx).get(environmentId)?.environment.fireTimer(timerId);
}

/** Makes what an invocation's code sees of the world, for the environment with that id. */
export type RuntimeHostMaker = (environmentId: string) => RuntimeHost;

async function makeEnvironment(ctx: ServiceContext<LambdaState>, fn: FunctionVersion, host: RuntimeHostMaker): Promise<PooledEnvironment> {
  const credentials = await assumeExecutionRole(ctx, fn);
  const id = hexId(ctx.random, 32);
  const logStreamName = `${new Date(ctx.nowMs).toISOString().slice(0, 10).replaceAll("-", "/")}/[${fn.version}]${id}`;
  const files = fn.code.kind === "archive" ? fn.code.files : {};
  const variables = variablesOf(ctx, fn, credentials, logStreamName);
  const timeoutMs = fn.timeoutSeconds * 1000;
  const bounds = { loadingBoundMs: LOADING_BOUND_MS, runningBoundMs: Math.min(timeoutMs, RUNNING_BOUND_MS), roundTripsBound: Math.min(timeoutMs / LEAST_ROUND_TRIP_MS, MAX_ROUND_TRIPS) };
  const environment = new ExecutionEnvironment({ name: fn.name, files, handler: fn.handler, variables, missingHint: fn.kept["Layers"] === undefined ? "" : LAYERS_HINT, ...bounds }, host(id));
  const pooled = { id, environment, versionArn: versionArn(fn), changeId: fn.changeId, expiresAtMs: credentials.expiresAtMs, logStreamName };
  allEnvironments(ctx).set(id, pooled);
  return pooled;
}

/** The runtime's side of an invocation. */
export function runtimeHost(
  ctx: ServiceContext<LambdaState>,
  fn: FunctionVersion,
  sinks: { write(level: string | undefined, text: string): void; crash(failure: FunctionFailure): void },
): RuntimeHostMaker {
  return (environmentId) => ({
    get nowMs() {
      return ctx.nowMs;
    },
    random: ctx.random,
    requestHandler: ctx.sdkRequestHandler(ctx.scope),
    startTimer(timerId, dueAtMs) {
      const taskId = ctx.schedule({ name: TIMER_TASK, dueAtMs, args: { environmentId, timerId } satisfies TimerArgs, about: [fn.arn] });
      return () => ctx.unschedule(taskId);
    },
    ...sinks,
  });
}

/** A function's environment variables with the runtime's own (reference: developer guide, configuration-envvars). */
function variablesOf(ctx: ServiceContext<LambdaState>, fn: FunctionVersion, credentials: ExecutionCredentials, logStreamName: string): Record<string, string> {
  return {
    AWS_LAMBDA_FUNCTION_VERSION: fn.version,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
    LD_LIBRARY_PATH: "/var/lang/lib:/lib64:/usr/lib64:/var/runtime:/var/runtime/lib:/var/task:/var/task/lib:/opt/lib",
    LAMBDA_TASK_ROOT: "/var/task",
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
    AWS_LAMBDA_RUNTIME_API: "169.254.100.1:9001",
    AWS_EXECUTION_ENV: `AWS_Lambda_${fn.runtime}`,
    AWS_XRAY_DAEMON_ADDRESS: "169.254.100.1:2000",
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    PATH: "/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin",
    AWS_DEFAULT_REGION: ctx.scope.region,
    PWD: "/var/task",
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    LAMBDA_RUNTIME_DIR: "/var/runtime",
    LANG: "en_US.UTF-8",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    NODE_PATH: "/opt/nodejs/node_modules:/var/runtime/node_modules:/var/runtime:/var/task",
    AWS_REGION: ctx.scope.region,
    TZ: ":UTC",
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    SHLVL: "0",
    _AWS_XRAY_DAEMON_ADDRESS: "169.254.100.1",
    _AWS_XRAY_DAEMON_PORT: "2000",
    AWS_XRAY_CONTEXT_MISSING: "LOG_ERROR",
    _HANDLER: fn.handler,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memorySizeMegabytes),
    ...fn.environment,
  };
}
