import { parseArn, urlSuffixOf } from "@sandstack/core";

/** The URL of a queue, by its ARN. */
export function queueUrlOf(queueArn: string): string {
  const { region = "", accountId = "", resource = "" } = parseArn(queueArn) ?? {};
  return `https://sqs.${region}.${urlSuffixOf(region)}/${accountId}/${resource}`;
}
