import { templateFormatError, validationError } from "../errors.js";
import { has, type ParameterDeclaration } from "./template.js";

/** A parameter's value in a deployment. Plain data. */
export interface ParameterValue {
  readonly name: string;
  readonly type: string;
  /** As given, or the default; for a parameter of the store, its name there. */
  readonly text: string;
  /** What the parameter store answered, for types that ask it. */
  readonly resolved?: string | undefined;
  readonly isNoEcho: boolean;
}

/** A parameter as a request gives it. */
export interface GivenParameter {
  readonly key: string;
  readonly value?: string | undefined;
  readonly usePreviousValue?: boolean | undefined;
}

/** Answers a name of the parameter store, or `undefined` when there is none. */
export type ParameterStore = (name: string) => string | undefined;

/** What stands in the parameter store of every account: the version of the CDK's bootstrap stack, so that apps need no bootstrapping. */
export const bootstrapParameters: ParameterStore = (name) => (/^\/cdk-bootstrap\/[^/]+\/version$/.test(name) ? BOOTSTRAP_VERSION : undefined);

/** The newest version of the CDK's bootstrap template. */
const BOOTSTRAP_VERSION = "32";

const STORE_TYPE = /^AWS::SSM::Parameter::Value<(.+)>$/;

/**
 * The values of a template's parameters: given ones, previous ones where the request says so, defaults.
 *
 * @param previous the values of the stack that is updated
 * @throws ValidationError for values that are missing, unknown, or break a constraint
 */
export function resolveParameters(
  declarations: Readonly<Record<string, ParameterDeclaration>>,
  given: readonly GivenParameter[],
  previous: readonly ParameterValue[],
  store: ParameterStore,
): ParameterValue[] {
  const texts = givenTexts(declarations, given, previous);
  const names = Object.keys(declarations);
  const isMissing = (name: string): boolean => !texts.has(name) && declarations[name]?.Default === undefined;
  const missing = names.filter(isMissing);
  const missingFromStore = missing.find((name) => STORE_TYPE.test(declarations[name]?.Type ?? ""));
  if (missingFromStore !== undefined) throw validationError(`Parameter ${missingFromStore} should either have input value or default value`);
  if (missing.length > 0) throw validationError(`Parameters: [${missing.join(", ")}] must have values`);
  const values = names.map((name): ParameterValue => {
    const declaration = declarations[name]!; // its own key
    const text = texts.get(name) ?? String(declaration.Default);
    checkConstraints(name, declaration, text);
    return { name, type: declaration.Type, text, isNoEcho: String(declaration.NoEcho) === "true" };
  });
  return askStore(values, store);
}

function givenTexts(declarations: Readonly<Record<string, ParameterDeclaration>>, given: readonly GivenParameter[], previous: readonly ParameterValue[]): Map<string, string> {
  const unknown = given.filter(({ key }) => !has(declarations, key)).map(({ key }) => key);
  const texts = new Map<string, string>();
  for (const { key, value, usePreviousValue } of given) {
    if (usePreviousValue === true) {
      if (value !== undefined && value !== "") throw validationError(`Invalid input for parameter key ${key}. Cannot specify usePreviousValue as true and non empty value for a parameter`);
      const before = previous.find(({ name }) => name === key);
      if (before === undefined) throw validationError(`Invalid input for parameter key ${key}. Cannot specify usePreviousValue as true for a parameter key not in the previous template`);
      texts.set(key, before.text);
    } else if (value !== undefined) texts.set(key, value);
  }
  if (unknown.length > 0) throw validationError(`Parameters: [${unknown.join(", ")}] do not exist in the template`);
  return texts;
}

function askStore(values: readonly ParameterValue[], store: ParameterStore): ParameterValue[] {
  const resolved = values.map((value) => (STORE_TYPE.test(value.type) ? { ...value, resolved: store(value.text) } : value));
  const absent = resolved.filter((value) => STORE_TYPE.test(value.type) && value.resolved === undefined).map(({ text }) => text);
  if (absent.length > 0) throw validationError(`Unable to fetch parameters [${absent.join(",")}] from parameter store for this account.`);
  return resolved;
}

/** What `Ref` gives: a text, or a list for the list types. */
export function valueOfParameter({ type, text, resolved }: ParameterValue): string | string[] {
  const value = resolved ?? text;
  const innerType = STORE_TYPE.exec(type)?.[1] ?? type;
  if (innerType !== "CommaDelimitedList" && !innerType.startsWith("List<")) return value;
  return value === "" ? [] : value.split(",").map((item) => item.trim());
}

const SIMPLE_TYPES = ["String", "Number", "List<Number>", "CommaDelimitedList", "AWS::SSM::Parameter::Name"];

/** @throws ValidationError when there is no such type of parameter */
export function checkParameterType(type: string): void {
  const innerType = STORE_TYPE.exec(type)?.[1] ?? type;
  const isAwsType = /^(List<)?AWS::[A-Za-z0-9]+::[A-Za-z0-9]+(::[A-Za-z0-9]+)?>?$/.test(innerType);
  if (SIMPLE_TYPES.includes(innerType) || isAwsType || (innerType === "List<String>" && innerType !== type)) return;
  throw templateFormatError(`Unrecognized parameter type: ${type}`);
}

function checkConstraints(name: string, declaration: ParameterDeclaration, text: string): void {
  const { Type, AllowedValues, AllowedPattern, ConstraintDescription, MinLength, MaxLength, MinValue, MaxValue } = declaration;
  const isList = Type === "CommaDelimitedList" || Type.startsWith("List<");
  const items = isList ? (text === "" ? [] : text.split(",").map((item) => item.trim())) : [text];
  const refuse = (what: string): never => {
    throw validationError(ConstraintDescription === undefined ? `Parameter '${name}' ${what}` : `Parameter '${name}' failed to satisfy constraint: ${ConstraintDescription}`);
  };
  if (Type === "Number" || Type === "List<Number>") {
    if (!items.every((item) => item !== "" && Number.isFinite(Number(item)))) throw validationError(`Parameter '${name}' must be a number.`);
    if (MinValue !== undefined && items.some((item) => Number(item) < Number(MinValue))) refuse(`must be a number not less than ${MinValue}`);
    if (MaxValue !== undefined && items.some((item) => Number(item) > Number(MaxValue))) refuse(`must be a number not greater than ${MaxValue}`);
  }
  if (AllowedValues !== undefined && !items.every((item) => AllowedValues.some((allowed) => String(allowed) === item))) refuse("must be one of AllowedValues");
  if (Type !== "String") return;
  if (MinLength !== undefined && text.length < Number(MinLength)) refuse(`must contain at least ${MinLength} characters`);
  if (MaxLength !== undefined && text.length > Number(MaxLength)) refuse(`must contain at most ${MaxLength} characters`);
  if (AllowedPattern !== undefined && !patternOf(name, AllowedPattern).test(text)) refuse(`failed to satisfy constraint: must match pattern ${AllowedPattern}`);
}

/** The pattern must fit the whole value (User Guide, Parameters). */
function patternOf(name: string, pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`);
  } catch {
    throw templateFormatError(`AllowedPattern of parameter ${name} is not a regular expression: ${pattern}`);
  }
}
