/**
 * The shell: the only place that touches the host's clock, timers and turns of the event loop.
 *
 * The references are taken when the module loads, so that a test's fake timers, installed later, do not stop the sandbox.
 */
const HostDate = Date;
const hostSetTimeout = setTimeout;
const hostClearTimeout = clearTimeout;
const hostSetImmediate = setImmediate;

/** The host's time in epoch milliseconds. */
export function hostNowMs(): number {
  return HostDate.now();
}

/** Resolves in the next turn of the event loop, when pending input and output has been looked at once. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => hostSetImmediate(resolve));
}

/** Calls `run` after real time; answers how to call that off. An unref'd timer does not keep the process alive. */
export function afterHostDelay(delayMs: number, run: () => void, options: { unref?: boolean } = {}): () => void {
  const timer = hostSetTimeout(run, delayMs);
  if (options.unref) timer.unref();
  return () => hostClearTimeout(timer);
}
