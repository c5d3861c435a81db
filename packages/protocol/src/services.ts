/** How a service is spoken to. Smithy's names without `aws.protocols#`; `awsJson1_0` and `awsJson1_1` differ in their content type alone. */
export type ProtocolName = "awsJson1_0" | "awsJson1_1" | "awsQuery" | "restJson1";

/** What the wire needs to know of a service beyond its schemas. Its id is also its name in credential scopes. */
export interface WireService {
  /** The SDK's name for it, as `ServiceDefinition.id`. */
  readonly id: string;
  /** The first answers requests that leave it open. */
  readonly protocols: readonly ProtocolName[];
  /** The part of `X-Amz-Target` before the dot. */
  readonly target?: string;
  /** The `Version` of the Query protocol. */
  readonly queryVersion?: string;
  readonly xmlNamespace?: string;
  /** True where JSON errors also carry the Query protocol's code (the trait `aws.protocols#awsQueryCompatible`). */
  readonly isQueryCompatible?: boolean;
}

/** From the services' public models (`protocolSettings` of the SDK's clients); SQS's namespace from its Query API reference. */
const WIRE_SERVICES: readonly WireService[] = [
  { id: "sqs", protocols: ["awsJson1_0", "awsQuery"], target: "AmazonSQS", queryVersion: "2012-11-05", xmlNamespace: "http://queue.amazonaws.com/doc/2012-11-05/", isQueryCompatible: true },
  { id: "sns", protocols: ["awsQuery"], queryVersion: "2010-03-31", xmlNamespace: "http://sns.amazonaws.com/doc/2010-03-31/" },
  { id: "iam", protocols: ["awsQuery"], queryVersion: "2010-05-08", xmlNamespace: "https://iam.amazonaws.com/doc/2010-05-08/" },
  { id: "sts", protocols: ["awsQuery"], queryVersion: "2011-06-15", xmlNamespace: "https://sts.amazonaws.com/doc/2011-06-15/" },
  { id: "cloudformation", protocols: ["awsQuery"], queryVersion: "2010-05-15", xmlNamespace: "http://cloudformation.amazonaws.com/doc/2010-05-15/" },
  { id: "lambda", protocols: ["restJson1"] },
];

const byId = new Map(WIRE_SERVICES.map((service) => [service.id, service]));
const byTarget = new Map(WIRE_SERVICES.map((service) => [service.target, service]));
const byQueryVersion = new Map(WIRE_SERVICES.map((service) => [service.queryVersion, service]));

export function wireServiceById(id: string | undefined): WireService | undefined {
  return id === undefined ? undefined : byId.get(id);
}

export function wireServiceByTarget(target: string): WireService | undefined {
  return byTarget.get(target);
}

export function wireServiceByQueryVersion(version: string | undefined): WireService | undefined {
  return version === undefined ? undefined : byQueryVersion.get(version);
}

/** The services that are told apart by method and path alone. */
export const restServices: readonly WireService[] = WIRE_SERVICES.filter(({ protocols }) => protocols[0] === "restJson1");

/** The services of the Query protocol, in the order in which an action without a version is looked for. */
export const queryServices: readonly WireService[] = WIRE_SERVICES.filter(({ protocols }) => protocols.includes("awsQuery"));
