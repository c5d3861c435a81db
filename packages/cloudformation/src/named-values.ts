/**
 * Values by name that read as an object (`outputs.QueueUrl`, `toEqual({ … })`) and as a Map (`outputs.get("QueueUrl")`, `for (const [name, value] of outputs)`).
 * A snapshot: later changes of the stack do not show in it.
 */
export type NamedValues = Readonly<Record<string, string>> & Pick<ReadonlyMap<string, string>, "get" | "has" | "keys" | "values" | "entries" | "forEach"> & Iterable<[string, string]>;

/** The Map's side; the names themselves are own members, which alone are enumerable. */
class NamedValueList implements Iterable<[string, string]> {
  constructor(entries: Iterable<readonly [string, string]>) {
    Object.assign(this, Object.fromEntries(entries));
  }

  get(name: string): string | undefined {
    return this.has(name) ? (this as unknown as Record<string, string>)[name] : undefined; // own members are the values
  }

  has(name: string): boolean {
    return Object.hasOwn(this, name);
  }

  keys(): MapIterator<string> {
    return this.#asMap().keys();
  }

  values(): MapIterator<string> {
    return this.#asMap().values();
  }

  entries(): MapIterator<[string, string]> {
    return this.#asMap().entries();
  }

  forEach(visit: (value: string, name: string, all: ReadonlyMap<string, string>) => void): void {
    this.#asMap().forEach(visit);
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }

  #asMap(): Map<string, string> {
    return new Map(Object.entries(this));
  }
}

export function namedValues(entries: Iterable<readonly [string, string]>): NamedValues {
  return new NamedValueList(entries) as unknown as NamedValues; // its own members are the values
}
