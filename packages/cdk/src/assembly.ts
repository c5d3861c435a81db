import { join } from "node:path";
import { PATH_METADATA } from "@sandstack/cloudformation";
import { simError } from "@sandstack/core";
import { isFile, readJson } from "./files.js";
import type { Artifact, AssetManifestArtifact, ConstructMetadata, Manifest, StackArtifact, Template } from "./manifest.js";

/** One stack of a cloud assembly. */
export interface AssemblyStack {
  /** Unique in the assembly, its nested assemblies included. */
  readonly artifactId: string;
  readonly stackName: string;
  /** `Prod/Api` */
  readonly constructPath: string;
  /** The directory that the stack's manifest lies in. */
  readonly directory: string;
  readonly artifact: StackArtifact;
  /** Artifact ids of the stacks to be deployed before this one. */
  readonly dependencies: readonly string[];
  /** Where the manifests of its assets lie. */
  readonly assetManifestPaths: readonly string[];
}

/**
 * Reads the stacks of a cloud assembly, those of its stages included, in the manifest's order.
 *
 * @param directory the folder with `manifest.json`: `cdk.out`
 * @throws SimInvalidAssembly when it is not one
 */
export function readAssembly(directory: string): AssemblyStack[] {
  const manifestPath = join(directory, "manifest.json");
  if (!isFile(manifestPath)) {
    throw simError("SimInvalidAssembly", `${directory} is not a cloud assembly: it has no manifest.json. Give the folder that synthesis writes (cdk.out), or the app itself.`);
  }
  const { artifacts = {} } = readJson<Manifest>(manifestPath, "The manifest of the cloud assembly");
  return Object.entries(artifacts).flatMap(([artifactId, artifact]) => {
    if (artifact.type === "cdk:cloud-assembly") return readAssembly(join(directory, artifact.properties.directoryName));
    return artifact.type === "aws:cloudformation:stack" ? [describeStack(directory, artifactId, artifact, artifacts)] : [];
  });
}

function describeStack(directory: string, artifactId: string, artifact: StackArtifact, artifacts: Readonly<Record<string, Artifact>>): AssemblyStack {
  const dependencies = artifact.dependencies ?? [];
  return {
    artifactId,
    stackName: artifact.properties.stackName ?? artifactId,
    constructPath: artifact.displayName ?? artifactId,
    directory,
    artifact,
    dependencies: dependencies.filter((id) => artifacts[id]?.type === "aws:cloudformation:stack"),
    assetManifestPaths: dependencies
      .map((id) => artifacts[id])
      .filter((dependency): dependency is AssetManifestArtifact => dependency?.type === "cdk:asset-manifest")
      .map(({ properties }) => join(directory, properties.file)),
  };
}

/**
 * Reads a stack's template, with each resource's construct path in its metadata.
 *
 * The CDK's command line has the paths written there (`aws:cdk:path`); an app synthesized in the process has them only in the assembly's metadata.
 */
export function readTemplate(stack: AssemblyStack): Template {
  const template = readJson<Template>(join(stack.directory, stack.artifact.properties.templateFile), `The template of the stack ${stack.stackName}`);
  const pathsByLogicalId = constructPathsOf(stack);
  const resources = Object.entries(template.Resources ?? {}).map(([logicalId, resource]) => {
    const path = pathsByLogicalId.get(logicalId);
    if (path === undefined || resource.Metadata?.[PATH_METADATA] !== undefined) return [logicalId, resource] as const;
    return [logicalId, { ...resource, Metadata: { ...resource.Metadata, [PATH_METADATA]: path } }] as const;
  });
  return { ...template, Resources: Object.fromEntries(resources) };
}

function constructPathsOf(stack: AssemblyStack): Map<string, string> {
  const paths = new Map<string, string>();
  for (const [path, entries] of Object.entries(readMetadata(stack))) {
    for (const { type, data } of entries) {
      if (type !== "aws:cdk:logicalId" || typeof data !== "string") continue;
      // The resources of nested stacks stand here too and may have the same logical ids; the stack's own have the shorter paths.
      const known = paths.get(data);
      if (known === undefined || path.length <= known.length) paths.set(data, path.slice(1));
    }
  }
  return paths;
}

function readMetadata({ directory, artifact }: AssemblyStack): ConstructMetadata {
  const file = artifact.additionalMetadataFile;
  // The file is for tools: an assembly that was copied without it deploys all the same.
  const isThere = file !== undefined && isFile(join(directory, file));
  return { ...artifact.metadata, ...(isThere ? readJson<ConstructMetadata>(join(directory, file), "The metadata of the stack") : {}) };
}
