import { evaluatePolicies } from "sandstack/iam";

const ALICE = { arn: "arn:aws:iam::123456789012:user/alice", account: "123456789012", type: "user" } as const;
const ORDERS = "arn:aws:sqs:us-east-1:123456789012:orders";

type Statement = Record<string, unknown>;
type Context = Record<string, string | readonly string[] | undefined>;

function isAllowed(statement: Statement, given: { action?: string; resource?: string; context?: Context; version?: string | undefined } = {}): boolean {
  const { action = "sqs:SendMessage", resource = ORDERS, context = {}, version = "2012-10-17" } = given;
  const document = { ...(version !== "" && { Version: version }), Statement: [{ Effect: "Allow", Action: "*", Resource: "*", ...statement }] };
  return evaluatePolicies({ principal: ALICE, identityPolicies: [document], resourceAccount: "123456789012", action, resource, context }).isAllowed;
}

describe("actions and resources", () => {
  test.each([
    { pattern: "sqs:SendMessage", action: "sqs:SendMessage", matches: true },
    { pattern: "SQS:sendmessage", action: "sqs:SendMessage", matches: true },
    { pattern: "sqs:Send*", action: "sqs:SendMessage", matches: true },
    { pattern: "sqs:*Message", action: "sqs:SendMessage", matches: true },
    { pattern: "sqs:*d*e", action: "sqs:SendMessage", matches: true },
    { pattern: "sqs:Sen?Message", action: "sqs:SendMessage", matches: true },
    { pattern: "sqs:Send?Message", action: "sqs:SendMessage", matches: false },
    { pattern: "sqs:Send", action: "sqs:SendMessage", matches: false },
    { pattern: "s*", action: "sqs:SendMessage", matches: true },
    { pattern: "*", action: "sqs:SendMessage", matches: true },
    { pattern: "sns:*", action: "sqs:SendMessage", matches: false },
    { pattern: ["sns:*", "sqs:SendMessage"], action: "sqs:SendMessage", matches: true },
  ])("the action $pattern: $action is $matches", ({ pattern, action, matches }) => {
    expect(isAllowed({ Action: pattern }, { action })).toBe(matches);
    expect(isAllowed({ Action: undefined, NotAction: pattern }, { action })).toBe(!matches);
  });

  test.each([
    { pattern: ORDERS, matches: true },
    { pattern: "arn:aws:sqs:us-east-1:123456789012:Orders", matches: false },
    { pattern: "arn:aws:sqs:*:*:orders", matches: true },
    { pattern: "arn:aws:sqs:*:*:ord?rs", matches: true },
    { pattern: "arn:aws:sqs:*:*:ord*", matches: true },
    { pattern: "arn:aws:sqs:*", matches: true },
    { pattern: "arn:*:orders", matches: true },
    { pattern: "*", matches: true },
    { pattern: "arn:aws:sqs:us-east-1:123456789012:order", matches: false },
    { pattern: "arn:aws:sqs:us-east-1:123456789012:orders?", matches: false },
    { pattern: ["arn:aws:sqs:*:*:x", ORDERS], matches: true },
  ])("the resource $pattern is $matches", ({ pattern, matches }) => {
    expect(isAllowed({ Resource: pattern })).toBe(matches);
    expect(isAllowed({ Resource: undefined, NotResource: pattern })).toBe(!matches);
  });

  test("an action without a resource is on *, which no ARN means", () => {
    expect(isAllowed({ Resource: "arn:aws:sqs:*:*:*" }, { action: "sqs:ListQueues", resource: "*" })).toBe(false);
    expect(isAllowed({ Resource: "*" }, { action: "sqs:ListQueues", resource: "*" })).toBe(true);
  });

  test("a pattern of many stars is decided in no time", () => {
    const resource = `arn:aws:sqs:us-east-1:123456789012:${"a".repeat(80)}`;
    expect(isAllowed({ Resource: `arn:aws:sqs:*:*:${"*a".repeat(40)}b` }, { resource })).toBe(false);
  });
});

describe("condition operators", () => {
  const rows: { operator: string; wanted: unknown; given: string | readonly string[] | undefined; holds: boolean }[] = [
    { operator: "StringEquals", wanted: "a", given: "a", holds: true },
    { operator: "StringEquals", wanted: ["b", "a"], given: "a", holds: true },
    { operator: "StringEquals", wanted: "a", given: "A", holds: false },
    { operator: "StringEquals", wanted: "a*", given: "ab", holds: false },
    { operator: "StringEquals", wanted: "a", given: undefined, holds: false },
    { operator: "StringNotEquals", wanted: ["a", "b"], given: "c", holds: true },
    { operator: "StringNotEquals", wanted: ["a", "b"], given: "b", holds: false },
    { operator: "StringNotEquals", wanted: "a", given: undefined, holds: true },
    { operator: "StringEqualsIgnoreCase", wanted: "aB", given: "Ab", holds: true },
    { operator: "StringNotEqualsIgnoreCase", wanted: "aB", given: "Ab", holds: false },
    { operator: "StringLike", wanted: "a*c?", given: "abbcd", holds: true },
    { operator: "StringLike", wanted: "a*c?", given: "abbc", holds: false },
    { operator: "StringNotLike", wanted: "a*", given: "b", holds: true },
    { operator: "StringNotLike", wanted: "a*", given: undefined, holds: true },
    { operator: "NumericEquals", wanted: "10", given: "10.0", holds: true },
    { operator: "NumericEquals", wanted: 10, given: "10", holds: true },
    { operator: "NumericNotEquals", wanted: "10", given: "11", holds: true },
    { operator: "NumericLessThan", wanted: "10", given: "9.5", holds: true },
    { operator: "NumericLessThan", wanted: "10", given: "10", holds: false },
    { operator: "NumericLessThanEquals", wanted: "10", given: "10", holds: true },
    { operator: "NumericGreaterThan", wanted: "10", given: "10", holds: false },
    { operator: "NumericGreaterThanEquals", wanted: "-1", given: "-1", holds: true },
    { operator: "NumericEquals", wanted: "10", given: "ten", holds: false },
    { operator: "DateEquals", wanted: "2024-05-01T12:00:00Z", given: "2024-05-01T14:00:00+02:00", holds: true },
    { operator: "DateNotEquals", wanted: "2024-05-01", given: "2024-05-02T00:00:00Z", holds: true },
    { operator: "DateLessThan", wanted: "2024-05-01T12:00:00Z", given: "2024-05-01T11:59:59Z", holds: true },
    { operator: "DateLessThan", wanted: "2024-05-01T12:00:00Z", given: "2024-05-01T12:00:00Z", holds: false },
    { operator: "DateLessThanEquals", wanted: "1714564800", given: "2024-05-01T12:00:00Z", holds: true },
    { operator: "DateGreaterThan", wanted: "2024-05-01T12:00:00Z", given: "1714564801", holds: true },
    { operator: "DateGreaterThanEquals", wanted: "2024-05-01T12:00:00Z", given: "2024-05-01T11:59:59Z", holds: false },
    { operator: "Bool", wanted: "true", given: "true", holds: true },
    { operator: "Bool", wanted: true, given: "TRUE", holds: true },
    { operator: "Bool", wanted: false, given: "true", holds: false },
    { operator: "Bool", wanted: "false", given: undefined, holds: false },
    { operator: "BinaryEquals", wanted: "QmluYXJ5", given: "QmluYXJ5", holds: true },
    { operator: "BinaryEquals", wanted: "QmluYXJ5", given: "QmluYXJ6", holds: false },
    { operator: "IpAddress", wanted: "203.0.113.0/24", given: "203.0.113.255", holds: true },
    { operator: "IpAddress", wanted: "203.0.113.0/24", given: "203.0.114.0", holds: false },
    { operator: "IpAddress", wanted: "203.0.113.7", given: "203.0.113.7", holds: true },
    { operator: "IpAddress", wanted: "0.0.0.0/0", given: "198.51.100.1", holds: true },
    { operator: "IpAddress", wanted: "203.0.113.128/25", given: "203.0.113.127", holds: false },
    { operator: "IpAddress", wanted: "2001:db8:1234::/48", given: "2001:db8:1234:ffff::1", holds: true },
    { operator: "IpAddress", wanted: "2001:db8:1234::/48", given: "2001:db8:1235::1", holds: false },
    { operator: "IpAddress", wanted: "203.0.113.0/24", given: "::1", holds: false },
    { operator: "NotIpAddress", wanted: ["203.0.113.0/24", "198.51.100.0/24"], given: "192.0.2.1", holds: true },
    { operator: "NotIpAddress", wanted: "203.0.113.0/24", given: "203.0.113.1", holds: false },
    { operator: "ArnEquals", wanted: "arn:aws:sns:us-east-1:123456789012:news", given: "arn:aws:sns:us-east-1:123456789012:news", holds: true },
    { operator: "ArnEquals", wanted: "arn:aws:sns:*:123456789012:n?ws", given: "arn:aws:sns:us-east-1:123456789012:news", holds: true },
    { operator: "ArnLike", wanted: "arn:aws:s*:news", given: "arn:aws:sns:us-east-1:123456789012:news", holds: false },
    { operator: "ArnLike", wanted: "arn:aws:sns:*:*:*", given: "arn:aws:sns:us-east-1:123456789012:news:with:colons", holds: true },
    { operator: "ArnLike", wanted: "arn:aws:sns:*:*:news", given: "news", holds: false },
    { operator: "ArnLike", wanted: "*", given: "arn:aws:sns:us-east-1:123456789012:news", holds: true },
    { operator: "ArnNotEquals", wanted: "arn:aws:sns:*:*:news", given: "arn:aws:sns:us-east-1:123456789012:news", holds: false },
    { operator: "ArnNotLike", wanted: "arn:aws:sns:*:*:news", given: undefined, holds: true },
    { operator: "Null", wanted: "true", given: undefined, holds: true },
    { operator: "Null", wanted: "true", given: "x", holds: false },
    { operator: "Null", wanted: "false", given: "x", holds: true },
    { operator: "Null", wanted: false, given: undefined, holds: false },
    { operator: "StringEqualsIfExists", wanted: "a", given: undefined, holds: true },
    { operator: "StringEqualsIfExists", wanted: "a", given: "b", holds: false },
    { operator: "BoolIfExists", wanted: "true", given: undefined, holds: true },
    { operator: "stringequals", wanted: "a", given: "a", holds: true },
    { operator: "ForAllValues:StringEquals", wanted: ["a", "b"], given: ["a", "b"], holds: true },
    { operator: "ForAllValues:StringEquals", wanted: ["a", "b"], given: ["a", "c"], holds: false },
    { operator: "ForAllValues:StringEquals", wanted: ["a"], given: undefined, holds: true },
    { operator: "ForAllValues:StringEquals", wanted: ["a"], given: [], holds: true },
    { operator: "ForAllValues:StringNotEquals", wanted: ["a"], given: ["b", "a"], holds: false },
    { operator: "ForAnyValue:StringEquals", wanted: ["a"], given: ["b", "a"], holds: true },
    { operator: "ForAnyValue:StringEquals", wanted: ["a"], given: undefined, holds: false },
    { operator: "ForAnyValue:StringNotEquals", wanted: ["a"], given: ["b", "a"], holds: true },
    { operator: "ForAnyValue:StringNotEquals", wanted: ["a"], given: undefined, holds: false },
    { operator: "ForAnyValue:StringLikeIfExists", wanted: ["a*"], given: undefined, holds: true },
    { operator: "StringEquals", wanted: "a", given: ["b", "a"], holds: true },
    { operator: "StringNotEquals", wanted: "a", given: ["b", "a"], holds: false },
    { operator: "StringIsNice", wanted: "a", given: "a", holds: false },
  ];

  test.each(rows)("$operator $wanted: $given is $holds", ({ operator, wanted, given, holds }) => {
    const context: Context = given === undefined ? {} : { "aws:RequestTag/Key": given };
    expect(isAllowed({ Condition: { [operator]: { "AWS:requesttag/key": wanted } } }, { context })).toBe(holds);
  });

  test("all keys and all operators must hold", () => {
    const Condition = { StringEquals: { "aws:RequestTag/a": "1", "aws:RequestTag/b": "2" }, NumericLessThan: { "sqs:n": "5" } };
    const context = { "aws:RequestTag/a": "1", "aws:RequestTag/b": "2", "sqs:n": "4" };
    expect(isAllowed({ Condition }, { context })).toBe(true);
    for (const key of Object.keys(context)) expect(isAllowed({ Condition }, { context: { ...context, [key]: "9" } })).toBe(false);
  });
});

describe("policy variables", () => {
  test.each([
    { name: "a variable in a resource", resource: "arn:aws:sqs:*:*:${aws:username}-*", context: { "aws:username": "alice" }, queue: "alice-jobs", allowed: true },
    { name: "another's", resource: "arn:aws:sqs:*:*:${aws:username}-*", context: { "aws:username": "alice" }, queue: "bob-jobs", allowed: false },
    { name: "its name in another case", resource: "arn:aws:sqs:*:*:${AWS:UserName}-*", context: { "aws:username": "alice" }, queue: "alice-jobs", allowed: true },
    { name: "no value", resource: "arn:aws:sqs:*:*:${aws:username}-q", context: {}, queue: "-q", allowed: false },
    { name: "a default", resource: "arn:aws:sqs:*:*:${aws:PrincipalTag/team, 'shared'}-q", context: {}, queue: "shared-q", allowed: true },
    { name: "a value before its default", resource: "arn:aws:sqs:*:*:${aws:PrincipalTag/team, 'shared'}-q", context: { "aws:PrincipalTag/team": "a" }, queue: "shared-q", allowed: false },
    { name: "a value is no wildcard", resource: "arn:aws:sqs:*:*:${aws:PrincipalTag/p}", context: { "aws:PrincipalTag/p": "*" }, queue: "orders", allowed: false },
    { name: "several values are none", resource: "arn:aws:sqs:*:*:${aws:PrincipalTag/p}", context: { "aws:PrincipalTag/p": ["a", "b"] }, queue: "a", allowed: false },
    { name: "a literal star", resource: "arn:aws:sqs:*:*:a${*}", context: {}, queue: "ab", allowed: false },
    { name: "a literal question mark and dollar", resource: "arn:aws:sqs:*:*:${?}${$}", context: {}, queue: "?$", allowed: true },
  ])("$name: $allowed", ({ resource, context, queue, allowed }) => {
    expect(isAllowed({ Resource: resource }, { context, resource: `arn:aws:sqs:us-east-1:123456789012:${queue}` })).toBe(allowed);
  });

  test.each(["2008-10-17", ""])("a document of version '%s' has none", (version) => {
    const given = { version, context: { "aws:username": "alice" } };
    expect(isAllowed({ Resource: "arn:aws:sqs:*:*:${aws:username}" }, { ...given, resource: "arn:aws:sqs:us-east-1:123456789012:alice" })).toBe(false);
    expect(isAllowed({ Resource: "arn:aws:sqs:*:*:${aws:username}" }, { ...given, resource: "arn:aws:sqs:us-east-1:123456789012:${aws:username}" })).toBe(true);
  });

  test("in conditions on texts and ARNs", () => {
    const context = { "aws:username": "alice", "aws:RequestTag/owner": "alice", "aws:SourceArn": "arn:aws:sns:us-east-1:123456789012:alice-news" };
    expect(isAllowed({ Condition: { StringEquals: { "aws:RequestTag/owner": "${aws:username}" } } }, { context })).toBe(true);
    expect(isAllowed({ Condition: { StringLike: { "aws:RequestTag/owner": "${aws:username}x*" } } }, { context })).toBe(false);
    expect(isAllowed({ Condition: { ArnLike: { "aws:SourceArn": "arn:aws:sns:*:*:${aws:username}-*" } } }, { context })).toBe(true);
  });
});
