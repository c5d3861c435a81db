/**
 * A binary heap over a plain array of plain objects: the least item, by the given order, stands first.
 *
 * Each item keeps its own place in the array under `heapIndex`, so that it can be taken out of the middle in
 * logarithmic time and the whole stays data that `structuredClone` copies. An item is in one heap at a time.
 */
export interface HeapItem {
  /** The item's place in its heap's array; -1 while it is in none. */
  heapIndex: number;
}

/** True when `a` belongs before `b`. */
export type Before<T> = (a: T, b: T) => boolean;

export function heapPush<T extends HeapItem>(heap: T[], item: T, before: Before<T>): void {
  item.heapIndex = heap.length;
  heap.push(item);
  moveUp(heap, item.heapIndex, before);
}

/** Takes out the least item. */
export function heapPop<T extends HeapItem>(heap: T[], before: Before<T>): T | undefined {
  const least = heap[0];
  if (least !== undefined) heapRemove(heap, least, before);
  return least;
}

/** Takes `item`, which must be in `heap`, out of it. */
export function heapRemove<T extends HeapItem>(heap: T[], item: T, before: Before<T>): void {
  const index = item.heapIndex;
  const last = heap.pop()!; // `item` is in the heap, so it is not empty
  item.heapIndex = -1;
  if (last === item) return;
  heap[index] = last;
  last.heapIndex = index;
  moveUp(heap, index, before);
  moveDown(heap, last.heapIndex, before);
}

/** Puts `item` in its right place after its order changed. */
export function heapMoved<T extends HeapItem>(heap: T[], item: T, before: Before<T>): void {
  moveUp(heap, item.heapIndex, before);
  moveDown(heap, item.heapIndex, before);
}

function moveUp<T extends HeapItem>(heap: T[], from: number, before: Before<T>): void {
  const item = heap[from]!; // from is an index of the heap
  let index = from;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex]!; // below index, so inside
    if (!before(item, parent)) break;
    heap[index] = parent;
    parent.heapIndex = index;
    index = parentIndex;
  }
  heap[index] = item;
  item.heapIndex = index;
}

function moveDown<T extends HeapItem>(heap: T[], from: number, before: Before<T>): void {
  const item = heap[from]!; // from is an index of the heap
  let index = from;
  for (;;) {
    let childIndex = 2 * index + 1;
    if (childIndex >= heap.length) break;
    const sibling = heap[childIndex + 1];
    if (sibling !== undefined && before(sibling, heap[childIndex]!)) childIndex += 1; // childIndex was checked above
    const child = heap[childIndex]!; // checked above
    if (!before(child, item)) break;
    heap[index] = child;
    child.heapIndex = index;
    index = childIndex;
  }
  heap[index] = item;
  item.heapIndex = index;
}
