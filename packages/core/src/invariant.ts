/** Asserts what our own code promises. A failure is a bug of Sandstack's, never an answer of AWS's. */
export function invariant(condition: unknown, text: string): asserts condition {
  if (!condition) throw new Error(`Sandstack invariant broken: ${text}`);
}
