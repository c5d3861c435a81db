/**
 * Values by name that read as an object (`outputs.QueueUrl`, `toEqual({ … })`) and as a Map (`outputs.get("QueueUrl")`, `for (const [name, value] of outputs)`).
 * A snapshot: later changes do not show in it.
 */
export type NamedValues<Value = string> = Readonly<Record<string, Value>> & Pick<ReadonlyMap<string, Value>, "get" | "has" | "keys" | "values" | "entries" | "forEach"> & Iterable<[string, Value]>;

/** The Map's side; the names themselves are own members, which alone are enumerable. */
class NamedValueList<Value> implements Iterable<[string, Value]> {
  constructor(entries: Iterable<readonly [string, Value]>) {
    Object.assign(this, Object.fromEntries(entries));
  }

  get(name: string): Value | undefined {
    return this.has(name) ? (this as unknown as Record<string, Value>)[name] : undefined; // own members are the values
  }

  has(name: string): boolean {
    return Object.hasOwn(this, name);
  }

  keys(): MapIterator<string> {
    return this.#asMap().keys();
  }

  values(): MapIterator<Value> {
    return this.#asMap().values();
  }

  entries(): MapIterator<[string, Value]> {
    return this.#asMap().entries();
  }

  forEach(visit: (value: Value, name: string, all: ReadonlyMap<string, Value>) => void): void {
    this.#asMap().forEach(visit);
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  #asMap(): Map<string, Value> {
    return new Map(Object.entries(this) as [string, Value][]); // own members are the values
  }
}

export function namedValues<Value>(entries: Iterable<readonly [string, Value]>): NamedValues<Value> {
  return new NamedValueList(entries) as unknown as NamedValues<Value>; // its own members are the values
}
