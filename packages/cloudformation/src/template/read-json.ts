import { templateFormatError } from "../errors.js";

/** @throws ValidationError with the line and column where the text stops being JSON */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column } = placeOf((error as Error).message, text); // JSON.parse throws SyntaxErrors only
    throw templateFormatError(`JSON not well-formed. (line ${line}, column ${column})`);
  }
}

/** Node's messages say `at position N`, or speak of the end of the text. */
function placeOf(message: string, text: string): { line: number; column: number } {
  const position = /at position (\d+)/.exec(message);
  const offset = position === null ? text.length : Number(position[1]);
  const before = text.slice(0, offset).split("\n");
  // AWS's reader has read the offending character when it complains, so its column is one further.
  const column = (before.at(-1)?.length ?? 0) + (offset === text.length ? 1 : 2);
  return { line: before.length, column };
}
