import { AWS_MANAGED_POLICIES } from "./data/aws-managed-policies.js";

/** A policy that AWS manages: the default version alone. */
export interface AwsManagedPolicy {
  readonly arn: string;
  readonly name: string;
  readonly path: string;
  readonly versionId: string;
  readonly createdAtMs: number;
  /** JSON text. */
  readonly document: string;
  /** False for policies of service-linked roles, which only AWS attaches. */
  readonly isAttachable: boolean;
}

const AWS_POLICY = /^arn:aws[\w-]*:iam::aws:policy(\/(?:.*\/)?)([^/]+)$/;

/** True for the ARN of a policy that AWS manages, known here or not. */
export function isAwsManaged(arn: string): boolean {
  return AWS_POLICY.test(arn);
}

// Those in use, since each call of their holders asks for them. At most as many as there are in the data, for each partition.
const policiesByArn = new Map<string, AwsManagedPolicy>();

/** A policy that AWS manages, or `undefined` when AWS, or the sandbox, has none of this ARN. */
export function awsManagedPolicy(arn: string): AwsManagedPolicy | undefined {
  let policy = policiesByArn.get(arn);
  if (policy !== undefined) return policy;
  policy = readPolicy(arn);
  if (policy !== undefined) policiesByArn.set(arn, policy);
  return policy;
}

function readPolicy(arn: string): AwsManagedPolicy | undefined {
  const [, path, name] = AWS_POLICY.exec(arn) ?? [];
  // Partitions differ in the ARN alone.
  const found = AWS_MANAGED_POLICIES[arn.replace(/^arn:aws[\w-]*:/, "arn:aws:")];
  if (path === undefined || name === undefined || found === undefined) return undefined;
  const [versionId, createdAt, document] = found;
  return { arn, name, path, versionId, createdAtMs: Date.parse(createdAt), document, isAttachable: !path.startsWith("/aws-service-role/") };
}

/** All policies of AWS's that the sandbox knows. */
export function awsManagedPolicies(): readonly AwsManagedPolicy[] {
  return Object.keys(AWS_MANAGED_POLICIES)
    .map(awsManagedPolicy)
    .filter((policy) => policy !== undefined);
}
