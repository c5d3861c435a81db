import { invoke, operation, World, type Authorizer, type InvokeOptions, type OperationContext, type ServiceDefinition, type WorldOptions } from "@sandstack/core";

/** What the probe's tasks and waits did, in order, each with the instant at which it did it. */
export interface ProbeState {
  done: string[];
  /** What parked calls are answered with, by key: one answer for each value. */
  answers: Record<string, string[]>;
}

interface ProbeTask {
  readonly label: string;
  /** Tasks that this one schedules when it runs. */
  readonly leadsTo?: readonly { readonly afterMs: number; readonly task: ProbeTask }[];
  readonly wakes?: string;
  /** What it does beside, to the world. */
  readonly does?: () => void | Promise<void>;
}

function note(ctx: { state: ProbeState; nowMs: number }, label: string): void {
  ctx.state.done.push(`${label}@${ctx.nowMs}`);
}

const probeService: ServiceDefinition<ProbeState> = {
  id: "probe",
  reach: "region",
  emptyState: () => ({ done: [], answers: {} }),
  accessDenied: ({ question }) => new Error(`denied ${question.action}`),
  authorizer: (): Authorizer => ({
    resolve: (_caller, { accountId }) => ({ kind: "root", accountId, arn: `arn:aws:iam::${accountId}:root`, userId: accountId }),
    authorize: () => ({ value: "Allow", isAllowed: true, isDenied: false, isExplicitDeny: false, isImplicitDeny: false, because: "", explain: () => "" }),
  }),
  operations: [
    operation<ProbeState, { readonly afterMs: number; readonly task: ProbeTask; readonly about?: readonly string[] }, object>({
      name: "Schedule",
      run: (ctx, { afterMs, task, about }) => ({ id: ctx.schedule({ name: "probe.task.due", dueAtMs: ctx.nowMs + afterMs, args: task, ...(about && { about }) }) }),
    }),
    operation<ProbeState, { readonly key: string; readonly waitMs: number }, object>({
      name: "Wait",
      run(ctx, { key, waitMs }) {
        const attempt = (): object | undefined => {
          const text = ctx.state.answers[key]?.shift();
          return text === undefined ? undefined : { text };
        };
        return attempt() ?? ctx.park({ key, deadlineMs: ctx.nowMs + waitMs, attempt, giveUp: () => ({ text: "nothing" }) });
      },
    }),
    operation<ProbeState, { readonly key: string; readonly texts: readonly string[] }, void>({
      name: "Answer",
      run(ctx, { key, texts }) {
        (ctx.state.answers[key] ??= []).push(...texts);
        ctx.wake(key);
      },
    }),
    operation<ProbeState, { readonly label: string; readonly code: (ctx: OperationContext<ProbeState>) => Promise<unknown>; readonly patienceMs?: number; readonly isAsleep?: () => boolean }, object>({
      name: "Run",
      run: async (ctx, { label, code, patienceMs = 1_000, isAsleep = () => false }) => {
        const work = { name: `function ${label}`, generation: ctx.generation, cause: undefined, patienceMs, isAsleep };
        return { result: await ctx.finish(ctx.runInFlight(work, () => code(ctx))) };
      },
    }),
    operation<ProbeState, { readonly label: string; readonly code: (ctx: OperationContext<ProbeState>) => Promise<void>; readonly patienceMs?: number; readonly isAsleep?: () => boolean }, void>({
      name: "RunInBackground",
      run(ctx, { label, code, patienceMs = 1_000, isAsleep = () => false }) {
        ctx.runInBackground({ name: `function ${label}`, generation: ctx.generation + 1, cause: undefined, patienceMs, isAsleep }, () => code(ctx));
      },
    }),
  ],
  tasks: {
    "probe.task.due": (ctx, { label, leadsTo = [], wakes, does }: ProbeTask) => {
      note(ctx, label);
      for (const { afterMs, task } of leadsTo) ctx.schedule({ name: "probe.task.due", dueAtMs: ctx.nowMs + afterMs, args: task });
      if (wakes !== undefined) {
        (ctx.state.answers[wakes] ??= []).push(label);
        ctx.wake(wakes);
      }
      return does?.();
    },
    // Leads to itself without end, as a function that feeds its own queue does.
    "probe.circle.due": (ctx) => void ctx.schedule({ name: "probe.circle.due", dueAtMs: ctx.nowMs, generation: ctx.generation + 1, about: ["function loop", "queue loop"] }),
  },
};

const scope = { accountId: "111111111111", region: "us-east-1" };

/** A world with one service, which does what a test tells it; it starts at 0. */
export class ProbeWorld {
  readonly world: World;

  constructor(options: Partial<WorldOptions> = {}) {
    this.world = new World({ services: [probeService], seed: "probe", clock: "manual", startTimeMs: 0, iam: "enforce", ...options });
  }

  get state(): ProbeState {
    return this.world.stateOf(probeService, scope) as ProbeState; // the probe's own
  }

  get done(): readonly string[] {
    return this.state.done;
  }

  async call(operationName: string, input: unknown, options?: InvokeOptions): Promise<Record<string, unknown>> {
    return (await invoke(this.world, scope, "probe", operationName, input, options)) as Record<string, unknown>; // every answer is an object
  }

  schedule(afterMs: number, task: ProbeTask): Promise<Record<string, unknown>> {
    return this.call("Schedule", { afterMs, task });
  }

  circle(): void {
    this.world.schedule({ name: "probe.circle.due", dueAtMs: this.world.nowMs, scope, generation: 0, cause: undefined });
  }
}
