/** The parts of an Amazon Resource Name. `resource` keeps everything behind the fifth colon, colons and slashes included. */
export interface Arn {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly accountId: string;
  readonly resource: string;
}

/** Reads an ARN, or answers `undefined` when `text` is not one. */
export function parseArn(text: string): Arn | undefined {
  const parts = text.split(":");
  if (parts.length < 6 || parts[0] !== "arn") return undefined;
  const [, partition = "", service = "", region = "", accountId = "", ...resource] = parts;
  return { partition, service, region, accountId, resource: resource.join(":") };
}

export function formatArn(arn: Arn): string {
  return `arn:${arn.partition}:${arn.service}:${arn.region}:${arn.accountId}:${arn.resource}`;
}

/** The partition a region belongs to (AWS General Reference, ARN namespaces). */
export function partitionOf(region: string): string {
  if (region.startsWith("cn-")) return "aws-cn";
  if (region.startsWith("us-gov-")) return "aws-us-gov";
  return "aws";
}

/** The domain that a region's endpoints end in. */
export function urlSuffixOf(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}
