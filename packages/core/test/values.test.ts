import { awsError, durationMs, formatArn, isAwsError, isSimError, loadPeer, findPeer, parseArn, partitionOf, scopeKey, simError, urlSuffixOf, type Duration } from "@sandstack/core";
import * as sqs from "@aws-sdk/client-sqs";

test.each([
  { name: "nothing", duration: { seconds: 0 }, ms: 0 },
  { name: "each unit", duration: { days: 1, hours: 1, minutes: 1, seconds: 1, milliseconds: 1 }, ms: 90_061_001 },
  { name: "a fraction", duration: { seconds: 1.5 }, ms: 1_500 },
  { name: "parts that cancel out to something", duration: { minutes: 1, seconds: -30 }, ms: 30_000 },
])("a duration's members add up: $name", ({ duration, ms }) => {
  expect(durationMs(duration)).toBe(ms);
});

test.each<{ name: string; duration: unknown }>([
  { name: "less than nothing", duration: { milliseconds: -1 } },
  { name: "not a number", duration: { seconds: Number.NaN } },
  { name: "no end", duration: { days: Number.POSITIVE_INFINITY } },
  { name: "text", duration: { seconds: "soon" } },
])("a clock does not move by $name", ({ duration }) => {
  expect(() => durationMs(duration as Duration)).toThrow(RangeError); // what a user without types may write
});

test.each([
  { arn: "arn:aws:sqs:us-east-1:111111111111:orders", parts: { partition: "aws", service: "sqs", region: "us-east-1", accountId: "111111111111", resource: "orders" } },
  { arn: "arn:aws:iam::111111111111:role/path/worker", parts: { partition: "aws", service: "iam", region: "", accountId: "111111111111", resource: "role/path/worker" } },
  { arn: "arn:aws-cn:lambda:cn-north-1:111111111111:function:f:live", parts: { partition: "aws-cn", service: "lambda", region: "cn-north-1", accountId: "111111111111", resource: "function:f:live" } },
  { arn: "arn:aws:s3:::bucket/key", parts: { partition: "aws", service: "s3", region: "", accountId: "", resource: "bucket/key" } },
])("an ARN is read and written back: $arn", ({ arn, parts }) => {
  expect(parseArn(arn)).toEqual(parts);
  expect(formatArn(parts)).toBe(arn);
});

test.each(["", "orders", "arn:aws:sqs:us-east-1:111111111111", "urn:aws:sqs:us-east-1:111111111111:orders", "https://sqs.us-east-1.amazonaws.com/1/q"])("%p is no ARN", (text) => {
  expect(parseArn(text)).toBeUndefined();
});

test.each([
  { region: "us-east-1", partition: "aws", suffix: "amazonaws.com" },
  { region: "eu-central-2", partition: "aws", suffix: "amazonaws.com" },
  { region: "cn-northwest-1", partition: "aws-cn", suffix: "amazonaws.com.cn" },
  { region: "us-gov-west-1", partition: "aws-us-gov", suffix: "amazonaws.com" },
])("a region belongs to a partition: $region", ({ region, partition, suffix }) => {
  expect(partitionOf(region)).toBe(partition);
  expect(urlSuffixOf(region)).toBe(suffix);
});

test.each([
  { reach: "region", key: "111111111111/eu-west-1" },
  { reach: "account", key: "111111111111" },
  { reach: "partition", key: "" },
] as const)("a service's state reaches as far as its service: $reach", ({ reach, key }) => {
  expect(scopeKey(reach, { accountId: "111111111111", region: "eu-west-1" })).toBe(key);
});

describe("AWS's errors", () => {
  test("are the SDK's own classes, with status, fault and legacy code of its model", () => {
    const error = awsError("@aws-sdk/client-sqs", { name: "QueueDoesNotExist" }, "The specified queue does not exist.");
    expect(error).toBeInstanceOf(sqs.QueueDoesNotExist);
    expect(error).toMatchObject({
      name: "QueueDoesNotExist",
      message: "The specified queue does not exist.",
      $fault: "client",
      $metadata: { httpStatusCode: 400 },
      Code: "AWS.SimpleQueueService.NonExistentQueue",
    });
  });

  test("that the SDK does not model are its base exception under AWS's name", () => {
    const error = awsError("@aws-sdk/client-sqs", { name: "InvalidParameterValue", httpStatusCode: 400 }, "Value is invalid.");
    expect(error).toBeInstanceOf(sqs.SQSServiceException);
    expect(error).toMatchObject({ name: "InvalidParameterValue", Code: "InvalidParameterValue", $fault: "client" });
  });

  test("of a service whose client is not installed are plain errors with the same members", () => {
    const error = awsError("@aws-sdk/client-not-installed", { name: "Broken", fault: "server", members: { Type: "User" } }, "It broke.");
    expect(error).toMatchObject({ name: "Broken", message: "It broke.", $fault: "server", $metadata: { httpStatusCode: 500 }, Code: "Broken", Type: "User" });
    expect(String(error)).toBe("Broken: It broke.");
  });

  test("are told from the sandbox's own and from all others by their brand", () => {
    const ours = simError("SimUnsupported", "no");
    const theirs = awsError("@aws-sdk/client-sqs", { name: "QueueDoesNotExist" }, "no");
    expect([isAwsError(ours), isAwsError(theirs), isAwsError(new Error("no")), isAwsError(undefined)]).toEqual([false, true, false, false]);
    expect([isSimError(ours), isSimError(theirs), isSimError(null)]).toEqual([true, false, false]);
    expect(ours).toMatchObject({ name: "SimUnsupported", message: "no" });
  });
});

test("a missing peer says what to install; one that is there is the user's own copy", () => {
  expect(findPeer<typeof sqs>("@aws-sdk/client-sqs")?.SQSClient).toBe(sqs.SQSClient);
  expect(findPeer("@aws-sdk/client-not-installed")).toBeUndefined();
  expect(() => loadPeer("@aws-sdk/client-not-installed", "to run this test")).toThrow(
    "@aws-sdk/client-not-installed is needed to run this test and is not installed. Install it: npm install --save-dev @aws-sdk/client-not-installed",
  );
});
