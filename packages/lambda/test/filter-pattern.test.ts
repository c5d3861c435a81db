import { matchesPattern, parseFilterPattern } from "../src/filter-pattern.js";
import { isWanted } from "../src/message-filter.js";

const CASES: readonly [name: string, pattern: object, matching: readonly unknown[], others: readonly unknown[]][] = [
  ["a text", { key: ["value"] }, [{ key: "value" }, { key: "value", more: 1 }, { key: ["other", "value"] }], [{ key: "Value" }, { key: 1 }, {}, { key: { value: 1 } }]],
  ["one of several texts", { key: ["one", "two"] }, [{ key: "one" }, { key: "two" }], [{ key: "three" }]],
  ["several keys", { a: ["x"], b: ["y"] }, [{ a: "x", b: "y" }], [{ a: "x", b: "z" }, { a: "x" }]],
  ["a number", { n: [300] }, [{ n: 300 }, { n: 3.0e2 }], [{ n: "300" }, { n: 301 }]],
  ["null", { key: [null] }, [{ key: null }], [{ key: "" }, {}]],
  ["the empty text", { key: [""] }, [{ key: "" }], [{ key: null }, {}]],
  ["true", { flag: [true] }, [{ flag: true }], [{ flag: "true" }, { flag: false }]],
  ["nested keys", { a: { b: ["x"] } }, [{ a: { b: "x" } }], [{ a: { b: "y" } }, { a: "x" }, { b: "x" }]],
  ["exists", { key: [{ exists: true }] }, [{ key: 0 }, { key: null }, { key: [] }], [{}, { key: { leaf: 1 } }]],
  ["exists not", { key: [{ exists: false }] }, [{}, { other: 1 }], [{ key: 0 }, { key: null }]],
  ["prefix", { key: [{ prefix: "yes" }] }, [{ key: "yes-value" }, { key: "yes" }], [{ key: "no-value" }, { key: "Yes" }, { key: 1 }]],
  ["prefix whatever the case", { key: [{ prefix: { "equals-ignore-case": "YES" } }] }, [{ key: "yes-value" }], [{ key: "no" }]],
  ["suffix", { key: [{ suffix: ".png" }] }, [{ key: "a.png" }], [{ key: "a.jpg" }, { key: ".png." }]],
  ["equals-ignore-case", { key: [{ "equals-ignore-case": "AbC" }] }, [{ key: "abc" }, { key: "ABC" }], [{ key: "abcd" }]],
  ["anything-but a text", { key: [{ "anything-but": "x" }] }, [{ key: "y" }, { key: 1 }], [{ key: "x" }, {}]],
  ["anything-but a list", { key: [{ "anything-but": ["x", 1] }] }, [{ key: "y" }, { key: 2 }], [{ key: "x" }, { key: 1 }]],
  ["anything-but a prefix", { key: [{ "anything-but": { prefix: "x" } }] }, [{ key: "yx" }], [{ key: "xy" }]],
  ["anything-but one of several suffixes", { key: [{ "anything-but": { suffix: [".a", ".b"] } }] }, [{ key: "x.c" }], [{ key: "x.a" }, { key: "x.b" }]],
  ["above", { n: [{ numeric: [">", 100] }] }, [{ n: 101 }], [{ n: 100 }, { n: "101" }]],
  ["below", { n: [{ numeric: ["<", 100] }] }, [{ n: 99 }], [{ n: 100 }]],
  ["a range", { n: [{ numeric: [">=", 100, "<", 200] }] }, [{ n: 100 }, { n: 199 }], [{ n: 200 }, { n: 99 }]],
  ["equal", { n: [{ numeric: ["=", 5] }] }, [{ n: 5 }], [{ n: 5.1 }]],
  ["mixed rules", { n: [{ numeric: ["<", 0] }, "none"] }, [{ n: -1 }, { n: "none" }], [{ n: 1 }]],
  ["$or", { $or: [{ a: ["x"] }, { b: [{ exists: true }] }] }, [{ a: "x" }, { b: 1 }], [{ a: "y" }]],
  ["$or beside a key", { c: ["z"], $or: [{ a: ["x"] }, { a: ["y"] }] }, [{ a: "y", c: "z" }], [{ a: "y" }, { c: "z" }]],
];

test.each(CASES)("a filter pattern matches by %s", (_name, pattern, matching, others) => {
  const parsed = parseFilterPattern(JSON.stringify(pattern))!;
  expect(parsed).toEqual(pattern);
  for (const event of matching) expect([event, matchesPattern(parsed, event)]).toEqual([event, true]);
  for (const event of others) expect([event, matchesPattern(parsed, event)]).toEqual([event, false]);
});

test.each([
  ["no JSON", "{"],
  ["a text", '"simple string"'],
  ["a list", "[]"],
  ["nothing", "{}"],
  ["an empty list of values", '{"body":[]}'],
  ["a value outside a list", '{"body":"x"}'],
  ["a list in a list", '{"body":[["x"]]}'],
  ["an empty object below", '{"body":{}}'],
  ["an unknown operator", '{"body":[{"like":"x"}]}'],
  ["two operators in one rule", '{"body":[{"prefix":"x","suffix":"y"}]}'],
  ["exists of a text", '{"body":[{"exists":"yes"}]}'],
  ["prefix of a number", '{"body":[{"prefix":1}]}'],
  ["numeric without a bound", '{"n":[{"numeric":[">"]}]}'],
  ["numeric of a text", '{"n":[{"numeric":[">","1"]}]}'],
  ["numeric of an unknown comparison", '{"n":[{"numeric":["!",1]}]}'],
  ["a range upside down", '{"n":[{"numeric":[">",5,"<",5]}]}'],
  ["anything-but nothing", '{"n":[{"anything-but":[]}]}'],
  ["$or of one", '{"$or":[{"a":["x"]}]}'],
])("%s is no filter pattern", (_name, text) => {
  expect(parseFilterPattern(text)).toBeUndefined();
});

test.each([
  { name: "a JSON body and a pattern of keys", pattern: { body: { key: ["v"] } }, body: '{"key":"v"}', wanted: true },
  { name: "a JSON body that says otherwise", pattern: { body: { key: ["v"] } }, body: '{"key":"w"}', wanted: false },
  { name: "a plain body and a pattern of keys", pattern: { body: { key: ["v"] } }, body: "plain", wanted: false },
  { name: "a plain body and a pattern of text", pattern: { body: ["plain"] }, body: "plain", wanted: true },
  { name: "a JSON body and a pattern of text", pattern: { body: ['{"key":"v"}'] }, body: '{"key":"v"}', wanted: false },
  { name: "a pattern of a message attribute", pattern: { messageAttributes: { priority: { stringValue: [{ prefix: "hi" }] } } }, body: "anything", wanted: true },
  { name: "a pattern of a message attribute that is another", pattern: { messageAttributes: { priority: { stringValue: ["low"] } } }, body: "anything", wanted: false },
  { name: "a pattern of a key that records have not", pattern: { subject: ["hi"] }, body: "anything", wanted: false },
])("message filter: $name", ({ pattern, body, wanted }) => {
  const record = { body, messageAttributes: { priority: { stringValue: "high", dataType: "String" } } };
  expect(isWanted([JSON.stringify(pattern)], record)).toBe(wanted);
  expect(isWanted([JSON.stringify({ body: { no: ["match"] } }), JSON.stringify(pattern)], record)).toBe(wanted);
});
