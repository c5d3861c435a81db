import { nextTurn } from "@sandstack/core";
import { never } from "./never.js";
import type { RuntimeHost } from "./runtime-host.js";

/** What an SDK's `requestHandler` is, as far as it is needed here. */
interface RequestHandler {
  handle(request: unknown, options?: { readonly abortSignal?: AbortSignal | undefined }): Promise<unknown>;
}

/** After how many round trips the event loop has its turn: a loop of requests would hold it up for ever. */
const ROUND_TRIPS_PER_TURN = 50;

/**
 * The requests that an environment's code has made and that are not answered.
 *
 * When the environment ends they are broken off, so that no long poll of code that timed out takes a message; the code does not learn of
 * it, since it is not there any more. And there is a bound to the round trips one after the other at one instant: on AWS they take time.
 */
export class OpenRequests {
  readonly #roundTripsBound: number;
  readonly #open = new Set<AbortController>();
  #isClosed = false;
  #roundTrips = 0;
  #instantMs = Number.NaN;

  constructor(roundTripsBound: number) {
    this.#roundTripsBound = roundTripsBound;
  }

  /** True once the code has made more round trips at one instant than its time allows: it gets no further answer. */
  get isExhausted(): boolean {
    return this.#roundTrips > this.#roundTripsBound;
  }

  /** Begins to count for an invocation. Answers the requestHandler for its code; `undefined` in a world without a wire. */
  begin(host: RuntimeHost): unknown {
    this.#roundTrips = 0;
    if (host.requestHandler === undefined) return undefined;
    const handler = host.requestHandler as RequestHandler; // the world's wire makes no others
    return Object.assign(Object.create(handler) as RequestHandler, {
      handle: async (request: unknown, options: { abortSignal?: AbortSignal } = {}) => {
        if (this.#open.size === 0) this.#countRoundTrip(host.nowMs);
        if (this.#isClosed || this.isExhausted) return never();
        if (this.#roundTrips % ROUND_TRIPS_PER_TURN === 0) await nextTurn();
        return this.#send(handler, request, options);
      },
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const controller of this.#open) controller.abort();
  }

  #countRoundTrip(nowMs: number): void {
    this.#roundTrips = nowMs === this.#instantMs ? this.#roundTrips + 1 : 1;
    this.#instantMs = nowMs;
  }

  async #send(handler: RequestHandler, request: unknown, options: { abortSignal?: AbortSignal | undefined }): Promise<unknown> {
    const { abortSignal } = options;
    const controller = new AbortController();
    const abort = (): void => controller.abort(abortSignal?.reason);
    if (abortSignal?.aborted === true) abort();
    abortSignal?.addEventListener("abort", abort);
    this.#open.add(controller);
    try {
      return await handler.handle(request, { ...options, abortSignal: controller.signal });
    } catch (error) {
      if (this.#isClosed) return never();
      throw error;
    } finally {
      this.#open.delete(controller);
      abortSignal?.removeEventListener("abort", abort);
    }
  }
}
