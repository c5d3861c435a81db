import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import type { ParameterValues } from "sandstack/cloudformation";
import { deploy, makeWorld, rejection } from "./setup.js";

/** A template with one parameter, P, whose value goes into an output. */
function templateOf(declaration: object, value: unknown = { Ref: "P" }): object {
  return { Parameters: { P: declaration }, Resources: { Q: { Type: "AWS::SQS::Queue" } }, Outputs: { O: { Value: value } } };
}

test.each<{ name: string; declaration: object; parameters?: ParameterValues; value?: unknown; expected: string }>([
  { name: "a value given", declaration: { Type: "String", Default: "a" }, parameters: { P: "b" }, expected: "b" },
  { name: "a value in the SDK's list", declaration: { Type: "String" }, parameters: [{ ParameterKey: "P", ParameterValue: "b" }], expected: "b" },
  { name: "the default", declaration: { Type: "String", Default: "a" }, expected: "a" },
  { name: "a default of no characters", declaration: { Type: "String", Default: "" }, expected: "" },
  { name: "a number's default", declaration: { Type: "Number", Default: 7 }, expected: "7" },
  { name: "a number and a boolean given", declaration: { Type: "Number" }, parameters: { P: 8.5 }, expected: "8.5" },
  { name: "a list, its blanks trimmed", declaration: { Type: "CommaDelimitedList", Default: "a , b,c" }, value: { "Fn::Join": ["|", { Ref: "P" }] }, expected: "a|b|c" },
  { name: "a list given as one", declaration: { Type: "List<Number>" }, parameters: { P: ["1", "2"] }, value: { "Fn::Select": ["1", { Ref: "P" }] }, expected: "2" },
  { name: "an empty list", declaration: { Type: "CommaDelimitedList", Default: "" }, value: { "Fn::Join": ["|", { Ref: "P" }] }, expected: "" },
  { name: "a type of AWS's", declaration: { Type: "List<AWS::EC2::Subnet::Id>", Default: "s-1,s-2" }, value: { "Fn::Select": [0, { Ref: "P" }] }, expected: "s-1" },
  { name: "the version of the bootstrap stack", declaration: { Type: "AWS::SSM::Parameter::Value<String>", Default: "/cdk-bootstrap/hnb659fds/version" }, expected: "32" },
  { name: "the version under another qualifier", declaration: { Type: "AWS::SSM::Parameter::Value<String>" }, parameters: { P: "/cdk-bootstrap/mine/version" }, expected: "32" },
  { name: "the name of a parameter of the store", declaration: { Type: "AWS::SSM::Parameter::Name", Default: "/x" }, expected: "/x" },
  { name: "the least length", declaration: { Type: "String", Default: "ab", MinLength: 2 }, expected: "ab" },
  { name: "the most length", declaration: { Type: "String", Default: "ab", MaxLength: "2" }, expected: "ab" },
  { name: "the least number", declaration: { Type: "Number", Default: 2, MinValue: 2, MaxValue: 2 }, expected: "2" },
  { name: "an allowed value of another kind", declaration: { Type: "String", Default: "true", AllowedValues: [true, false] }, expected: "true" },
  { name: "a pattern that fits the whole", declaration: { Type: "String", Default: "ab12", AllowedPattern: "[a-z]+[0-9]+" }, expected: "ab12" },
])("accepted: $name", async ({ declaration, parameters, value, expected }) => {
  const stack = await deploy(makeWorld(), templateOf(declaration, value), { parameters });
  expect(stack.output("O")).toBe(expected);
});

test.each<{ name: string; declaration: object; parameters?: ParameterValues; message: string }>([
  { name: "no value", declaration: { Type: "String" }, message: "Parameters: [P] must have values" },
  { name: "no value of the store", declaration: { Type: "AWS::SSM::Parameter::Value<String>" }, message: "Parameter P should either have input value or default value" },
  { name: "unknown parameters", declaration: { Type: "String", Default: "" }, parameters: { X: "1", Y: "2" }, message: "Parameters: [X, Y] do not exist in the template" },
  { name: "a value that is not allowed", declaration: { Type: "String", AllowedValues: ["a", "b"] }, parameters: { P: "c" }, message: "Parameter 'P' must be one of AllowedValues" },
  { name: "a list with a value that is not allowed", declaration: { Type: "CommaDelimitedList", AllowedValues: ["a", "b"] }, parameters: { P: "a,c" }, message: "Parameter 'P' must be one of AllowedValues" },
  { name: "no number", declaration: { Type: "Number" }, parameters: { P: "x" }, message: "Parameter 'P' must be a number." },
  { name: "a pattern that fits a part", declaration: { Type: "String", AllowedPattern: "[a-z]+" }, parameters: { P: "ab1" }, message: "Parameter 'P' failed to satisfy constraint: must match pattern [a-z]+" },
  { name: "a constraint with a description", declaration: { Type: "String", AllowedPattern: "[a-z]+", ConstraintDescription: "letters only" }, parameters: { P: "1" }, message: "Parameter 'P' failed to satisfy constraint: letters only" },
  { name: "one character too few", declaration: { Type: "String", MinLength: 2 }, parameters: { P: "a" }, message: "Parameter 'P' must contain at least 2 characters" },
  { name: "one character too many", declaration: { Type: "String", MaxLength: 2 }, parameters: { P: "abc" }, message: "Parameter 'P' must contain at most 2 characters" },
  { name: "a number too small", declaration: { Type: "Number", MinValue: 2 }, parameters: { P: "1.9" }, message: "Parameter 'P' must be a number not less than 2" },
  { name: "a number too great", declaration: { Type: "Number", MaxValue: 2 }, parameters: { P: "2.1" }, message: "Parameter 'P' must be a number not greater than 2" },
  { name: "a name that the store lacks", declaration: { Type: "AWS::SSM::Parameter::Value<String>", Default: "/app/url" }, message: "Unable to fetch parameters [/app/url] from parameter store for this account." },
  { name: "a type that there is not", declaration: { Type: "Text", Default: "" }, message: "Template format error: Unrecognized parameter type: Text" },
  { name: "a type that there is not, without a value", declaration: { Type: "Strin" }, message: "Template format error: Unrecognized parameter type: Strin" },
  { name: "a list of what cannot be listed", declaration: { Type: "List<Strin>" }, message: "Template format error: Unrecognized parameter type: List<Strin>" },
])("refused: $name", async ({ declaration, parameters, message }) => {
  const simAws = makeWorld();
  const error = await rejection(simAws.cloudFormation().deployTemplate({ stackName: "shop", template: templateOf(declaration), parameters }));
  expect(error).toMatchObject({ name: "ValidationError", message });
  expect((await simAws.cloudFormation().listStacks({ input: {} })).StackSummaries).toEqual([]);
});

test("what is not to be echoed shows as asterisks, though outputs show it; the store's values show with their names", async () => {
  const simAws = makeWorld();
  const declarations = { P: { Type: "String", NoEcho: true }, V: { Type: "AWS::SSM::Parameter::Value<String>", Default: "/cdk-bootstrap/hnb659fds/version" } };
  const stack = await deploy(simAws, { ...templateOf({}), Parameters: declarations }, { parameters: { P: "secret" } });

  const { Stacks } = await simAws.cloudFormation().describeStacks(new DescribeStacksCommand({ StackName: "shop" }));
  expect(Stacks?.[0]?.Parameters).toEqual([
    { ParameterKey: "P", ParameterValue: "****" },
    { ParameterKey: "V", ParameterValue: "/cdk-bootstrap/hnb659fds/version", ResolvedValue: "32" },
  ]);
  expect(stack.output("O")).toBe("secret");
});

test("rules come before everything else", async () => {
  const simAws = makeWorld();
  const rule = (assert: object, condition?: object): object => ({
    ...templateOf({ Type: "String", Default: "dev" }),
    Rules: { Stage: { ...(condition && { RuleCondition: condition }), Assertions: [{ Assert: assert, AssertDescription: "the stage is one of ours" }] } },
  });
  const isOurs = { "Fn::Contains": [["dev", "prod"], { Ref: "P" }] };
  await deploy(simAws, rule(isOurs));

  const error = await rejection(simAws.cloudFormation().deployTemplate({ stackName: "other", template: rule({ "Fn::Not": [isOurs] }) }));
  expect(error).toMatchObject({ name: "ValidationError", message: expect.stringContaining("the stage is one of ours") });
  // A rule whose condition does not hold asks nothing.
  await deploy(simAws, rule({ "Fn::Not": [isOurs] }, { "Fn::Equals": [{ Ref: "P" }, "prod"] }), { stackName: "third" });
});
