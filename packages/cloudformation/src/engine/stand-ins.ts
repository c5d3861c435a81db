import { formatArn, partitionOf, type Scope } from "@sandstack/core";
import type { Stack, StackResource } from "../state.js";
import { referencesIn } from "../template/references.js";
import { isObject } from "../template/template.js";
import type { PreparedTemplate } from "./prepare.js";

/** The members of a policy statement whose texts IAM wants to be ARNs. */
const RESOURCE_MEMBERS = ["Resource", "NotResource"];

/** Services whose ARNs name no region, or neither region nor account. */
const GLOBAL_SERVICES = ["iam", "cloudfront", "route53"];
const NAMELESS_SERVICES = ["s3"];

/**
 * Makes ARNs of the stand-ins in policies. A skipped resource's `Ref` and attributes are its logical id and `<logical id>.<Attribute>`,
 * and IAM refuses a policy on what is no ARN; a permission for something the sandbox lacks is no reason to fail the stack.
 * `Table.Arn` becomes `arn:aws:dynamodb:us-east-1:111111111111:Table.Arn`.
 */
export function withStandInArns(value: unknown, skipped: readonly StackResource[], scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((item) => withStandInArns(item, skipped, scope));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, RESOURCE_MEMBERS.includes(key) && "Effect" in value ? asArns(member, skipped, scope) : withStandInArns(member, skipped, scope)]),
  );
}

function asArns(member: unknown, skipped: readonly StackResource[], scope: Scope): unknown {
  if (Array.isArray(member)) return member.map((item) => asArns(item, skipped, scope));
  if (typeof member !== "string") return member;
  const resource = skipped.find(({ logicalId }) => member === logicalId || [".", "/", ":"].some((mark) => member.startsWith(`${logicalId}${mark}`)));
  if (resource === undefined) return member;
  const service = resource.type.split("::")[1]?.toLowerCase() ?? "";
  const isNameless = NAMELESS_SERVICES.includes(service);
  const region = isNameless || GLOBAL_SERVICES.includes(service) ? "" : scope.region;
  return formatArn({ partition: partitionOf(scope.region), service, region, accountId: isNameless ? "" : scope.accountId, resource: member });
}

/** The skipped resources that a declared value refers to, in the branches that the conditions leave: what it is made of are stand-ins. */
export function skippedIn(declared: unknown, { resources }: Stack, { conditions }: PreparedTemplate): StackResource[] {
  const references = referencesIn(declared, "", (condition) => conditions[condition] === true);
  const names = references.map((reference) => (reference.kind === "name" ? reference.name : reference.logicalId));
  return [...new Set(names)].flatMap((name) => resources.get(name) ?? []).filter(({ skippedReason }) => skippedReason !== undefined);
}

/** The sentence that says where a value comes from that may have failed for it: `Its EventSourceArn was made from Orders (AWS::DynamoDB::Table), which the sandbox lacks.` */
export function madeFromSkipped(what: string, skipped: readonly StackResource[]): string {
  return `${what} was made from ${skipped.map(({ logicalId, type }) => `${logicalId} (${type})`).join(" and ")}, which the sandbox lacks.`;
}
