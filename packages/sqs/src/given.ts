/** The entries of a map that a caller gives. One without a value is none: SDK clients leave it out, too. */
export function givenEntries<Value>(given: Readonly<Record<string, Value | null | undefined>> | undefined): [string, Value][] {
  return Object.entries(given ?? {}).filter((entry): entry is [string, Value] => entry[1] !== undefined && entry[1] !== null);
}
