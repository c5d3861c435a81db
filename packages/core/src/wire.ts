/** How a service is spoken to. Smithy's names without `aws.protocols#`; `awsJson1_0` and `awsJson1_1` differ in their content type alone. */
export type ProtocolName = "awsJson1_0" | "awsJson1_1" | "awsQuery" | "restJson1" | "restXml";

/** What the wire needs to know of a service beyond the schemas that its SDK client exports: from the service's public model and API reference. */
export interface ServiceWire {
  /** The first answers requests that leave it open. */
  readonly protocols: readonly ProtocolName[];
  /** Of AWS JSON: the part of `X-Amz-Target` before the dot. */
  readonly target?: string;
  /** Of Query: the `Version` that requests carry. */
  readonly queryVersion?: string;
  /** Of Query and REST-XML: the namespace of the answers. */
  readonly xmlNamespace?: string;
  /**
   * Of REST: the input member that stands before the model's paths, as the first part of the host or, where the client prefers that, of the
   * path: S3's `Bucket`.
   */
  readonly hostLabel?: string;
  /** True where AWS hears callers who sign nothing, for the sake of resources whose policy lets them in. Default false. */
  readonly isOpenToStrangers?: boolean;
  /**
   * The operations that the SDK's waiters, and deploy tools, ask again and again until a state is reached. With a manual clock what is
   * runnable runs before each answer, for nobody else sees to it while the client waits in real time.
   */
  readonly polledOperations?: readonly string[];
}
