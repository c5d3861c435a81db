import type { ConditionKeys } from "./condition-keys.js";

/** A part of a pattern: fixed text, `*`, `?`, or a policy variable that a request fills. */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "one" }
  | { readonly kind: "variable"; readonly key: string; readonly fallback: string | undefined };

/** A text with wildcards and policy variables, ready to be compared. */
export interface Pattern {
  /** As its author wrote it. */
  readonly source: string;
  readonly pieces: readonly Piece[];
  readonly hasVariables: boolean;
  /** True where both sides are compared in lower case. */
  readonly isLowerCase: boolean;
  /** The commonest forms, decided without walking the pieces. */
  readonly form: "everything" | "exact" | "prefix" | "pieces";
  /** The fixed text of the forms `exact` and `prefix`. */
  readonly text: string;
}

export interface PatternOptions {
  /** Whether `*` and `?` are wildcards. */
  readonly wildcards: boolean;
  /** Whether `${…}` is a variable: in documents of version 2012-10-17. */
  readonly variables: boolean;
  readonly lowerCase?: boolean;
}

/** `${*}`, `${?}` and `${$}` stand for the characters themselves (IAM User Guide, "Policy variables"). */
const LITERAL_VARIABLES = new Set(["*", "?", "$"]);
const VARIABLE = /\$\{([^}]*)\}/g;
const VARIABLE_PARTS = /^\s*([^,\s]+)\s*(?:,\s*'(.*)'\s*)?$/s;

/** Reads a pattern. */
export function compilePattern(source: string, options: PatternOptions): Pattern {
  const isLowerCase = options.lowerCase === true;
  const pieces: Piece[] = [];
  let at = 0;
  if (options.variables) {
    for (const variable of source.matchAll(VARIABLE)) {
      addText(pieces, source.slice(at, variable.index), options);
      pieces.push(variablePiece(variable[1] ?? "", isLowerCase));
      at = variable.index + variable[0].length;
    }
  }
  addText(pieces, source.slice(at), options);
  const [first, second] = pieces;
  const base = { source, pieces, isLowerCase, hasVariables: pieces.some(({ kind }) => kind === "variable") };
  if (first === undefined) return { ...base, form: "exact", text: "" };
  if (pieces.length === 1 && first.kind === "any") return { ...base, form: "everything", text: "" };
  if (pieces.length === 1 && first.kind === "text") return { ...base, form: "exact", text: first.text };
  if (pieces.length === 2 && first.kind === "text" && second?.kind === "any") return { ...base, form: "prefix", text: first.text };
  return { ...base, form: "pieces", text: "" };
}

function addText(pieces: Piece[], source: string, { wildcards, lowerCase }: PatternOptions): void {
  const parts = wildcards ? source.split(/([*?])/) : [source];
  for (const part of parts) {
    if (part === "") continue;
    if (wildcards && part === "*") {
      if (pieces.at(-1)?.kind !== "any") pieces.push({ kind: "any" });
    } else if (wildcards && part === "?") pieces.push({ kind: "one" });
    else pieces.push({ kind: "text", text: lowerCase === true ? part.toLowerCase() : part });
  }
}

function variablePiece(content: string, isLowerCase: boolean): Piece {
  if (LITERAL_VARIABLES.has(content)) return { kind: "text", text: content };
  const [, key = content, fallback] = VARIABLE_PARTS.exec(content) ?? [];
  return { kind: "variable", key: key.toLowerCase(), fallback: isLowerCase ? fallback?.toLowerCase() : fallback };
}

/**
 * Compares `text`, in lower case where the pattern is, with a pattern. A variable's value never acts as a wildcard; a variable
 * without a value and without a default matches nothing.
 */
export function matchesPattern(pattern: Pattern, text: string, keys: ConditionKeys): boolean {
  switch (pattern.form) {
    case "everything":
      return true;
    case "exact":
      return text === pattern.text;
    case "prefix":
      return text.startsWith(pattern.text);
    case "pieces": {
      const pieces = pattern.hasVariables ? fillVariables(pattern, keys) : pattern.pieces;
      return pieces !== undefined && matchesPieces(pieces, text);
    }
  }
}

/** The pieces with each variable replaced by its value; `undefined` when one has none. */
function fillVariables(pattern: Pattern, keys: ConditionKeys): readonly Piece[] | undefined {
  const filled: Piece[] = [];
  for (const piece of pattern.pieces) {
    if (piece.kind !== "variable") {
      filled.push(piece);
      continue;
    }
    const value = keys.valueOf(piece.key);
    // Only keys of a single value can be variables.
    const text = typeof value === "string" ? value : value?.length === 1 ? value[0] : value === undefined ? piece.fallback : undefined;
    if (text === undefined) return undefined;
    filled.push({ kind: "text", text: pattern.isLowerCase ? text.toLowerCase() : text });
  }
  return filled;
}

/** A wildcard match that goes back to the last `*` only: at most (length of the text) × (number of pieces) steps. */
function matchesPieces(pieces: readonly Piece[], text: string): boolean {
  let pieceAt = 0;
  let textAt = 0;
  let starAt = -1;
  let starTextAt = 0;
  while (pieceAt < pieces.length || textAt < text.length) {
    const piece = pieces[pieceAt];
    if (piece?.kind === "any") {
      starAt = pieceAt;
      starTextAt = textAt;
      pieceAt += 1;
      continue;
    }
    const matched = piece === undefined ? -1 : matchedLength(piece, text, textAt);
    if (matched >= 0) {
      textAt += matched;
      pieceAt += 1;
      continue;
    }
    if (starAt < 0 || starTextAt >= text.length) return false;
    starTextAt += 1;
    textAt = starTextAt;
    pieceAt = starAt + 1;
  }
  return true;
}

/** How many characters a piece of fixed length takes at `at`; -1 when it does not fit. */
function matchedLength(piece: Piece, text: string, at: number): number {
  if (piece.kind === "one") return at < text.length ? 1 : -1;
  if (piece.kind === "text") return text.startsWith(piece.text, at) ? piece.text.length : -1;
  return -1;
}
