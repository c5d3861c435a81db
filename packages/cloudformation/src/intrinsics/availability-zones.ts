/** Regions whose zones with default subnets are other than a, b and c (AWS Regions and Availability Zones). */
const ZONE_LETTERS: Readonly<Record<string, string>> = {
  "us-east-1": "abcdef",
  "us-west-1": "ab",
  "us-west-2": "abcd",
  "ca-central-1": "abd",
  "ap-northeast-1": "acd",
  "ap-northeast-2": "abcd",
  "sa-east-1": "abc",
};

/** `Fn::GetAZs`: the zones of a region, in order. */
export function availabilityZonesOf(region: string): string[] {
  return [...(ZONE_LETTERS[region] ?? "abc")].map((letter) => `${region}${letter}`);
}
