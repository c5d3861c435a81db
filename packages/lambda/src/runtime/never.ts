/** What is awaited by code that nobody waits for. A new one each time: one for all would keep all who ever awaited it. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
