import { invalidParameter } from "./errors.js";
import { ID_MAX_LENGTH } from "./limits.js";

/** True for a whole number from `least` to `most`. */
export function isWholeNumber(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** Letters, digits and punctuation, as AWS makes the ids of groups, of deduplication and of attempts of. */
const ID = new RegExp(`^[\\x21-\\x7E]{1,${ID_MAX_LENGTH}}$`);

/** Checks an id that may be left out. @throws InvalidParameterValue */
export function checkId(name: string, value: string | undefined): void {
  if (value !== undefined && !ID.test(value)) throw invalidParameter(name, value, `${name} can only include alphanumeric and punctuation characters. 1 to ${ID_MAX_LENGTH} in length.`);
}

/** Checks a member that may be left out. @throws InvalidParameterValue for what is no whole number from 0 to `most` */
export function checkRange(name: string, value: number | undefined, most: number): void {
  if (value !== undefined && !isWholeNumber(value, 0, most)) throw invalidParameter(name, value, `Must be >= 0 and <= ${most}, if provided.`);
}
