import { availabilityZonesOf } from "../src/intrinsics/availability-zones.js";
import { evaluateCondition, evaluateConditions } from "../src/intrinsics/conditions.js";
import { evaluate, NO_VALUE, type EvaluationScope } from "../src/intrinsics/evaluate.js";
import { pendingAsShown, pendingValue } from "../src/intrinsics/pending.js";

const scope: EvaluationScope = {
  values: { Name: "orders", Count: "5", Zones: ["a", "b"], None: [], "AWS::Region": "eu-west-1", "AWS::AccountId": "123456789012" },
  mappings: { Sizes: { small: { Seconds: 10, Names: ["x", "y"] }, "eu-west-1": { Seconds: 20 } } },
  condition: (name) => name === "Yes",
  reference: (logicalId) => `ref-${logicalId}`,
  attribute: (logicalId, attribute) => `${logicalId}#${attribute}`,
  importValue: (name) => `imported-${name}`,
  availabilityZones: availabilityZonesOf,
  valuesOfType: (type) => (type === "AWS::EC2::VPC::Id" ? ["vpc-1", "vpc-2"] : []),
};

const noValue = { Ref: "AWS::NoValue" };

test.each<{ name: string; value: unknown; expected: unknown }>([
  { name: "plain values stay", value: { a: 1, b: [true, "x"] }, expected: { a: 1, b: [true, "x"] } },
  { name: "Ref of a parameter", value: { Ref: "Name" }, expected: "orders" },
  { name: "Ref of a list parameter", value: { Ref: "Zones" }, expected: ["a", "b"] },
  { name: "Ref of a resource", value: { Ref: "Queue" }, expected: "ref-Queue" },
  { name: "Ref of a name that every object has", value: { Ref: "constructor" }, expected: "ref-constructor" },
  { name: "Ref of a pseudo parameter", value: { Ref: "AWS::Region" }, expected: "eu-west-1" },
  { name: "an object with a second key is no function", value: { Ref: "Name", x: 1 }, expected: { Ref: "Name", x: 1 } },
  { name: "AWS::NoValue takes members and items out", value: { a: noValue, b: [1, noValue, 2] }, expected: { b: [1, 2] } },
  { name: "GetAtt as a list", value: { "Fn::GetAtt": ["Queue", "Arn"] }, expected: "Queue#Arn" },
  { name: "GetAtt as a text, split at the first dot", value: { "Fn::GetAtt": "Child.Outputs.Url" }, expected: "Child#Outputs.Url" },
  { name: "GetAtt as a list of three", value: { "Fn::GetAtt": ["Child", "Outputs", "Url"] }, expected: "Child#Outputs.Url" },
  { name: "GetAtt of an attribute with slashes", value: { "Fn::GetAtt": ["Reader", "/cdk/exports/x"] }, expected: "Reader#/cdk/exports/x" },
  { name: "Sub of a text", value: { "Fn::Sub": "${Name}-${Queue}-${Queue.Arn}-${AWS::Region}" }, expected: "orders-ref-Queue-Queue#Arn-eu-west-1" },
  { name: "Sub of a literal", value: { "Fn::Sub": "${!Name}$x $ ${Name}" }, expected: "${Name}$x $ orders" },
  { name: "Sub with values of its own, which win", value: { "Fn::Sub": ["${Name}-${x}-${!x}", { Name: "mine", x: { Ref: "Count" } }] }, expected: "mine-5-${x}" },
  { name: "Sub makes texts of numbers and booleans", value: { "Fn::Sub": ["${n}${b}", { n: 1, b: true }] }, expected: "1true" },
  { name: "Join", value: { "Fn::Join": ["-", ["a", { Ref: "Name" }, 1]] }, expected: "a-orders-1" },
  { name: "Join drops AWS::NoValue", value: { "Fn::Join": ["-", [noValue, "x"]] }, expected: "x" },
  { name: "Join of nothing but AWS::NoValue", value: { "Fn::Join": ["-", [noValue]] }, expected: "" },
  { name: "Join of a list that a function gives", value: { "Fn::Join": ["+", { "Fn::Split": [",", "a,,b"] }] }, expected: "a++b" },
  { name: "Split keeps empty items", value: { "Fn::Split": ["|", "a||b"] }, expected: ["a", "", "b"] },
  { name: "Select by number", value: { "Fn::Select": [1, ["a", "b"]] }, expected: "b" },
  { name: "Select by the text of a number", value: { "Fn::Select": ["0", { Ref: "Zones" }] }, expected: "a" },
  { name: "Select by a function", value: { "Fn::Select": [{ "Fn::FindInMap": ["Index", "a", "b"] }, ["x"]] }, expected: "x" },
  { name: "If takes the branch of a true condition", value: { "Fn::If": ["Yes", "a", { "Fn::Select": [9, []] }] }, expected: "a" },
  { name: "If takes the branch of a false condition", value: { "Fn::If": ["No", { "Fn::Select": [9, []] }, noValue] }, expected: NO_VALUE },
  { name: "FindInMap", value: { "Fn::FindInMap": ["Sizes", "small", "Seconds"] }, expected: 10 },
  { name: "FindInMap of a list", value: { "Fn::FindInMap": ["Sizes", "small", "Names"] }, expected: ["x", "y"] },
  { name: "FindInMap with functions as keys", value: { "Fn::FindInMap": ["Sizes", { Ref: "AWS::Region" }, "Seconds"] }, expected: 20 },
  { name: "FindInMap with a default", value: { "Fn::FindInMap": ["Sizes", "large", "Seconds", { DefaultValue: { Ref: "Count" } }] }, expected: "5" },
  { name: "ImportValue", value: { "Fn::ImportValue": { "Fn::Sub": "${Name}-arn" } }, expected: "imported-orders-arn" },
  { name: "Base64", value: { "Fn::Base64": "äb" }, expected: "w6Ri" },
  { name: "GetAZs of the region", value: { "Fn::GetAZs": "" }, expected: ["eu-west-1a", "eu-west-1b", "eu-west-1c"] },
  { name: "GetAZs of another region", value: { "Fn::Select": [5, { "Fn::GetAZs": "us-east-1" }] }, expected: "us-east-1f" },
  { name: "Cidr", value: { "Fn::Cidr": ["10.0.0.0/16", 4, 8] }, expected: ["10.0.0.0/24", "10.0.1.0/24", "10.0.2.0/24", "10.0.3.0/24"] },
  { name: "Cidr of texts", value: { "Fn::Cidr": ["192.168.1.77/24", "2", "5"] }, expected: ["192.168.1.0/27", "192.168.1.32/27"] },
  { name: "Cidr of IPv6", value: { "Fn::Cidr": ["2001:db8::/56", 2, 64] }, expected: ["2001:db8::/64", "2001:db8:0:1::/64"] },
  { name: "Cidr of IPv6, whose longest run of zeros is shortened", value: { "Fn::Cidr": ["::/0", 1, 16] }, expected: ["::/112"] },
  { name: "Length", value: { "Fn::Length": { Ref: "Zones" } }, expected: 2 },
  { name: "ToJsonString", value: { "Fn::ToJsonString": { a: { Ref: "Name" }, b: noValue } }, expected: '{"a":"orders"}' },
])("$name", ({ value, expected }) => {
  const mappings = { ...scope.mappings, Index: { a: { b: "0" } } };
  const before = structuredClone(value);
  expect(evaluate(value, { ...scope, mappings })).toEqual(expected);
  expect(value).toEqual(before);
});

test.each<{ name: string; value: unknown; message: string }>([
  { name: "Select out of range", value: { "Fn::Select": [2, ["a", "b"]] }, message: "Template error: Fn::Select cannot select nonexistent value at index 2" },
  { name: "Select below zero", value: { "Fn::Select": ["-1", ["a"]] }, message: "Template error: Fn::Select requires a list argument with two elements: an integer index and a list" },
  { name: "a key that a mapping lacks", value: { "Fn::FindInMap": ["Sizes", "large", "Seconds"] }, message: "Template error: Unable to get mapping for Sizes::large::Seconds" },
  { name: "a list in Sub", value: { "Fn::Sub": "${Zones}" }, message: "Template error: variable Zones in Fn::Sub expression does not resolve to a string" },
  { name: "an object in Join", value: { "Fn::Join": ["", [{ a: 1 }]] }, message: "Template error: every Fn::Join object requires two parameters, (1) a string delimiter and (2) a list of strings to be joined or a function that returns a list of strings (such as Fn::GetAZs) to be joined." },
  { name: "Split of a list", value: { "Fn::Split": [",", { Ref: "Zones" }] }, message: "Template error: every Fn::Split object requires two parameters, (1) a string delimiter and (2) a string to be split or a function that returns a string to be split." },
  { name: "Length of a text", value: { "Fn::Length": { Ref: "Name" } }, message: "Template error: Fn::Length requires a list or a function that returns a list." },
  { name: "Cidr of what is none", value: { "Fn::Cidr": ["10.0.0/16", 1, 8] }, message: "Template error: Fn::Cidr: 10.0.0/16 is not a valid CIDR block" },
  { name: "Cidr with too many blocks", value: { "Fn::Cidr": ["10.0.0.0/24", 3, 7] }, message: "Template error: Fn::Cidr: 3 blocks of 7 bits do not fit into 10.0.0.0/24" },
  { name: "Cidr with a count of 257", value: { "Fn::Cidr": ["10.0.0.0/8", 257, 8] }, message: "Template error: Fn::Cidr: the count must be from 1 to 256" },
])("refused: $name", ({ value, message }) => {
  expect(() => evaluate(value, scope)).toThrow(expect.objectContaining({ name: "ValidationError", message }));
});

test.each<{ name: string; value: unknown; expected: boolean }>([
  { name: "Equals", value: { "Fn::Equals": ["a", "a"] }, expected: true },
  { name: "Equals looks at case", value: { "Fn::Equals": ["a", "A"] }, expected: false },
  { name: "Equals compares as text", value: { "Fn::Equals": [true, "true"] }, expected: true },
  { name: "Equals of a number and a parameter", value: { "Fn::Equals": [5, { Ref: "Count" }] }, expected: true },
  { name: "Equals of functions", value: { "Fn::Equals": [{ "Fn::Sub": "${Name}-x" }, { "Fn::Join": ["-", ["orders", "x"]] }] }, expected: true },
  { name: "Not", value: { "Fn::Not": [{ "Fn::Equals": ["a", "b"] }] }, expected: true },
  { name: "And", value: { "Fn::And": [{ Condition: "Yes" }, { Condition: "No" }] }, expected: false },
  { name: "Or", value: { "Fn::Or": [{ Condition: "No" }, { Condition: "Yes" }] }, expected: true },
  { name: "Contains", value: { "Fn::Contains": [["1", "5"], { Ref: "Count" }] }, expected: true },
  { name: "EachMemberEquals", value: { "Fn::EachMemberEquals": [{ Ref: "Zones" }, "a"] }, expected: false },
  { name: "EachMemberIn", value: { "Fn::EachMemberIn": [{ Ref: "Zones" }, ["a", "b", "c"]] }, expected: true },
  { name: "RefAll", value: { "Fn::Contains": [{ "Fn::RefAll": "AWS::EC2::VPC::Id" }, "vpc-2"] }, expected: true },
])("condition: $name", ({ value, expected }) => {
  expect(evaluateCondition(value, scope)).toBe(expected);
});

test("conditions are evaluated in whatever order they need each other, and not in circles", () => {
  expect(evaluateConditions({ A: { "Fn::Not": [{ Condition: "B" }] }, B: { "Fn::Equals": ["x", "y"] } }, scope)).toEqual({ A: true, B: false });
  expect(() => evaluateConditions({ A: { Condition: "B" }, B: { Condition: "A" } }, scope)).toThrow("Template format error: Circular dependencies between conditions: [A, B]");
});

test("what a resource will give goes through functions, and is shown as not known yet", () => {
  const pending: EvaluationScope = { ...scope, reference: pendingValue, attribute: pendingValue };
  const arn = { "Fn::GetAtt": ["Queue", "Arn"] };
  expect(pendingAsShown(String(evaluate({ "Fn::Join": ["", ["x-", arn]] }, pending)))).toBe("x-{{changeSet:KNOWN_AFTER_APPLY}}");
  expect(pendingAsShown(String(evaluate({ "Fn::Select": [5, { "Fn::Split": [":", arn] }] }, pending)))).toBe("{{changeSet:KNOWN_AFTER_APPLY}}");
});
