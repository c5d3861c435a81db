import { emptyLine, lineFirst, linePush, lineShift } from "./line.js";
import type { Recent, Remembered } from "./state.js";

export function nothingRecent<T extends Remembered>(): Recent<T> {
  return { byKey: new Map(), inOrder: emptyLine() };
}

/** Keeps an item until its end. Ends come in the order of remembering. */
export function remember<T extends Remembered>(recent: Recent<T>, item: T): void {
  recent.byKey.set(item.key, item);
  linePush(recent.inOrder, item);
}

/** Forgets what has ended. */
export function forgetEnded(recent: Recent<Remembered>, nowMs: number): void {
  for (let first = lineFirst(recent.inOrder); first !== undefined && first.endsAtMs <= nowMs; first = lineFirst(recent.inOrder)) {
    lineShift(recent.inOrder);
    // A later item of the same key stays.
    if (recent.byKey.get(first.key) === first) recent.byKey.delete(first.key);
  }
}

/** When the next item is to be forgotten, in epoch milliseconds; infinity when there is none. */
export function nextEndMs(recent: Recent<Remembered>): number {
  return lineFirst(recent.inOrder)?.endsAtMs ?? Number.POSITIVE_INFINITY;
}
