import type { SimAws } from "sandstack";

/** What a case's function does when it is called. */
export type Behaviour =
  | "record"
  | "throw"
  | { readonly throw: string; readonly errorType?: string }
  | { readonly return: unknown }
  | { readonly partial: readonly string[] }
  | { readonly sleepSeconds: number }
  | { readonly sequence: readonly Behaviour[] }
  | { readonly cfnResponse: object };

/** A function of a case, with the calls it was given. */
export interface RecordedFunction {
  behaviour: Behaviour;
  /** The events of all invocations, in the order in which they started. */
  events: unknown[];
  /** How many invocations have not ended. */
  running: number;
}

interface QueueEvent {
  readonly Records?: readonly { readonly messageId: string; readonly body: string }[];
}

/** Makes the handler of a function: it does what the function's behaviour says at the time of the call. */
export function handlerOf(recorded: RecordedFunction, simAws: SimAws): (event: unknown) => Promise<unknown> {
  return async (event) => {
    // A change of behaviour forgets the calls so far, those still running included.
    const { events } = recorded;
    const behaviour = behaviourOfCall(recorded.behaviour, events.length);
    events.push(structuredClone(event));
    recorded.running += 1;
    try {
      return await behave(behaviour, event, simAws);
    } finally {
      if (recorded.events === events) recorded.running -= 1;
    }
  };
}

/** The bodies of the records of an event, for events of queues. */
export function bodiesOf(event: unknown): string[] {
  const { Records = [] } = event as QueueEvent; // other events have no records
  return Records.map(({ body }) => body);
}

function behaviourOfCall(behaviour: Behaviour, callIndex: number): Behaviour {
  if (typeof behaviour === "string" || !("sequence" in behaviour)) return behaviour;
  const { sequence } = behaviour;
  return behaviourOfCall(sequence[Math.min(callIndex, sequence.length - 1)] ?? "record", 0);
}

async function behave(behaviour: Behaviour, event: unknown, simAws: SimAws): Promise<unknown> {
  if (behaviour === "record") return undefined;
  if (behaviour === "throw") throw new Error("The function failed as its behaviour says.");
  if ("throw" in behaviour) throw Object.assign(new Error(behaviour.throw), { name: behaviour.errorType ?? "Error" });
  if ("return" in behaviour) return behaviour.return;
  if ("partial" in behaviour) return failuresOf(event as QueueEvent, behaviour.partial); // partial responses are for queues
  if ("sleepSeconds" in behaviour) return sleepOnTheClock(simAws, behaviour.sleepSeconds);
  throw new Error(`The runner has no behaviour ${JSON.stringify(behaviour)}.`);
}

function failuresOf({ Records = [] }: QueueEvent, failingBodies: readonly string[]): object {
  return { batchItemFailures: Records.filter(({ body }) => failingBodies.includes(body)).map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** An account that no case names. A receive from its empty queue waits on the sandbox's clock, as sleeping code does. */
const SLEEPERS_ACCOUNT_ID = "000000000001";

/** The longest wait of one receive, in seconds. */
const LONGEST_WAIT_SECONDS = 20;

async function sleepOnTheClock(simAws: SimAws, seconds: number): Promise<undefined> {
  const sqs = simAws.account(SLEEPERS_ACCOUNT_ID).sqs();
  const options = { caller: { kind: "arn", arn: `arn:aws:iam::${SLEEPERS_ACCOUNT_ID}:root` } } as const;
  const { QueueUrl } = await sqs.createQueue({ input: { QueueName: "sleep" } }, options);
  for (let leftSeconds = seconds; leftSeconds > 0; leftSeconds -= LONGEST_WAIT_SECONDS) {
    await sqs.receiveMessage({ input: { QueueUrl, WaitTimeSeconds: Math.min(leftSeconds, LONGEST_WAIT_SECONDS) } }, options);
  }
}
