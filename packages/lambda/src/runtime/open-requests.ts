import { never } from "./never.js";

/** What an SDK's `requestHandler` is, as far as it is needed here. */
interface RequestHandler {
  handle(request: unknown, options?: { readonly abortSignal?: AbortSignal | undefined }): Promise<unknown>;
}

/**
 * The requests that an environment's code has made and that are not answered. When the environment ends they are broken off, so that no
 * long poll of code that timed out takes a message; the code does not learn of it, since it is not there any more.
 */
export class OpenRequests {
  readonly #open = new Set<AbortController>();
  #isClosed = false;

  /** `handler` for the environment's code; `undefined` in a world without a wire. */
  through(handler: unknown): unknown {
    if (handler === undefined) return undefined;
    const inner = handler as RequestHandler; // the world's wire makes no others
    return Object.assign(Object.create(inner) as RequestHandler, {
      handle: (request: unknown, options: { abortSignal?: AbortSignal } = {}) => this.#send(inner, request, options),
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const controller of this.#open) controller.abort();
  }

  async #send(handler: RequestHandler, request: unknown, options: { abortSignal?: AbortSignal | undefined }): Promise<unknown> {
    if (this.#isClosed) return never();
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
