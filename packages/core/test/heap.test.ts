import { heapMoved, heapPop, heapPush, heapRemove, type HeapItem } from "@sandstack/core";
import fc from "fast-check";

interface Item extends HeapItem {
  rank: number;
  readonly sequence: number;
}

const before = (a: Item, b: Item): boolean => a.rank < b.rank || (a.rank === b.rank && a.sequence < b.sequence);

function heapOf(ranks: readonly number[]): Item[] {
  const heap: Item[] = [];
  for (const [sequence, rank] of ranks.entries()) heapPush(heap, { rank, sequence, heapIndex: -1 }, before);
  return heap;
}

function takeAll(heap: Item[]): Item[] {
  const taken: Item[] = [];
  for (let item = heapPop(heap, before); item !== undefined; item = heapPop(heap, before)) taken.push(item);
  return taken;
}

function sorted(items: readonly Item[]): Item[] {
  return [...items].sort((a, b) => a.rank - b.rank || a.sequence - b.sequence);
}

const ranks = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 });

test("items come out in order, those of one rank in the order in which they came", () => {
  fc.assert(
    fc.property(ranks, (given) => {
      const heap = heapOf(given);
      const expected = sorted(heap);
      expect(takeAll(heap)).toEqual(expected);
    }),
  );
});

test("every item knows its place, and -1 when it has none", () => {
  fc.assert(
    fc.property(ranks, (given) => {
      const heap = heapOf(given);
      for (const [index, item] of heap.entries()) expect(item.heapIndex).toBe(index);
      for (const item of takeAll(heap)) expect(item.heapIndex).toBe(-1);
    }),
  );
});

test("items can be taken out of the middle, and the others stay in order", () => {
  fc.assert(
    fc.property(ranks, fc.infiniteStream(fc.nat()), (given, choices) => {
      const heap = heapOf(given);
      const left = new Set(heap);
      for (let removals = Math.floor(given.length / 2); removals > 0; removals--) {
        const item = [...left][choices.next().value % left.size]!; // the set is not empty
        heapRemove(heap, item, before);
        expect(item.heapIndex).toBe(-1);
        left.delete(item);
      }
      expect(takeAll(heap)).toEqual(sorted([...left]));
    }),
  );
});

test("an item whose rank changed finds its new place, up or down", () => {
  fc.assert(
    fc.property(ranks, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 20 }))), (given, changes) => {
      const heap = heapOf(given);
      const items = [...heap];
      for (const [choice, rank] of items.length === 0 ? [] : changes) {
        const item = items[choice % items.length]!; // inside
        item.rank = rank;
        heapMoved(heap, item, before);
      }
      expect(takeAll(heap)).toEqual(sorted(items));
    }),
  );
});

test("an empty heap gives nothing", () => {
  expect(heapPop([], before)).toBeUndefined();
});

test("a copied heap works on its own", () => {
  const heap = heapOf([3, 1, 2]);
  const copy = structuredClone(heap);
  heapRemove(copy, copy[1]!, before); // of three
  expect(takeAll(heap).map(({ rank }) => rank)).toEqual([1, 2, 3]);
  expect(takeAll(copy)).toHaveLength(2);
});
