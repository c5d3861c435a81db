import { match } from "../src/matching.js";

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

/** Rows of a pattern, a value that it matches, and one that it does not, with the path at which that differs. */
const rows: readonly { name: string; pattern: unknown; matching: unknown; differing: unknown; path: string }[] = [
  { name: "a text", pattern: "a", matching: "a", differing: "A", path: "it" },
  { name: "a number is no text", pattern: 1, matching: 1, differing: "1", path: "it" },
  { name: "a boolean", pattern: false, matching: false, differing: "false", path: "it" },
  { name: "null", pattern: null, matching: null, differing: undefined, path: "it" },
  { name: "queue URLs by account and name", pattern: "https://sqs.us-east-1.amazonaws.com/123456789012/q", matching: "http://127.0.0.1:4566/123456789012/q", differing: "http://127.0.0.1:4566/123456789012/p", path: "it" },
  { name: "an object by the pattern's keys", pattern: { a: 1 }, matching: { a: 1, b: 2 }, differing: { b: 2 }, path: "it.a" },
  { name: "an object inside an object", pattern: { a: { b: [1] } }, matching: { a: { b: [1] } }, differing: { a: { b: [2] } }, path: "it.a.b[0]" },
  { name: "an object where there is none", pattern: { a: 1 }, matching: { a: 1 }, differing: [1], path: "it" },
  { name: "a key that looks like a matcher's", pattern: { $metadata: { httpStatusCode: 200 } }, matching: { $metadata: { httpStatusCode: 200 } }, differing: { $metadata: { httpStatusCode: 201 } }, path: "it.$metadata.httpStatusCode" },
  { name: "an array, element by element", pattern: [1, 2], matching: [1, 2], differing: [1, 3], path: "it[1]" },
  { name: "an array's length", pattern: [1], matching: [1], differing: [1, 2], path: "it.length" },
  { name: "an array where there is none", pattern: [], matching: [], differing: undefined, path: "it" },
  { name: "$absent", pattern: { a: { $absent: true } }, matching: { a: undefined }, differing: { a: null }, path: "it.a" },
  { name: "$any", pattern: { a: { $any: true } }, matching: { a: "" }, differing: { a: null }, path: "it.a" },
  { name: "$empty: nothing", pattern: { a: { $empty: true } }, matching: {}, differing: { a: 0 }, path: "it.a" },
  { name: "$empty: a list", pattern: { $empty: true }, matching: [], differing: [1], path: "it" },
  { name: "$empty: an object", pattern: { $empty: true }, matching: {}, differing: { a: 1 }, path: "it" },
  { name: "$empty: a text", pattern: { $empty: true }, matching: "", differing: " ", path: "it" },
  { name: "$regex", pattern: { $regex: "^a+$" }, matching: "aa", differing: "ab", path: "it" },
  { name: "$regex on a number", pattern: { $regex: "1" }, matching: "1", differing: 1, path: "it" },
  { name: "$len", pattern: { $len: 2 }, matching: [1, 2], differing: [1], path: "it" },
  { name: "$len of a text", pattern: { $len: 1 }, matching: ["a"], differing: "a", path: "it" },
  { name: "$oneOf", pattern: { $oneOf: ["a", { $regex: "b" }] }, matching: "abc", differing: "c", path: "it" },
  { name: "$exact", pattern: { $exact: { a: { $any: true } } }, matching: { a: 1, $metadata: {} }, differing: { a: 1, b: 2 }, path: "it.b" },
  { name: "$exact: a wrong member", pattern: { $exact: { a: 1 } }, matching: { a: 1 }, differing: { a: 2 }, path: "it.a" },
  { name: "$exact: only this object", pattern: { $exact: { a: { b: 1 } } }, matching: { a: { b: 1, c: 2 } }, differing: {}, path: "it.a" },
  { name: "$keys", pattern: { $keys: { $unordered: ["b", "a"] } }, matching: { a: 1, b: 2, c: undefined }, differing: { a: 1 }, path: "it.$keys" },
  { name: "$keys of nothing", pattern: { $keys: [] }, matching: {}, differing: undefined, path: "it.$keys" },
  { name: "$unordered", pattern: { $unordered: [1, 2, 2] }, matching: [2, 1, 2], differing: [1, 1, 2], path: "it" },
  { name: "$unordered: each pattern has an element of its own", pattern: { $unordered: [{ $any: true }, "a"] }, matching: ["a", "b"], differing: ["b", "b"], path: "it" },
  { name: "$unordered: as many", pattern: { $unordered: [1] }, matching: [1], differing: [1, 1], path: "it" },
  { name: "$contains", pattern: { $contains: [{ a: 1 }] }, matching: [{ a: 2 }, { a: 1, b: 1 }], differing: [{ a: 2 }], path: "it" },
  { name: "$unorderedContains", pattern: { $unorderedContains: [2, 1] }, matching: [1, 2, 3], differing: [1, 3], path: "it" },
  { name: "$contains in nothing", pattern: { $contains: [] }, matching: [], differing: undefined, path: "it" },
  { name: "$subsequence", pattern: { $subsequence: [1, 2] }, matching: [0, 1, 9, 2], differing: [2, 1], path: "it[2…]" },
  { name: "$subsequence: an element counts once", pattern: { $subsequence: [1, 1] }, matching: [1, 1], differing: [1], path: "it[1…]" },
  { name: "$flatUnordered", pattern: { $flatUnordered: [1, 2, 3] }, matching: [[3, 1], [2]], differing: [[3, 1]], path: "it" },
  { name: "$json", pattern: { $json: { a: { $any: true } } }, matching: '{"a":1}', differing: '{"a":1,"b":2}', path: "it.$json.b" },
  { name: "$json: inside, too", pattern: { $json: [{ a: 1 }] }, matching: '[{"a":1}]', differing: '[{"a":1,"b":2}]', path: "it.$json[0].b" },
  { name: "$json of what is none", pattern: { $json: {} }, matching: "{}", differing: "{", path: "it" },
  { name: "$jsonContains", pattern: { $jsonContains: { a: 1 } }, matching: '{"a":1,"b":2}', differing: '{"a":2}', path: "it.$json.a" },
  { name: "$jsonBytes", pattern: { $jsonBytes: { a: 1 } }, matching: Buffer.from('{"a":1}'), differing: Buffer.from('{"a":2}'), path: "it.$json.a" },
  { name: "$base64", pattern: { $base64: "AQI=" }, matching: bytes(1, 2), differing: bytes(1, 3), path: "it" },
  { name: "$base64 of a text", pattern: { $base64: "AQI=" }, matching: bytes(1, 2), differing: "AQI=", path: "it" },
  { name: "two keys are no matcher", pattern: { $any: true, a: 1 }, matching: { $any: true, a: 1 }, differing: { a: 1 }, path: "it.$any" },
  { name: "an error's members, which cannot be listed", pattern: { message: "no" }, matching: new Error("no"), differing: new Error("yes"), path: "it.message" },
];

test.each(rows)("$name", ({ pattern, matching, differing, path }) => {
  expect(match(pattern, matching, "it")).toBeUndefined();
  expect(match(pattern, differing, "it")).toMatchObject({ path });
});

test("a mismatch tells what was expected and what there was", () => {
  expect(match({ Messages: [{ Body: "a" }] }, { Messages: [{ Body: "b" }] }, "output")).toEqual({ path: "output.Messages[0].Body", expected: "a", actual: "b" });
});
