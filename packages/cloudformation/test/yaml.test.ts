import { readTemplate } from "../src/template/read.js";

test("YAML is read as CloudFormation reads it", () => {
  const { body } = readTemplate(`
Version: 2012-10-17
Switches: [on, yes, No, true, False]
Numbers: [5, -1, 1.5, 0777, 012345678901, 1.10, 1e3, 0x1F, 12345678901234567890]
Quoted: ["5", 'true', "null"]
Block: |
  exports.handler = async () => {
    return 1;
  };
Ref: !Ref Queue
GetAtt: [!GetAtt Dlq.Arn, !GetAtt [Dlq, Arn], !GetAtt Child.Outputs.Url]
Sub: [!Sub "\${A}", !Sub ["\${x}", { x: !Ref A }]]
Nested: !Join ["", [!Ref A, !Select [0, !Split [",", "a,b"]]]]
If: !If [Prod, !Ref A, !Ref AWS::NoValue]
Conditions: !And [!Condition A, !Not [!Equals [a, b]]]
Others: [!FindInMap [M, a, b], !ImportValue x, !Base64 x, !Cidr [x, 1, 8], !GetAZs "", !ToJsonString { a: 1 }, !Length [a]]
LongInShort: !ImportValue
  Fn::Sub: "\${A}-x"
`);
  expect(body).toEqual({
    Version: "2012-10-17",
    Switches: ["on", "yes", "No", true, false],
    Numbers: [5, -1, 1.5, "0777", "012345678901", "1.10", "1e3", "0x1F", "12345678901234567890"],
    Quoted: ["5", "true", "null"],
    Block: "exports.handler = async () => {\n  return 1;\n};\n",
    Ref: { Ref: "Queue" },
    GetAtt: [{ "Fn::GetAtt": ["Dlq", "Arn"] }, { "Fn::GetAtt": ["Dlq", "Arn"] }, { "Fn::GetAtt": ["Child", "Outputs.Url"] }],
    Sub: [{ "Fn::Sub": "${A}" }, { "Fn::Sub": ["${x}", { x: { Ref: "A" } }] }],
    Nested: { "Fn::Join": ["", [{ Ref: "A" }, { "Fn::Select": [0, { "Fn::Split": [",", "a,b"] }] }]] },
    If: { "Fn::If": ["Prod", { Ref: "A" }, { Ref: "AWS::NoValue" }] },
    Conditions: { "Fn::And": [{ Condition: "A" }, { "Fn::Not": [{ "Fn::Equals": ["a", "b"] }] }] },
    Others: [{ "Fn::FindInMap": ["M", "a", "b"] }, { "Fn::ImportValue": "x" }, { "Fn::Base64": "x" }, { "Fn::Cidr": ["x", 1, 8] }, { "Fn::GetAZs": "" }, { "Fn::ToJsonString": { a: 1 } }, { "Fn::Length": ["a"] }],
    LongInShort: { "Fn::ImportValue": { "Fn::Sub": "${A}-x" } },
  });
});

test("an object is taken as JSON, its dates as the texts they were", () => {
  const template = { Resources: {}, When: new Date("2012-10-17"), Then: new Date("2024-01-01T10:00:00Z"), Left: undefined };
  expect(readTemplate(template).body).toEqual({ Resources: {}, When: "2012-10-17", Then: "2024-01-01T10:00:00.000Z" });
});
