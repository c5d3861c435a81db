/** Logical ids with those that each needs first. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

/**
 * The logical ids that go round in circles, in the order given; empty when there are none.
 * What merely depends on a circle is not in it.
 */
export function circularIds(dependencies: Dependencies): string[] {
  // What nothing needs, and what needs nothing, is taken off until only circles and the paths between them are left.
  const remaining = new Map([...dependencies].map(([id, needed]) => [id, new Set(needed.filter((other) => dependencies.has(other)))]));
  takeOff(remaining);
  const reversed = reverse(new Map([...remaining].map(([id, needed]) => [id, [...needed]])));
  const left = new Map([...reversed].map(([id, needed]) => [id, new Set(needed)]));
  takeOff(left);
  return [...dependencies.keys()].filter((id) => left.has(id));
}

function takeOff(remaining: Map<string, Set<string>>): void {
  const dependents = reverse(new Map([...remaining].map(([id, needed]) => [id, [...needed]])));
  const free = [...remaining].filter(([, needed]) => needed.size === 0).map(([id]) => id);
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    remaining.delete(id);
    for (const dependent of dependents.get(id) ?? []) {
      const needed = remaining.get(dependent);
      if (needed?.delete(id) === true && needed.size === 0) free.push(dependent);
    }
  }
}

/** Turns every arrow round: what needed something is now needed by it. */
export function reverse(dependencies: Dependencies): Map<string, string[]> {
  const reversed = new Map<string, string[]>([...dependencies.keys()].map((id) => [id, []]));
  for (const [id, needed] of dependencies) for (const other of needed) reversed.get(other)?.push(id);
  return reversed;
}

/**
 * Visits every id when those it needs have been visited, as many at a time as can be. After a visit that answers false no more are begun.
 *
 * @returns when all begun visits have ended
 */
export async function visitInOrder(dependencies: Dependencies, visit: (id: string) => Promise<boolean>): Promise<void> {
  const dependents = reverse(dependencies);
  const waitingFor = new Map([...dependencies].map(([id, needed]) => [id, new Set(needed.filter((other) => dependencies.has(other))).size]));
  let isStopped = false;
  async function visitAndGoOn(id: string): Promise<void> {
    if (isStopped) return;
    if (!(await visit(id))) isStopped = true;
    const ready = new Set(dependents.get(id)).values();
    const freed: string[] = [];
    for (const dependent of ready) {
      const count = (waitingFor.get(dependent) ?? 0) - 1;
      waitingFor.set(dependent, count);
      if (count === 0) freed.push(dependent);
    }
    await Promise.all(freed.map(visitAndGoOn));
  }
  await Promise.all([...waitingFor].filter(([, count]) => count === 0).map(([id]) => visitAndGoOn(id)));
}
