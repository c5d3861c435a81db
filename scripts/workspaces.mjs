// The workspaces of the repository, and where their sources lie.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The condition under which a workspace's `exports` name its sources. */
export const SOURCE_CONDITION = "@sandstack/source";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * The workspaces by package name: `{ name, folder, manifest }`, with `folder` relative to the root (`packages/sqs`).
 *
 * @param from the repository's root; another only in tests
 */
export function readWorkspaces(from = root) {
  const { workspaces } = readManifest(from);
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith("/*")) return [pattern];
    const parent = pattern.slice(0, -2);
    return existsSync(join(from, parent)) ? readdirSync(join(from, parent)).sort().map((name) => `${parent}/${name}`) : [];
  });
  return new Map(
    folders
      .filter((folder) => existsSync(join(from, folder, "package.json")))
      .map((folder) => ({ folder, manifest: readManifest(join(from, folder)) }))
      .map(({ folder, manifest }) => [manifest.name, { name: manifest.name, folder, manifest }]),
  );
}

/** `@sandstack/sqs/limits` → `["@sandstack/sqs", "./limits"]` */
export function splitSpecifier(specifier) {
  const parts = specifier.split("/");
  const name = parts.splice(0, specifier.startsWith("@") ? 2 : 1).join("/");
  return [name, parts.length === 0 ? "." : `./${parts.join("/")}`];
}

/**
 * The source that a workspace import means, relative to the root (`packages/sqs/src/index.ts`), or `undefined` when the specifier names no workspace.
 *
 * @throws when the workspace does not export the subpath
 */
export function sourceOf(workspaces, specifier) {
  const [name, subpath] = splitSpecifier(specifier);
  const workspace = workspaces.get(name);
  if (workspace === undefined) return undefined;
  const source = workspace.manifest.exports?.[subpath]?.[SOURCE_CONDITION];
  if (source === undefined) throw new Error(`${specifier}: ${workspace.folder}/package.json exports no "${subpath}" with the condition "${SOURCE_CONDITION}".`);
  return join(workspace.folder, source);
}

/** An esbuild plugin: workspaces are bundled from their sources; every other package stays an import. */
export function workspaceSources(workspaces = readWorkspaces()) {
  return {
    name: "workspace-sources",
    setup({ onResolve }) {
      // Relative and absolute paths are left to esbuild.
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === "entry-point") return undefined;
        const source = sourceOf(workspaces, path);
        return source === undefined ? { path, external: true } : { path: join(root, source) };
      });
    },
  };
}

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
