import { templateError, templateFormatError } from "../errors.js";
import { functionCallOf } from "../template/template.js";
import { evaluate, type EvaluationScope } from "./evaluate.js";

/** The scope without conditions: what conditions themselves can see. */
export type ConditionScope = Omit<EvaluationScope, "condition">;

/**
 * Evaluates all conditions of a template, each once, in whatever order they need each other.
 *
 * @throws ValidationError when they go in a circle or are not conditions
 */
export function evaluateConditions(conditions: Readonly<Record<string, unknown>>, scope: ConditionScope): Record<string, boolean> {
  const values = new Map<string, boolean>();
  const underway = new Set<string>();
  const evaluationScope: EvaluationScope = { ...scope, condition: valueOf };
  function valueOf(name: string): boolean {
    const known = values.get(name);
    if (known !== undefined) return known;
    if (underway.has(name)) throw templateFormatError(`Circular dependencies between conditions: [${[...underway].join(", ")}]`);
    underway.add(name);
    const value = evaluateCondition(conditions[name], evaluationScope);
    underway.delete(name);
    values.set(name, value);
    return value;
  }
  return Object.fromEntries(Object.keys(conditions).map((name) => [name, valueOf(name)]));
}

/** Evaluates one condition expression: `And`, `Or`, `Not`, `Equals`, `{ Condition }`, and the functions of rules. */
export function evaluateCondition(value: unknown, scope: EvaluationScope): boolean {
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  const call = functionCallOf(value, "conditions");
  if (call === undefined) throw templateFormatError("Conditions can only be boolean operations on parameters and other conditions");
  const run = CONDITION_FUNCTIONS[call.name];
  if (run !== undefined) return run(call.argument, scope);
  return evaluateCondition(asText(evaluate(value, scope)), scope);
}

const CONDITION_FUNCTIONS: Readonly<Record<string, (argument: unknown, scope: EvaluationScope) => boolean>> = {
  Condition: (argument, scope) => scope.condition(String(argument)),
  "Fn::And": (argument, scope) => listOf(argument).every((part) => evaluateCondition(part, scope)),
  "Fn::Or": (argument, scope) => listOf(argument).some((part) => evaluateCondition(part, scope)),
  "Fn::Not": (argument, scope) => !evaluateCondition(listOf(argument)[0], scope),
  "Fn::Equals": (argument, scope) => {
    const [left, right] = listOf(argument).map((side) => asText(evaluate(side, scope)));
    return left === right;
  },
  "Fn::Contains": (argument, scope) => {
    const [list, value] = evaluatedList(argument, scope);
    return textsOf(list).includes(asText(value));
  },
  "Fn::EachMemberEquals": (argument, scope) => {
    const [list, value] = evaluatedList(argument, scope);
    return textsOf(list).every((item) => item === asText(value));
  },
  "Fn::EachMemberIn": (argument, scope) => {
    const [list, allowed] = evaluatedList(argument, scope);
    return textsOf(list).every((item) => textsOf(allowed).includes(item));
  },
};

function listOf(argument: unknown): unknown[] {
  return argument as unknown[]; // the shapes of functions were checked with the template
}

function evaluatedList(argument: unknown, scope: EvaluationScope): unknown[] {
  return listOf(argument).map((part) => evaluate(part, scope));
}

/** Conditions compare texts: `true` equals `"true"`, `1` equals `"1"`. */
function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function textsOf(list: unknown): string[] {
  if (!Array.isArray(list)) throw templateError("a list of strings is wanted");
  return (list as unknown[]).map(asText);
}
