import { inspect } from "node:util";
import { simError } from "./errors.js";

/** The most characters that a message shows of a value. */
const MAX_SHOWN_CHARACTERS = 160;

/** A value as an error message shows it: on one line, and not all of what is long or deep. */
export function shown(value: unknown): string {
  const text = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 5 }).replaceAll(/\s*\n\s*/g, " ");
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}

/** An object that a user gave, as opposed to a text, a list or nothing. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Checks that options are an object with no members but those there are: one that is misspelt would be silently without effect.
 *
 * @param what who takes them, as the beginning of a sentence: `new SimAws()`
 * @throws SimInvalidOption saying what was given and what there is
 */
export function checkOptions(what: string, given: unknown, known: readonly string[]): void {
  if (!isPlainObject(given)) throw simError("SimInvalidOption", `${what} takes an object of options, not ${shown(given)}. ${optionsThereAre(known)}`);
  for (const name in given) {
    if (!known.includes(name)) throw simError("SimInvalidOption", `${what} has no option ${name}. ${optionsThereAre(known)}`);
  }
}

function optionsThereAre(known: readonly string[]): string {
  return `The options there are: ${known.join(", ")}.`;
}

/** @throws SimInvalidOption for a value that is none of those there are. Without one, the default is meant */
export function checkChoice(option: string, given: unknown, choices: readonly string[]): void {
  if (given !== undefined && !choices.some((choice) => choice === given)) throw invalidOption(option, choices.map(shown).join(" or "), given);
}

/** @param wanted what the option takes, as the end of a sentence: `a Date` */
export function invalidOption(option: string, wanted: string, given: unknown): Error {
  return simError("SimInvalidOption", `${option} is ${wanted}; it was given as ${shown(given)}.`);
}

/** The names of an object type's members, each written once and none forgotten: `memberNames<SimAwsOptions>({ seed: true, … })`. */
export function memberNames<T>(members: Readonly<Record<keyof T & string, true>>): readonly string[] {
  return Object.keys(members);
}
