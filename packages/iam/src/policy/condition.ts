import type { ConditionKeys } from "./condition-keys.js";
import { isInIpRange, readDateMs, readIp, readIpRange, readNumber } from "./condition-values.js";
import { isJsonObject, textsOf, type JsonObject } from "./document.js";
import { compilePattern, matchesPattern, type Pattern } from "./pattern.js";

/** Whether a request's value matches one of the policy's values. */
type Test = (value: string, keys: ConditionKeys) => boolean;

/** One operator with one key: `StringEquals: { "aws:SourceAccount": "111122223333" }`. */
export interface Condition {
  /** As written, with its quantifier and `IfExists`. */
  readonly operator: string;
  /** As written. */
  readonly key: string;
  readonly lowerCaseKey: string;
  /** As written; numbers and booleans as text. */
  readonly values: readonly string[];
  /** `ForAllValues:` and `ForAnyValue:`. */
  readonly quantifier: "all" | "any" | undefined;
  readonly ifExists: boolean;
  /** True for the operators that say what a value must not be. */
  readonly isNegated: boolean;
  /** `undefined` for `Null`, which asks whether there is a value. */
  readonly test: Test | undefined;
}

/** How the texts of a policy are to be read. */
export interface DocumentOptions {
  /** True for version 2012-10-17: older documents have no policy variables. */
  readonly variables: boolean;
}

interface Operator {
  readonly isNegated?: boolean;
  compile(values: readonly string[], options: DocumentOptions): Test;
}

function strings(options: { wildcards: boolean; lowerCase?: boolean }): Operator["compile"] {
  return (values, { variables }) => {
    const patterns = values.map((value) => compilePattern(value, { ...options, variables }));
    if (options.lowerCase !== true) return (value, keys) => patterns.some((pattern) => matchesPattern(pattern, value, keys));
    return (value, keys) => {
      const lowered = value.toLowerCase();
      return patterns.some((pattern) => matchesPattern(pattern, lowered, keys));
    };
  };
}

/** A comparison of values that are read from their texts; a text that cannot be read matches nothing. */
function compared<T>(read: (text: string) => T | undefined, matches: (value: T, wanted: T) => boolean): Operator["compile"] {
  return (texts) => {
    const wanted = texts.map(read).filter((value) => value !== undefined);
    return (text) => {
      const value = read(text);
      return value !== undefined && wanted.some((one) => matches(value, one));
    };
  };
}

/** ARNs are compared part by part: a wildcard does not reach beyond its colon, except in the last part. */
const arns: Operator["compile"] = (values, { variables }) => {
  const patterns = values.map((value) => compileArn(value, variables));
  return (value, keys) => patterns.some((pattern) => matchesArn(pattern, value, keys));
};

function compileArn(value: string, variables: boolean): readonly Pattern[] {
  const isPlain = !/[*?$]/.test(value);
  if (isPlain) return [compilePattern(value, { wildcards: false, variables: false })];
  return arnParts(value).map((part) => compilePattern(part, { wildcards: true, variables }));
}

/** A pattern of fewer parts than an ARN's six, such as `*` or `arn:aws:sqs:*`, has its last part stand for all that is left. */
function matchesArn(pattern: readonly Pattern[], value: string, keys: ConditionKeys): boolean {
  let start = 0;
  for (const [index, part] of pattern.entries()) {
    const end = index === pattern.length - 1 ? value.length : value.indexOf(":", start);
    if (end < 0 || !matchesPattern(part, value.slice(start, end), keys)) return false;
    start = end + 1;
  }
  return true;
}

/** The parts of an ARN pattern, six at most. A colon inside `${…}` separates nothing. */
function arnParts(text: string): readonly string[] {
  const parts = text.split(/:(?![^{}]*\})/);
  return parts.length <= 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(":")];
}

const ips: Operator["compile"] = (texts) => {
  const ranges = texts.map(readIpRange).filter((range) => range !== undefined);
  return (text) => {
    const bytes = readIp(text);
    return bytes !== undefined && ranges.some((range) => isInIpRange(range, bytes));
  };
};

const stringEquals = strings({ wildcards: false });
const stringLike = strings({ wildcards: true });
const stringEqualsIgnoreCase = strings({ wildcards: false, lowerCase: true });
const isSame = <T>(value: T, wanted: T): boolean => value === wanted;
const isLess = (value: number, wanted: number): boolean => value < wanted;
const isLessOrSame = (value: number, wanted: number): boolean => value <= wanted;
const isMore = (value: number, wanted: number): boolean => value > wanted;
const isMoreOrSame = (value: number, wanted: number): boolean => value >= wanted;
const readBoolean = (text: string): string => text.toLowerCase();
const readBinary = (text: string): string => text.replace(/=+$/, "");

/** The condition operators (IAM User Guide, "Condition operators"), by lower-case name. */
const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  Object.entries<Operator>({
    StringEquals: { compile: stringEquals },
    StringNotEquals: { compile: stringEquals, isNegated: true },
    StringEqualsIgnoreCase: { compile: stringEqualsIgnoreCase },
    StringNotEqualsIgnoreCase: { compile: stringEqualsIgnoreCase, isNegated: true },
    StringLike: { compile: stringLike },
    StringNotLike: { compile: stringLike, isNegated: true },
    NumericEquals: { compile: compared(readNumber, isSame) },
    NumericNotEquals: { compile: compared(readNumber, isSame), isNegated: true },
    NumericLessThan: { compile: compared(readNumber, isLess) },
    NumericLessThanEquals: { compile: compared(readNumber, isLessOrSame) },
    NumericGreaterThan: { compile: compared(readNumber, isMore) },
    NumericGreaterThanEquals: { compile: compared(readNumber, isMoreOrSame) },
    DateEquals: { compile: compared(readDateMs, isSame) },
    DateNotEquals: { compile: compared(readDateMs, isSame), isNegated: true },
    DateLessThan: { compile: compared(readDateMs, isLess) },
    DateLessThanEquals: { compile: compared(readDateMs, isLessOrSame) },
    DateGreaterThan: { compile: compared(readDateMs, isMore) },
    DateGreaterThanEquals: { compile: compared(readDateMs, isMoreOrSame) },
    Bool: { compile: compared(readBoolean, isSame) },
    BinaryEquals: { compile: compared(readBinary, isSame) },
    IpAddress: { compile: ips },
    NotIpAddress: { compile: ips, isNegated: true },
    ArnEquals: { compile: arns },
    ArnLike: { compile: arns },
    ArnNotEquals: { compile: arns, isNegated: true },
    ArnNotLike: { compile: arns, isNegated: true },
  }).map(([name, operator]) => [name.toLowerCase(), operator]),
);

const OPERATOR_NAME = /^(?:(ForAllValues|ForAnyValue):)?(.+?)(IfExists)?$/i;

/** The parts of an operator's name, or `undefined` when IAM has no such operator. */
function readOperator(name: string): { quantifier: Condition["quantifier"]; ifExists: boolean; operator: Operator | "null" } | undefined {
  const [, quantified, base = "", ifExists] = OPERATOR_NAME.exec(name) ?? [];
  const operator = base.toLowerCase() === "null" ? "null" : OPERATORS.get(base.toLowerCase());
  // `Null` already asks for existence: it takes no `IfExists`.
  if (operator === undefined || (operator === "null" && ifExists !== undefined)) return undefined;
  const quantifier = quantified === undefined ? undefined : quantified.toLowerCase() === "forallvalues" ? "all" : "any";
  return { quantifier, ifExists: ifExists !== undefined, operator };
}

export function isConditionOperator(name: string): boolean {
  return readOperator(name) !== undefined;
}

/** Reads a `Condition` element. An operator that IAM has not got never holds. */
export function compileConditions(element: unknown, options: DocumentOptions): readonly Condition[] {
  if (!isJsonObject(element)) return [];
  return Object.entries(element).flatMap(([operator, byKey]) => (isJsonObject(byKey) ? compileOperator(operator, byKey, options) : []));
}

function compileOperator(name: string, byKey: JsonObject, options: DocumentOptions): readonly Condition[] {
  const read = readOperator(name);
  return Object.entries(byKey).map(([key, value]) => {
    const values = textsOf(value);
    const base = { operator: name, key, lowerCaseKey: key.toLowerCase(), values, quantifier: read?.quantifier, ifExists: read?.ifExists ?? false };
    if (read === undefined) return { ...base, isNegated: false, test: () => false };
    if (read.operator === "null") return { ...base, isNegated: false, test: undefined };
    return { ...base, isNegated: read.operator.isNegated ?? false, test: read.operator.compile(values, options) };
  });
}

/** Whether a condition holds for a request. */
export function conditionHolds(condition: Condition, keys: ConditionKeys): boolean {
  const { test, isNegated, quantifier } = condition;
  const value = keys.valueOf(condition.lowerCaseKey);
  const isAbsent = value === undefined || (typeof value !== "string" && value.length === 0);
  if (test === undefined) return condition.values.some((wanted) => (wanted.toLowerCase() === "true") === isAbsent);
  if (isAbsent) {
    if (condition.ifExists || quantifier === "all") return true;
    // Without a key, what must not be is not (IAM User Guide, "Condition operators").
    return quantifier === "any" ? false : isNegated;
  }
  if (typeof value === "string") return test(value, keys) !== isNegated;
  if (quantifier === "all") return value.every((one) => test(one, keys) !== isNegated);
  if (quantifier === "any") return value.some((one) => test(one, keys) !== isNegated);
  return value.some((one) => test(one, keys)) !== isNegated;
}
