import { functionCallOf } from "./template.js";

/** What a function wants as its argument, and AWS's sentence when it gets something else. */
export interface FunctionShape {
  readonly message: string;
  isSound(argument: unknown, options: { readonly hasExtensions: boolean }): boolean;
  /** True for functions that come with the transform AWS::LanguageExtensions. */
  readonly needsExtensions?: true;
}

export const SUB_SHAPE =
  "One or more Fn::Sub intrinsic functions don't specify expected arguments. Specify a string as first argument, and an optional second argument to specify a mapping of values to replace in the string";

const SELECT_MESSAGE = "Fn::Select requires a list argument with two elements: an integer index and a list";

/** The functions whose arguments are checked by their shape alone; `Ref`, `GetAtt`, `Sub` and `If` look at names as well. */
export const SHAPES: Readonly<Record<string, FunctionShape>> = {
  "Fn::Base64": { message: "every Fn::Base64 object must have a String-typed value.", isSound: isText },
  "Fn::GetAZs": { message: "every Fn::GetAZs object must have a String-typed value.", isSound: isText },
  "Fn::ImportValue": { message: "the attribute in Fn::ImportValue must be a string or a function that returns a string", isSound: isText },
  "Fn::Join": {
    message:
      "every Fn::Join object requires two parameters, (1) a string delimiter and (2) a list of strings to be joined or a function that returns a list of strings (such as Fn::GetAZs) to be joined.",
    isSound: (argument, { hasExtensions }) => isList(argument, 2) && (typeof argument[0] === "string" || (hasExtensions && isCall(argument[0]))) && isListOrCall(argument[1]),
  },
  "Fn::Split": {
    message: "every Fn::Split object requires two parameters, (1) a string delimiter and (2) a string to be split or a function that returns a string to be split.",
    isSound: (argument) => isList(argument, 2) && typeof argument[0] === "string" && argument[0] !== "" && isText(argument[1]),
  },
  "Fn::Select": {
    message: SELECT_MESSAGE,
    isSound: (argument) => isList(argument, 2) && (isCall(argument[0]) || isIndex(argument[0])) && isListOrCall(argument[1]),
  },
  "Fn::FindInMap": {
    message: "every Fn::FindInMap object requires three parameters, the map name, map key and the attribute for return value",
    isSound: (argument, { hasExtensions }) => Array.isArray(argument) && (argument.length === 3 || (hasExtensions && argument.length === 4)) && argument.slice(0, 3).every(isText),
  },
  "Fn::Cidr": {
    message: "every Fn::Cidr object requires two or three parameters: an IP block, the number of blocks from 1 to 256, and the number of bits of each",
    isSound: (argument) => Array.isArray(argument) && (argument.length === 2 || argument.length === 3) && argument.every(isText),
  },
  "Fn::Equals": { message: "every Fn::Equals object requires a list of 2 string parameters.", isSound: (argument) => isList(argument, 2) },
  "Fn::And": { message: "every Fn::And object requires a list of at least 2 and at most 10 boolean parameters.", isSound: isListOfTwoToTen },
  "Fn::Or": { message: "every Fn::Or object requires a list of at least 2 and at most 10 boolean parameters.", isSound: isListOfTwoToTen },
  "Fn::Not": { message: "every Fn::Not object requires one boolean parameter.", isSound: (argument) => isList(argument, 1) },
  "Fn::Contains": { message: "every Fn::Contains object requires a list of strings and a string.", isSound: (argument) => isList(argument, 2) && isListOrCall(argument[0]) },
  "Fn::EachMemberEquals": { message: "every Fn::EachMemberEquals object requires a list of strings and a string.", isSound: (argument) => isList(argument, 2) && isListOrCall(argument[0]) },
  "Fn::EachMemberIn": { message: "every Fn::EachMemberIn object requires two lists of strings.", isSound: (argument) => isList(argument, 2) && argument.every(isListOrCall) },
  "Fn::RefAll": { message: "every Fn::RefAll object must have a String-typed value.", isSound: (argument) => typeof argument === "string" },
  "Fn::ValueOf": { message: "every Fn::ValueOf object requires a parameter's name and an attribute.", isSound: (argument) => isList(argument, 2) },
  "Fn::ValueOfAll": { message: "every Fn::ValueOfAll object requires a parameter type and an attribute.", isSound: (argument) => isList(argument, 2) },
  "Fn::Length": { message: "Fn::Length requires a list or a function that returns a list.", isSound: isListOrCall, needsExtensions: true },
  "Fn::ToJsonString": { message: "Fn::ToJsonString requires an object or a list.", isSound: (argument) => typeof argument === "object", needsExtensions: true },
};

function isCall(value: unknown): boolean {
  return functionCallOf(value, "conditions") !== undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" || isCall(value);
}

function isListOrCall(value: unknown): boolean {
  return Array.isArray(value) || isCall(value);
}

function isList(value: unknown, length: number): value is unknown[] {
  return Array.isArray(value) && value.length === length;
}

function isListOfTwoToTen(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && value.length <= 10;
}

function isIndex(value: unknown): boolean {
  return (typeof value === "number" || typeof value === "string") && /^\d+$/.test(String(value));
}
