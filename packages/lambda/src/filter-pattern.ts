/**
 * The pattern language of event filtering (EventBridge's, as far as Lambda has it): pure functions over parsed JSON.
 * A pattern mirrors the event: objects nest, and each leaf is a list of which one entry must match.
 */
export type FilterPattern = { readonly [key: string]: unknown };

type Json = unknown;

/** Reads a pattern's JSON text. Answers `undefined` for one that AWS refuses. */
export function parseFilterPattern(text: string): FilterPattern | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined; // text that is not JSON is no pattern
  }
  return isObject(parsed) && isValidPattern(parsed) ? parsed : undefined;
}

/** True when the event has what the pattern asks for. */
export function matchesPattern(pattern: FilterPattern, event: Json): boolean {
  return Object.entries(pattern).every(([key, wanted]) => {
    if (key === "$or") return (wanted as readonly FilterPattern[]).some((alternative) => matchesPattern(alternative, event)); // checked when the pattern was read
    const value = isObject(event) && Object.hasOwn(event, key) ? event[key] : undefined;
    return Array.isArray(wanted) ? matchesLeaf(wanted, value) : matchesPattern(wanted as FilterPattern, value); // likewise
  });
}

/** A list in the event matches when one of its elements does. */
function matchesLeaf(rules: readonly unknown[], value: Json): boolean {
  const isLeaf = value !== undefined && !isObject(value);
  return rules.some((rule) => {
    const exists = isObject(rule) ? rule["exists"] : undefined;
    if (typeof exists === "boolean") return exists === isLeaf;
    return isLeaf && (Array.isArray(value) ? value.some((element) => matchesRule(rule, element)) : matchesRule(rule, value));
  });
}

function matchesRule(rule: unknown, value: Json): boolean {
  if (!isObject(rule)) return rule === value;
  const [operator = "", operand] = Object.entries(rule)[0] ?? [];
  switch (operator) {
    case "prefix":
      return typeof value === "string" && hasAffix(operand, value, (text, affix) => text.startsWith(affix));
    case "suffix":
      return typeof value === "string" && hasAffix(operand, value, (text, affix) => text.endsWith(affix));
    case "equals-ignore-case":
      return typeof value === "string" && value.toLowerCase() === String(operand).toLowerCase();
    case "anything-but":
      return matchesAnythingBut(operand, value);
    case "numeric":
      return typeof value === "number" && matchesNumeric(operand as readonly unknown[], value); // checked when the pattern was read
    default:
      return false;
  }
}

/** The operand is a text, or `{ "equals-ignore-case": text }`. */
function hasAffix(operand: unknown, text: string, has: (text: string, affix: string) => boolean): boolean {
  return isObject(operand) ? has(text.toLowerCase(), String(operand["equals-ignore-case"]).toLowerCase()) : has(text, String(operand));
}

function matchesAnythingBut(operand: unknown, value: Json): boolean {
  if (!isObject(operand)) return !listOf(operand).includes(value);
  const [operator = "", excluded] = Object.entries(operand)[0] ?? [];
  return !listOf(excluded).some((each) => matchesRule({ [operator]: each }, value));
}

function listOf(operand: unknown): readonly unknown[] {
  return Array.isArray(operand) ? operand : [operand];
}

const COMPARE: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  "=": (value, bound) => value === bound,
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
};

/** `[">=", 100, "<", 200]`: all comparisons hold. */
function matchesNumeric(operand: readonly unknown[], value: number): boolean {
  for (let at = 0; at < operand.length; at += 2) {
    if (!COMPARE[String(operand[at])]?.(value, Number(operand[at + 1]))) return false;
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isValidPattern(pattern: Record<string, unknown>): boolean {
  const entries = Object.entries(pattern);
  return entries.length > 0 && entries.every(([key, wanted]) => (key === "$or" ? isValidOr(wanted) : Array.isArray(wanted) ? wanted.length > 0 && wanted.every(isValidRule) : isObject(wanted) && isValidPattern(wanted)));
}

function isValidOr(alternatives: unknown): boolean {
  return Array.isArray(alternatives) && alternatives.length > 1 && alternatives.every((alternative) => isObject(alternative) && isValidPattern(alternative));
}

function isValidRule(rule: unknown): boolean {
  if (!isObject(rule)) return !Array.isArray(rule);
  const operators = Object.entries(rule);
  const [operator, operand] = operators[0] ?? [];
  if (operators.length !== 1 || operator === undefined) return false;
  return IS_VALID_OPERAND[operator]?.(operand) ?? false;
}

const isText = (operand: unknown): boolean => typeof operand === "string";
const isScalar = (operand: unknown): boolean => typeof operand === "string" || typeof operand === "number";
const isAffix = (operand: unknown): boolean => isText(operand) || (isObject(operand) && Object.keys(operand).length === 1 && isText(operand["equals-ignore-case"]));

const IS_VALID_OPERAND: Readonly<Record<string, (operand: unknown) => boolean>> = {
  exists: (operand) => typeof operand === "boolean",
  prefix: isAffix,
  suffix: isAffix,
  "equals-ignore-case": isText,
  "anything-but": isValidAnythingBut,
  numeric: isValidNumeric,
};

function isValidAnythingBut(operand: unknown): boolean {
  if (Array.isArray(operand)) return operand.length > 0 && operand.every(isScalar);
  if (!isObject(operand)) return isScalar(operand);
  const [operator = "", excluded] = Object.entries(operand)[0] ?? [];
  const texts = listOf(excluded);
  return Object.keys(operand).length === 1 && ["prefix", "suffix", "equals-ignore-case"].includes(operator) && texts.length > 0 && texts.every(isText);
}

function isValidNumeric(operand: unknown): boolean {
  if (!Array.isArray(operand) || (operand.length !== 2 && operand.length !== 4)) return false;
  const operators = operand.filter((_, at) => at % 2 === 0).map(String);
  const bounds = operand.filter((_, at) => at % 2 === 1);
  if (!operators.every((operator) => operator in COMPARE) || !bounds.every((bound) => typeof bound === "number")) return false;
  // A range is a lower bound, then an upper one above it.
  const [lowest, highest] = bounds as readonly number[]; // just checked
  const [from = "", to] = operators;
  return to === undefined || (/^>=?$/.test(from) && /^<=?$/.test(to) && lowest! < highest!); // there are as many bounds as operators
}
