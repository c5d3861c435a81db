import type { RandomState } from "@sandstack/core";

/** What an execution environment has of the world it runs in: the sandbox's time, chance and wire. Another one with each invocation. */
export interface RuntimeHost {
  /** The sandbox's present instant, in epoch milliseconds. */
  readonly nowMs: number;
  readonly random: RandomState;
  /** Has `fireTimer` called at `dueAtMs`; answers how to call that off. */
  startTimer(timerId: number, dueAtMs: number): () => void;
  /** Takes a line of the code's output. `level` is Lambda's: INFO, WARN, ERROR, DEBUG, TRACE; absent for text written to the streams. */
  write(level: string | undefined, text: string): void;
  /** Ends the invocation: the code's process has ended. */
  crash(failure: FunctionFailure): void;
  /** The `requestHandler` that SDK clients are given; `undefined` in a world without a wire. */
  readonly requestHandler: unknown;
}

/** Why an invocation failed, with the members and their order of Lambda's error payload. */
export interface FunctionFailure {
  readonly errorType: string;
  readonly errorMessage: string;
  /** Of a rejection that nobody awaited: what it was rejected with. */
  readonly reason?: FunctionFailure;
  /** Goes with `reason`; always empty. */
  readonly promise?: object;
  readonly trace?: readonly string[];
}
