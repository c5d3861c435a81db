/** What a case has saved so far, with the built-ins and the variables of loops. */
export type Variables = ReadonlyMap<string, unknown>;

const VARIABLE = /\$\{([A-Za-z][A-Za-z0-9_]*)\}/g;
const WHOLE_VARIABLE = /^\$\{([A-Za-z][A-Za-z0-9_]*)\}$/;

/**
 * Replaces `${name}` in every string of `value`. A string that is nothing else takes the variable with its type; a name that is
 * no variable stays as it is, since policies and templates have `${…}` of their own.
 */
export function substitute(value: unknown, variables: Variables): unknown {
  if (typeof value === "string") return substituteText(value, variables);
  if (Array.isArray(value)) return value.map((element) => substitute(element, variables));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [String(substituteText(key, variables)), substitute(member, variables)]));
}

function substituteText(text: string, variables: Variables): unknown {
  const whole = WHOLE_VARIABLE.exec(text)?.[1];
  if (whole !== undefined && variables.has(whole)) return variables.get(whole);
  return text.replace(VARIABLE, (all, name: string) => (variables.has(name) ? String(variables.get(name)) : all));
}

type Generator = (argument: unknown) => unknown;

/** Objects with one of these keys alone stand for a value that JSON cannot hold or that would be long. */
const generators: Readonly<Record<string, Generator>> = {
  $json: (value) => JSON.stringify(value),
  $repeat: (argument) => {
    const [text, times] = argument as [string, number]; // the format's README
    return text.repeat(times);
  },
  $base64: (text) => new Uint8Array(Buffer.from(String(text), "base64")),
};

/** Makes the values that generators in `value` stand for. */
export function generate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(generate);
  if (!isPlainObject(value)) return value;
  const [key, ...others] = Object.keys(value);
  const generator = key !== undefined && others.length === 0 ? generators[key] : undefined;
  if (key !== undefined && generator !== undefined) return generator(value[key]);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, generate(member)]));
}

/** The value at a path such as `Messages[0].ReceiptHandle`; `undefined` where the path leads nowhere. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = (found as Record<string, unknown>)[name ?? Number(index)]; // any object may be asked for any member
  }
  return found;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Object]";
}
