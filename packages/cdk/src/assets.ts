import { dirname, join } from "node:path";
import { simError, type AssetStore, type Scope } from "@sandstack/core";
import type { AssemblyStack } from "./assembly.js";
import { substituteEnvironment } from "./environment.js";
import { isFile, isFolder, readAssetFiles, readJson, type Files } from "./files.js";
import type { AssetManifest, FileAssetEntry } from "./manifest.js";

/**
 * Publishes a stack's file assets under the buckets and keys that its template names. No bucket and no bootstrapping is needed.
 * The files are read when a function first needs them.
 *
 * @param scope where the stack is deployed
 */
export function publishAssets(store: AssetStore, stack: AssemblyStack, scope: Scope): void {
  for (const manifestPath of stack.assetManifestPaths) {
    const { files = {} } = readJson<AssetManifest>(manifestPath, `The asset manifest of the stack ${stack.stackName}`);
    for (const [id, asset] of Object.entries(files)) {
      const read = once(() => readAsset(dirname(manifestPath), id, asset));
      for (const { bucketName, objectKey } of Object.values(asset.destinations)) {
        store.publish({ bucket: substituteEnvironment(bucketName, scope), key: substituteEnvironment(objectKey, scope), files: read });
      }
    }
  }
}

/** @throws SimAssetUnavailable when the files are not there to be read */
function readAsset(directory: string, id: string, { displayName = id, source }: FileAssetEntry): Files {
  if (source.path === undefined) {
    throw simError("SimAssetUnavailable", `The asset ${displayName} is made by a program of its own, which the sandbox does not run. Give its function's code with a binding.`);
  }
  const path = join(directory, source.path);
  if (!isFile(path) && !isFolder(path)) {
    throw simError("SimAssetUnavailable", `The files of the asset ${displayName} are not at ${path}. Synthesize the app again, or give its function's code with a binding.`);
  }
  return readAssetFiles(path);
}

function once<T>(read: () => T): () => T {
  let value: { of: T } | undefined;
  return () => (value ??= { of: read() }).of;
}
