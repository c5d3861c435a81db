import { generate, substitute, valueAt } from "../src/values.js";

const variables = new Map<string, unknown>([
  ["url", "https://sqs/1/q"],
  ["i", 3],
  ["credentials", { AccessKeyId: "AKIA" }],
]);

test.each([
  { name: "inside a text", value: "a-${i}-${url}", filled: "a-3-https://sqs/1/q" },
  { name: "alone, with its type", value: "${i}", filled: 3 },
  { name: "alone, an object", value: { credentials: "${credentials}" }, filled: { credentials: { AccessKeyId: "AKIA" } } },
  { name: "in lists and objects", value: [{ a: ["${i}"] }], filled: [{ a: [3] }] },
  { name: "in keys", value: { "k${i}": 1 }, filled: { k3: 1 } },
  { name: "no such variable", value: "${other}", filled: "${other}" },
  { name: "a policy's own", value: "${aws:username}-${*}-${$}", filled: "${aws:username}-${*}-${$}" },
  { name: "what is no text", value: [1, null, true], filled: [1, null, true] },
])("variables are filled in: $name", ({ value, filled }) => {
  expect(substitute(value, variables)).toEqual(filled);
});

test("a value filled in is not filled in again", () => {
  expect(substitute("${a}", new Map([["a", "${b}"], ["b", "no"]]))).toBe("${b}");
});

test.each([
  { name: "$json", value: { $json: { a: { $repeat: ["x", 2] } } }, generated: '{"a":{"$repeat":["x",2]}}' },
  { name: "$repeat", value: { $repeat: ["ab", 3] }, generated: "ababab" },
  { name: "$base64", value: { $base64: "AQI=" }, generated: new Uint8Array([1, 2]) },
  { name: "deep inside", value: { Entries: [{ MessageBody: { $repeat: ["é", 2] } }] }, generated: { Entries: [{ MessageBody: "éé" }] } },
  { name: "two keys are none", value: { $repeat: ["a", 1], b: 1 }, generated: { $repeat: ["a", 1], b: 1 } },
  { name: "another key is none", value: { $other: 1 }, generated: { $other: 1 } },
])("generators: $name", ({ value, generated }) => {
  expect(generate(value)).toEqual(generated);
});

test.each([
  { path: "QueueUrl", found: "u" },
  { path: "Messages[1].ReceiptHandle", found: "h" },
  { path: "Messages[2].ReceiptHandle", found: undefined },
  { path: "Attributes.QueueArn.more", found: undefined },
  { path: "Nothing.at.all", found: undefined },
])("a path leads to its value or nowhere: $path", ({ path, found }) => {
  expect(valueAt({ QueueUrl: "u", Messages: [{}, { ReceiptHandle: "h" }], Attributes: { QueueArn: "a" } }, path)).toBe(found);
});
