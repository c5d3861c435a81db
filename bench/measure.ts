/** Work that is measured as a whole. */
export type Work = () => unknown;

/**
 * Measures several pieces of work side by side: in each round each of them once, so that a slow moment of the machine meets all of them alike.
 *
 * @returns the median time of each, in milliseconds
 */
export async function interleaved<Name extends string>(rounds: number, works: Readonly<Record<Name, Work>>): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[]; // the keys of what was given
  const timesMs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>; // one list for each
  for (let round = 0; round < rounds; round++) {
    for (const name of names) timesMs[name].push(await timed(works[name]));
  }
  return Object.fromEntries(names.map((name) => [name, median(timesMs[name])])) as Record<Name, number>; // as above
}

/** How long a piece of work takes, in milliseconds. */
export async function timed(work: Work): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Repeats work, so that what is measured is long enough for the clock. */
export function repeated(times: number, work: Work): () => Promise<void> {
  return async () => {
    for (let time = 0; time < times; time++) await work();
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
