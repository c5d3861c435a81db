/** The code units that no message may hold, apart from surrogates that stand alone. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const FORBIDDEN = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/;

/** True when `text` has characters outside #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF. */
export function hasInvalidCharacters(text: string): boolean {
  // Node has `isWellFormed` from 20 on; the language level compiled for does not know it yet.
  return FORBIDDEN.test(text) || !(text as unknown as { isWellFormed(): boolean }).isWellFormed();
}
