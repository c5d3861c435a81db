import { makeWorld, queueNames, rejection } from "./setup.js";

const queue = { Type: "AWS::SQS::Queue" };
const resources = (properties: object, others: object = {}): object => ({ Resources: { Q: { ...queue, Properties: properties }, ...others } });

interface Refusal {
  readonly name: string;
  readonly template: object | string;
  readonly message: string;
}

const structure: Refusal[] = [
  { name: "an empty template", template: {}, message: "Template format error: At least one Resources member must be defined." },
  { name: "no resources", template: { Resources: {} }, message: "Template format error: At least one Resources member must be defined." },
  { name: "an unknown section", template: { ...resources({}), Resource: {} }, message: "Invalid template property or properties [Resource]" },
  { name: "another version", template: { AWSTemplateFormatVersion: "2012-10-17", ...resources({}) }, message: "Template format error: Value of AWSTemplateFormatVersion must be 2010-09-09" },
  { name: "a resource without type", template: { Resources: { A: { Properties: {} } } }, message: "Template format error: [/Resources/A] Every Resources object must contain a Type member." },
  { name: "a resource that is no object", template: { Resources: { A: "queue" } }, message: "Template format error: Any Resources member must be an object." },
  { name: "a member beside Type", template: { Resources: { A: { ...queue, Invalid: 10 } } }, message: "Invalid template resource property 'Invalid'" },
  { name: "a logical id with a dash", template: { Resources: { "A-B": queue } }, message: "Template format error: Resource name A-B is non alphanumeric." },
  { name: "a parameter's name with a colon", template: { Parameters: { "A::B": { Type: "String" } }, ...resources({}) }, message: "Template format error: Parameter name A::B is non alphanumeric." },
  { name: "an output without value", template: { ...resources({}), Outputs: { O: {} } }, message: "Template format error: Every Outputs member must contain a Value object" },
  { name: "a description of one byte too many", template: { Description: `${"d".repeat(1023)}é`, ...resources({}) }, message: "Template format error: 'Description' length is greater than 1024." },
  { name: "an output described by a function", template: { ...resources({}), Outputs: { O: { Value: "v", Description: { Ref: "AWS::Region" } } } }, message: "Template format error: Every Description member must be a string." },
  { name: "a list as a parameter's default", template: { Parameters: { P: { Type: "CommaDelimitedList", Default: ["a"] } }, ...resources({}) }, message: "Template format error: Every Default member must be a string." },
  { name: "null", template: { ...resources({}), Outputs: { O: { Value: null } } }, message: "[/Outputs/O/Value] 'null' values are not allowed in templates" },
  { name: "null in a list", template: resources({ Tags: ["a", null] }), message: "[/Resources/Q/Properties/Tags/1] 'null' values are not allowed in templates" },
  { name: "types that AWS has not", template: { Resources: { A: { Type: "AWS::Foo::Bar" }, B: queue, C: { Type: "Queue" } } }, message: "Template format error: Unrecognized resource types: [AWS::Foo::Bar, Queue]" },
  { name: "a mapping of one level", template: { Mappings: { A: { b: "c" } }, ...resources({}) }, message: "Template format error: Every Mappings member A must be a map" },
  { name: "a mapping of three levels", template: { Mappings: { A: { b: { c: { d: "e" } } } }, ...resources({}) }, message: "Template format error: Every Mappings attribute must be a String or a List." },
  { name: "a macro that there is not", template: { Transform: "Magic", ...resources({}) }, message: "No transform named Magic found." },
  { name: "a macro in a place of its own", template: resources({ "Fn::Transform": { Name: "Magic" } }), message: "No transform named Magic found." },
  { name: "a serverless function without the transform", template: { Resources: { F: { Type: "AWS::Serverless::Function" } } }, message: "Template format error: Unrecognized resource types: [AWS::Serverless::Function]" },
  { name: "a transform without name", template: { Transform: [{ Parameters: {} }], ...resources({}) }, message: "Key Name of transform definition must be a string." },
  { name: "a snapshot of a queue", template: { Resources: { Q: { ...queue, DeletionPolicy: "Snapshot" } } }, message: "Template error: resource type AWS::SQS::Queue does not support Snapshot" },
  { name: "a policy that there is not", template: { Resources: { Q: { ...queue, DeletionPolicy: "Keep" } } }, message: "Template format error: Unrecognized DeletionPolicy Keep for resource of type AWS::SQS::Queue" },
];

const names: Refusal[] = [
  { name: "Ref of unknown names", template: resources({ QueueName: { Ref: "X" }, Tags: [{ Key: "a", Value: { "Fn::Sub": "${Y}" } }] }), message: "Template format error: Unresolved resource dependencies [X, Y] in the Resources block of the template" },
  { name: "DependsOn of an unknown name", template: { Resources: { Q: { ...queue, DependsOn: "X" } } }, message: "Template format error: Unresolved resource dependencies [X] in the Resources block of the template" },
  { name: "Ref of an unknown name in an output", template: { ...resources({}), Outputs: { O: { Value: { Ref: "X" } } } }, message: "Template format error: Unresolved resource dependencies [X] in the Outputs block of the template" },
  { name: "a name that every object has", template: resources({ QueueName: { Ref: "toString" } }), message: "Template format error: Unresolved resource dependencies [toString] in the Resources block of the template" },
  { name: "GetAtt of an unknown resource", template: resources({ QueueName: { "Fn::GetAtt": ["X", "Arn"] } }), message: "Template error: instance of Fn::GetAtt references undefined resource X" },
  { name: "GetAtt without attribute", template: resources({ QueueName: { "Fn::GetAtt": ["Q"] } }), message: "Template error: every Fn::GetAtt object requires two non-empty parameters, the resource name and the resource attribute" },
  { name: "Sub of an unknown resource's attribute", template: resources({ QueueName: { "Fn::Sub": "${X.Arn}" } }), message: "Template error: instance of Fn::Sub references invalid resource attribute X.Arn" },
  { name: "Sub with an empty map", template: resources({ QueueName: { "Fn::Sub": ["a", {}] } }), message: "Template error: One or more Fn::Sub intrinsic functions don't specify expected arguments. Specify a string as first argument, and an optional second argument to specify a mapping of values to replace in the string" },
  { name: "If with an unknown condition", template: resources({ QueueName: { "Fn::If": ["X", "a", "b"] } }), message: "Template error: unresolved condition dependency X in Fn::If" },
  { name: "a resource with an unknown condition", template: { Resources: { Q: { ...queue, Condition: "X" } } }, message: "Template format error: Unresolved condition dependency X in the Resources block of the template" },
  { name: "a resource in a condition", template: { Conditions: { C: { "Fn::Equals": [{ Ref: "Q" }, "x"] } }, ...resources({}) }, message: "Template format error: Unresolved dependencies [Q]. Cannot reference resources in the Conditions block of the template" },
  { name: "Equals of three", template: { Conditions: { C: { "Fn::Equals": ["a", "b", "c"] } }, ...resources({}) }, message: "Template error: every Fn::Equals object requires a list of 2 string parameters." },
  { name: "a function that there is not", template: resources({ QueueName: { "Fn::Upper": "a" } }), message: "Template error: Encountered unsupported function: Fn::Upper Supported functions are: [Ref, Condition, " },
  { name: "a function of the language extensions without them", template: resources({ QueueName: { "Fn::ToJsonString": {} } }), message: "Template error: Encountered unsupported function: Fn::ToJsonString Supported functions are: [" },
  { name: "an unknown mapping", template: resources({ QueueName: { "Fn::FindInMap": ["M", "a", "b"] } }), message: "Template error: Mapping named 'M' is not present in the 'Mappings' section of template." },
  { name: "a key that a mapping lacks", template: { Mappings: { M: { a: { b: "c" } } }, ...resources({ QueueName: { "Fn::FindInMap": ["M", "a", "x"] } }) }, message: "Template error: Unable to get mapping for M::a::x" },
  { name: "a circle of two, with one that only depends on it", template: { Resources: { A: { ...queue, DependsOn: "B" }, B: { ...queue, DependsOn: ["A"] }, C: { ...queue, DependsOn: "A" }, D: queue } }, message: "Circular dependency between resources: [A, B]" },
  { name: "a circle through functions", template: { Resources: { A: { ...queue, Properties: { QueueName: { "Fn::Sub": "${B.QueueName}" } } }, B: { ...queue, Properties: { Tags: [{ Key: "k", Value: { Ref: "A" } }] } } } }, message: "Circular dependency between resources: [A, B]" },
  { name: "a resource that needs itself", template: resources({ QueueName: { Ref: "Q" } }), message: "Circular dependency between resources: [Q]" },
  { name: "an output of a resource that its condition leaves out", template: { Conditions: { Off: { "Fn::Equals": ["a", "b"] } }, Resources: { Q: { ...queue, Condition: "Off" }, P: queue }, Outputs: { O: { Value: { Ref: "Q" } } } }, message: "Unresolved resource dependencies [Q] in the Outputs block of the template" },
  ...[{ Ref: "Q" }, { "Fn::GetAtt": ["Q", "Arn"] }, { "Fn::Sub": "${Q}" }, { "Fn::Sub": "a-${Q.Arn}" }, { "Fn::Join": ["-", ["a", { Ref: "Q" }]] }, { "Fn::ImportValue": "a" }, { "Fn::Select": [0, { "Fn::GetAZs": "" }] }].map((name) => ({
    name: `an export named by ${JSON.stringify(name)}`,
    template: resources({}, { P: { ...queue, Properties: { QueueName: { "Fn::ImportValue": name } } } }),
    message: "Template error: the attribute in Fn::ImportValue must not depend on any resources, imported values, or Fn::GetAZs",
  })),
  { name: "an export that no stack has", template: resources({ QueueName: { "Fn::ImportValue": "shared" } }), message: "No export named shared found." },
];

const texts: Refusal[] = [
  { name: "YAML that breaks off", template: "Resources:\n  Q:\n   Type: AWS::SQS::Queue\n  Properties\n    x: [", message: "Template format error: YAML not well-formed. (line 4, column 3)" },
  { name: "JSON that breaks off", template: '{"this is invalid JSON"="bobbins"}', message: "Template format error: JSON not well-formed. (line 1, column 25)" },
  { name: "JSON that ends too early", template: '{\n  "Resources": {', message: "Template format error: JSON not well-formed. (line 2, column 17)" },
  { name: "prose", template: "hello", message: "Template format error: unsupported structure." },
  { name: "a list", template: "- a", message: "Template format error: unsupported structure." },
  { name: "nothing", template: "", message: "Template format error: unsupported structure." },
  { name: "a tag that there is not", template: "Resources:\n  Q: !Queue x", message: "Template format error: YAML not well-formed. (line 2, column 13)" },
  { name: "an alias", template: "Resources:\n  Q: &q\n    Type: AWS::SQS::Queue\n  P: *q", message: "Template error: YAML aliases are not allowed in CloudFormation templates" },
  { name: "an empty member", template: "Resources:\n  Q:\n    Type: AWS::SQS::Queue\n    Properties:\n", message: "[/Resources/Q/Properties] 'null' values are not allowed in templates" },
];

const nothing: object = {};
const serverless = (type: string, others: object = {}): object => ({ Transform: "AWS::Serverless-2016-10-31", Resources: { Q: queue, F: { Type: type, ...others } } });

test.each<{ name: string; template: object | string; message: RegExp }>([
  { name: "a serverless function", template: serverless("AWS::Serverless::Function"), message: /^The sandbox has not got the transform AWS::Serverless-2016-10-31\. .*; without it nothing would be made of F \(AWS::Serverless::Function\)\. Write functions as AWS::Lambda::Function .*--template-stage Processed/ },
  { name: "with what only the transform knows", template: { ...serverless("AWS::Serverless::Api", { Connectors: nothing }), Globals: nothing }, message: /F \(AWS::Serverless::Api\)/ },
  { name: "among other transforms, in YAML", template: "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]\nResources:\n  T:\n    Type: AWS::Serverless::SimpleTable\n", message: /T \(AWS::Serverless::SimpleTable\)/ },
  { name: "an include at the top", template: { Transform: { Name: "AWS::Include", Parameters: { Location: "s3://b/k" } }, ...resources({}) }, message: /^The sandbox has not got the transform AWS::Include\. / },
  { name: "an include in a place of its own", template: resources({ Tags: { "Fn::Transform": { Name: "AWS::Include", Parameters: { Location: "s3://b/k" } } } }), message: /the transform AWS::Include\./ },
  { name: "an include beside other members, in YAML", template: "Resources:\n  Fn::Transform:\n    Name: AWS::Include\n    Parameters: { Location: s3://b/k }\n  Q:\n    Type: AWS::SQS::Queue\n", message: /the transform AWS::Include\./ },
  { name: "another of AWS's", template: { Transform: "AWS::SecretsManager-2024-09-16", ...resources({}) }, message: /the transform AWS::SecretsManager-2024-09-16\./ },
])("a transform that the sandbox lacks is refused by name: $name", async ({ template, message }) => {
  const simAws = makeWorld();
  const body = typeof template === "string" ? template : JSON.stringify(template);
  for (const asked of [
    simAws.cloudFormation().deployTemplate({ stackName: "shop", template }),
    simAws.cloudFormation().createStack({ input: { StackName: "shop", TemplateBody: body, Capabilities: ["CAPABILITY_AUTO_EXPAND"] } }),
    simAws.cloudFormation().createChangeSet({ input: { StackName: "shop", ChangeSetName: "first", ChangeSetType: "CREATE", TemplateBody: body, Capabilities: ["CAPABILITY_AUTO_EXPAND"] } }),
  ]) {
    expect(await rejection(asked)).toMatchObject({ name: "SimUnsupported", message: expect.stringMatching(message) });
  }
  await simAws.backgroundTasksComplete();
  expect(await queueNames(simAws)).toEqual([]);
  expect(simAws.cloudFormation().findStack("shop")).toBeUndefined();
});

test("a template that names the serverless transform and has nothing for it is deployed", async () => {
  const simAws = makeWorld();
  const stack = await simAws.cloudFormation().deployTemplate({ stackName: "shop", template: { Transform: "AWS::Serverless-2016-10-31", Globals: { Function: { Timeout: 3 } }, ...resources({ QueueName: "orders" }) } });
  await stack.waitForDeployComplete();
  expect(await queueNames(simAws)).toEqual(["orders"]);
});

test.each([...structure, ...names, ...texts])("refused: $name", async ({ template, message }) => {
  const simAws = makeWorld();
  const error = await rejection(simAws.cloudFormation().deployTemplate({ stackName: "shop", template }));

  expect(error).toMatchObject({ name: "ValidationError", $fault: "client", $metadata: { httpStatusCode: 400 } });
  expect(error.message.slice(0, message.length)).toBe(message);
  await simAws.backgroundTasksComplete();
  expect(await queueNames(simAws)).toEqual([]);
  expect((await simAws.cloudFormation().listStacks({ input: {} })).StackSummaries).toEqual([]);
});
