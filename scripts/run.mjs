// Runs a TypeScript entry on the workspaces' sources: node scripts/run.mjs <entry.ts> [arguments]
//
// The workspaces are bundled into one module, which takes a fraction of a second; everything else is imported from node_modules as ever.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root, workspaceSources } from "./workspaces.mjs";

/** A module's own place, where it is not the name in a text: `"import.meta.url"`. */
const OWN_PLACE = /(?<!["'`])\bimport\.meta\.(url|dirname|filename)\b/g;

const cacheFolder = join(root, "node_modules", ".cache", "sandstack");

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) {
  console.error("Usage: node scripts/run.mjs <entry.ts> [arguments]");
  process.exit(2);
}
const entryPath = resolve(entry);
const bundlePath = await bundle(entryPath);
process.argv = [process.argv[0], entryPath, ...args];
process.setSourceMapsEnabled(true);
await import(pathToFileURL(bundlePath).href);

/** Bundles the entry with the workspaces' sources; answers where the bundle lies. */
async function bundle(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    absWorkingDir: root,
    outdir: cacheFolder,
    write: false,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "warning",
    // What is bundled may ask for built-in modules with `require`, which a module has not got.
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
    plugins: [workspaceSources(), ownPlace()],
  });
  mkdirSync(cacheFolder, { recursive: true });
  const hash = createHash("sha256").update(path).digest("hex").slice(0, 16);
  const target = join(cacheFolder, `${hash}.mjs`);
  // Renamed into place, so that another process running the same entry never reads half a file.
  const unfinished = `${target}.${process.pid}`;
  writeFileSync(unfinished, outputFiles[0].contents);
  renameSync(unfinished, target);
  return target;
}

/** A bundled source still finds the files beside it: what it knows of its own place is written into it. */
function ownPlace() {
  return {
    name: "own-place",
    setup({ onLoad }) {
      onLoad({ filter: /\.[mc]?ts$/ }, ({ path }) => {
        const place = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path };
        return { loader: "ts", resolveDir: dirname(path), contents: readFileSync(path, "utf8").replace(OWN_PLACE, (_all, member) => JSON.stringify(place[member])) };
      });
    },
  };
}
