/** One entry of `Parameters`, as the template says it. */
export interface ParameterDeclaration {
  readonly Type: string;
  readonly Default?: unknown;
  readonly Description?: string;
  readonly NoEcho?: unknown;
  readonly AllowedValues?: readonly unknown[];
  readonly AllowedPattern?: string;
  readonly ConstraintDescription?: string;
  readonly MinLength?: number | string;
  readonly MaxLength?: number | string;
  readonly MinValue?: number | string;
  readonly MaxValue?: number | string;
}

/** One entry of `Rules`. */
export interface RuleDeclaration {
  readonly RuleCondition?: unknown;
  readonly Assertions: readonly { readonly Assert: unknown; readonly AssertDescription?: string }[];
}

/** One entry of `Resources`, its functions not yet evaluated. */
export interface ResourceDeclaration {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly string[];
  readonly condition?: string | undefined;
  readonly metadata?: unknown;
  readonly deletionPolicy?: unknown;
  readonly updateReplacePolicy?: unknown;
}

/** One entry of `Outputs`, its functions not yet evaluated. */
export interface OutputDeclaration {
  readonly value: unknown;
  readonly description?: string | undefined;
  readonly exportName?: unknown;
  readonly condition?: string | undefined;
}

/** Top key, second key, value. */
export type Mapping = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A template whose structure is sound: what may be missing is empty, names refer to something. Plain data. */
export interface Template {
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly metadata?: unknown;
  readonly transforms: readonly string[];
  readonly parameters: Readonly<Record<string, ParameterDeclaration>>;
  readonly rules: Readonly<Record<string, RuleDeclaration>>;
  readonly mappings: Readonly<Record<string, Mapping>>;
  readonly conditions: Readonly<Record<string, unknown>>;
  readonly resources: Readonly<Record<string, ResourceDeclaration>>;
  readonly outputs: Readonly<Record<string, OutputDeclaration>>;
}

export const LANGUAGE_EXTENSIONS = "AWS::LanguageExtensions";
export const SERVERLESS_TRANSFORM = "AWS::Serverless-2016-10-31";

export const PSEUDO_PARAMETERS: readonly string[] = [
  "AWS::AccountId",
  "AWS::NoValue",
  "AWS::NotificationARNs",
  "AWS::Partition",
  "AWS::Region",
  "AWS::StackId",
  "AWS::StackName",
  "AWS::URLSuffix",
];

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True when the template's own text defines `name`; what every object inherits (`constructor`) does not count. */
export function has(section: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(section, name);
}

/** A function call: an object with the function's name as its only key. */
export interface FunctionCall {
  readonly name: string;
  readonly argument: unknown;
}

/** Reads `value` as a function call. `Condition` counts only where conditions are written: a policy statement may be named so. */
export function functionCallOf(value: unknown, where: "anywhere" | "conditions" = "anywhere"): FunctionCall | undefined {
  if (!isObject(value)) return undefined;
  let only: string | undefined;
  for (const key in value) {
    if (only !== undefined) return undefined;
    only = key;
  }
  if (only === undefined || !(only === "Ref" || only.startsWith("Fn::") || (only === "Condition" && where === "conditions"))) return undefined;
  return { name: only, argument: value[only] };
}

/** What a `${…}` of a `Fn::Sub` text says. */
export type SubPart = { readonly kind: "text"; readonly text: string } | { readonly kind: "name"; readonly name: string };

/** Takes the text of a `Fn::Sub` apart: `${!Literal}` is the text `${Literal}`, a bare `$` is itself, names are not trimmed. */
export function subParts(text: string): SubPart[] {
  const parts: SubPart[] = [];
  let textFrom = 0;
  for (const found of text.matchAll(/\$\{([^}]*)\}/g)) {
    const [placeholder, name = ""] = found;
    if (found.index > textFrom) parts.push({ kind: "text", text: text.slice(textFrom, found.index) });
    parts.push(name.startsWith("!") ? { kind: "text", text: `\${${name.slice(1)}}` } : { kind: "name", name });
    textFrom = found.index + placeholder.length;
  }
  if (textFrom < text.length) parts.push({ kind: "text", text: text.slice(textFrom) });
  return parts;
}

/** Both forms of `Fn::Sub`: the text, and the values that go with it. */
export function subArguments(argument: unknown): { text: string; values: Readonly<Record<string, unknown>> } | undefined {
  if (typeof argument === "string") return { text: argument, values: {} };
  if (!Array.isArray(argument) || argument.length !== 2) return undefined;
  const [text, values] = argument as unknown[];
  return typeof text === "string" && isObject(values) && Object.keys(values).length > 0 ? { text, values } : undefined;
}

/** The spellings of `Fn::GetAtt`: `[A, B]` and `"A.B"`; more list items are parts of a dotted attribute. */
export function getAttArguments(argument: unknown): { logicalId: string; attribute: unknown } | undefined {
  if (typeof argument === "string") {
    const dot = argument.indexOf(".");
    return dot > 0 && dot < argument.length - 1 ? { logicalId: argument.slice(0, dot), attribute: argument.slice(dot + 1) } : undefined;
  }
  if (!Array.isArray(argument) || argument.length < 2) return undefined;
  const [logicalId, ...attribute] = argument as unknown[];
  if (typeof logicalId !== "string" || logicalId === "") return undefined;
  if (attribute.length > 1) return attribute.every((part) => typeof part === "string") ? { logicalId, attribute: attribute.join(".") } : undefined;
  return attribute[0] === "" || (typeof attribute[0] !== "string" && !isObject(attribute[0])) ? undefined : { logicalId, attribute: attribute[0] };
}
