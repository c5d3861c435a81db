import type { Line } from "./state.js";

/** How many given-up places a line keeps at least before it is trimmed. */
const TRIM_AFTER = 1_024;

export function emptyLine<T>(): Line<T> {
  return { items: [], head: 0 };
}

export function lineLength(line: Line<unknown>): number {
  return line.items.length - line.head;
}

export function lineFirst<T>(line: Line<T>): T | undefined {
  return line.items[line.head];
}

export function lineLast<T>(line: Line<T>): T | undefined {
  return lineLength(line) === 0 ? undefined : line.items[line.items.length - 1];
}

export function linePush<T>(line: Line<T>, item: T): void {
  // An array that grows from empty takes room for 17 at once, which many lines with one item each would pay for.
  if (line.items.length === 0) line.items = [item];
  else line.items.push(item);
}

/** Takes the last item, if there is one, out. */
export function linePop<T>(line: Line<T>): T | undefined {
  return lineLength(line) === 0 ? undefined : line.items.pop();
}

/** Takes the first item, if there is one, out. */
export function lineShift<T>(line: Line<T>): T | undefined {
  const first = line.items[line.head];
  if (first === undefined) return undefined;
  line.items[line.head] = undefined;
  line.head += 1;
  if (line.head === line.items.length) {
    line.items = [];
    line.head = 0;
  } else if (line.head >= TRIM_AFTER && line.head * 2 >= line.items.length) {
    // Half of the places at most are moved for each place given up: constant cost in the long run.
    line.items = line.items.slice(line.head);
    line.head = 0;
  }
  return first;
}
