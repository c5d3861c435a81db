/**
 * The parts of a cloud assembly's files that a deployment needs, as `@aws-cdk/cloud-assembly-schema` describes them.
 * Files of other schema versions have these members too.
 */

/** `manifest.json` */
export interface Manifest {
  readonly version: string;
  readonly artifacts?: Readonly<Record<string, Artifact>>;
}

export type Artifact = StackArtifact | AssetManifestArtifact | NestedAssemblyArtifact | OtherArtifact;

export interface StackArtifact {
  readonly type: "aws:cloudformation:stack";
  /** `aws://ACCOUNT/REGION` */
  readonly environment?: string;
  readonly properties: {
    readonly templateFile: string;
    /** Absent where it is the artifact's id. */
    readonly stackName?: string;
    readonly tags?: Readonly<Record<string, string>>;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly terminationProtection?: boolean;
  };
  /** Ids of artifacts: stacks to be deployed before, and the stack's asset manifest. */
  readonly dependencies?: readonly string[];
  /** By construct path, where the manifest itself holds it (older releases). */
  readonly metadata?: ConstructMetadata;
  /** The file that holds it otherwise. */
  readonly additionalMetadataFile?: string;
  /** The stack's construct path. */
  readonly displayName?: string;
}

export interface AssetManifestArtifact {
  readonly type: "cdk:asset-manifest";
  readonly properties: { readonly file: string };
}

/** The assembly of a stage, in a directory of its own. */
export interface NestedAssemblyArtifact {
  readonly type: "cdk:cloud-assembly";
  readonly properties: { readonly directoryName: string };
}

interface OtherArtifact {
  readonly type: "cdk:tree" | "cdk:feature-flag-report";
}

/** Metadata entries by construct path with a leading slash. */
export type ConstructMetadata = Readonly<Record<string, readonly { readonly type: string; readonly data?: unknown }[]>>;

/** `STACK.assets.json` */
export interface AssetManifest {
  readonly files?: Readonly<Record<string, FileAssetEntry>>;
}

export interface FileAssetEntry {
  readonly displayName?: string;
  readonly source: {
    /** Relative to the manifest. Absent where a program is to make the file. */
    readonly path?: string;
    readonly packaging?: "zip" | "file";
  };
  readonly destinations: Readonly<Record<string, { readonly bucketName: string; readonly objectKey: string }>>;
}

/** The parts of a template that the CDK layer reads; the engine reads the rest. */
export interface Template {
  readonly Parameters?: Readonly<Record<string, unknown>>;
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}
