// What goes into the published package: its workspaces, and its package.json.
import { basename } from "node:path";
import { readWorkspaces, SOURCE_CONDITION } from "./workspaces.mjs";

/** The workspace that users install. */
const PUBLIC = "sandstack";

/** What users may import: each with its specifier (`sandstack/sqs`), a name for it, and its file among the built ones (`sqs.js`). */
export function publicEntries(workspaces = readWorkspaces()) {
  return Object.entries(workspaces.get(PUBLIC).manifest.exports)
    .filter(([, target]) => typeof target !== "string")
    .map(([subpath, target]) => {
      const name = basename(target[SOURCE_CONDITION], ".ts");
      return { name, specifier: PUBLIC + subpath.slice(1), file: `${name}.js` };
    });
}

/** The public package's workspace, those that add a command to it (`publishConfig.bin`), and every workspace that these need. */
export function publishedWorkspaces(workspaces = readWorkspaces()) {
  const found = new Set();
  const visit = (name) => {
    const workspace = workspaces.get(name);
    if (workspace === undefined || found.has(workspace)) return;
    found.add(workspace);
    for (const dependency of Object.keys(workspace.manifest.dependencies ?? {})) visit(dependency);
  };
  visit(PUBLIC);
  for (const { name, manifest } of workspaces.values()) if (manifest.publishConfig?.bin !== undefined) visit(name);
  return [...found];
}

/** The package.json of the tarball: the public workspace's own, with the workspaces' third-party dependencies in place of the workspaces. */
export function publishedManifest(workspaces = readWorkspaces()) {
  const { private: _private, devDependencies: _devDependencies, exports, dependencies: _dependencies, ...manifest } = workspaces.get(PUBLIC).manifest;
  return { ...manifest, ...commands(workspaces), exports: withoutSources(exports), typesVersions: typesVersions(exports), dependencies: thirdPartyDependencies(workspaces) };
}

/** A workspace names the source of its command: `"publishConfig": { "bin": { "sandstack": "./src/main.ts" } }`. A plain `bin` would be linked here, unbuilt. */
function commands(workspaces) {
  const bin = publishedWorkspaces(workspaces).flatMap(({ folder, manifest }) =>
    Object.entries(manifest.publishConfig?.bin ?? {}).map(([command, source]) => [command, `./${source.replace(/^\.\/src\//, `dist/esm/${basename(folder)}/`).replace(/\.ts$/, ".js")}`]),
  );
  return bin.length === 0 ? {} : { bin: Object.fromEntries(bin) };
}

function withoutSources(exports) {
  return Object.fromEntries(
    Object.entries(exports).map(([subpath, target]) => {
      if (typeof target === "string") return [subpath, target];
      const { [SOURCE_CONDITION]: _source, ...conditions } = target;
      return [subpath, conditions];
    }),
  );
}

/** Where TypeScript finds the subpaths' types that reads no `exports`: under `"moduleResolution": "node10"`, which Node's `require` goes with. */
function typesVersions(exports) {
  const subpaths = Object.entries(exports).filter(([subpath, target]) => subpath !== "." && typeof target !== "string");
  return { "*": Object.fromEntries(subpaths.map(([subpath, target]) => [subpath.slice("./".length), [target.require.types]])) };
}

function thirdPartyDependencies(workspaces) {
  const dependencies = {};
  for (const { folder, manifest } of publishedWorkspaces(workspaces)) {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (workspaces.has(name)) continue;
      if ((dependencies[name] ??= range) !== range) throw new Error(`${folder}/package.json wants ${name} ${range}, another workspace ${dependencies[name]}: one range for all.`);
    }
  }
  return Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
}
