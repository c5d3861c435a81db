// Builds what is published into packages/sandstack/dist, as ES modules and as CommonJS:
//
//   dist/<format>/all.js            every workspace in one module, each public entry as a namespace of it
//   dist/<format>/sandstack/*.js    the public entries, which take their names from that module
//   dist/<format>/<package>/*.d.ts  the types, file by file
//   dist/esm/<command>/*.js         what belongs to a command alone
//   dist/src/<package>/**           the sources that source maps and declaration maps point at
//
// One module, because loading some three hundred files takes longer than all that they do; and one for all entries, because a
// bundle for each would hold its own copy of the core.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { publicEntries, publishedWorkspaces } from "./published.mjs";
import { readWorkspaces, root, sourceOf, splitSpecifier, workspaceSources } from "./workspaces.mjs";

const dist = join(root, "packages/sandstack/dist");

// The places of a module's name: from "x", import "x", import("x"), require("x"), declare module "x".
const SPECIFIER = /(\bfrom\s*"|\bimport\s*\(?\s*"|\brequire\("|\bdeclare module ")([^"]+)(")/g;

// What a package adds to those types of the core that users see.
const ADDS_TO_PUBLIC_TYPES = /^declare module "[^"]+" \{[^}]*?\binterface (LogEvents|ServiceOperations|WorldSettings) /m;

const workspaces = readWorkspaces();
const published = publishedWorkspaces(workspaces);

rmSync(dist, { recursive: true, force: true });
compileTypes();
for (const workspace of published) assemble(workspace);
write(join(dist, "cjs/package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
await bundle("esm");
await bundle("cjs");
await writeEntries();
checkSpecifiers();
checkAugmentations();

function compileTypes() {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", ...published.map(({ folder }) => folder)], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** Types, and the modules of commands: a command is run, not imported, and Node takes it as a module. */
function assemble({ folder, manifest, ...workspace }) {
  const isCommand = manifest.publishConfig?.bin !== undefined;
  const name = basename(folder);
  const emitted = join(root, folder, "build");
  cpSync(join(root, folder, "src"), join(dist, "src", name), { recursive: true });
  for (const file of filesBelow(join(root, folder, "src"))) {
    if (extname(file) !== ".ts") throw new Error(`${folder}/src/${file}: only TypeScript is built.`);
    const stem = file.slice(0, -".ts".length);
    for (const extension of isCommand ? [".js", ".d.ts"] : [".d.ts"]) {
      const text = readFileSync(join(emitted, stem + extension), "utf8");
      const map = JSON.parse(readFileSync(join(emitted, `${stem}${extension}.map`), "utf8"));
      for (const format of isCommand ? ["esm"] : ["esm", "cjs"]) writeMapped(workspace, format, name, file, stem + extension, text, map);
    }
  }
}

/** All workspaces as one module. Nothing is shortened, so that stack traces read well. */
async function bundle(format) {
  const target = join(dist, format, "all.js");
  const { outputFiles } = await build({
    stdin: { contents: publicEntries(workspaces).map(({ name, specifier }) => `export * as ${name} from "${specifier}";`).join("\n"), resolveDir: root },
    absWorkingDir: root,
    outfile: target,
    write: false,
    bundle: true,
    platform: "node",
    format,
    target: "node20",
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    logLevel: "warning",
    plugins: [workspaceSources(workspaces)],
    ...(format === "cjs" && {
      define: { "import.meta.url": "__moduleUrl" },
      banner: { js: 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    }),
  });
  for (const { path, text } of outputFiles) write(path, path.endsWith(".map") ? JSON.stringify(withPublishedSources(JSON.parse(text), target)) : text);
}

/** A map whose sources are the published copies. */
function withPublishedSources(map, target) {
  return { ...map, sources: map.sources.map((source) => relative(dirname(target), publishedSource(resolve(dirname(target), source)))) };
}

/** `packages/core/src/arn.ts` → `dist/src/core/arn.ts` */
function publishedSource(path) {
  const [, packageFolder, , ...file] = relative(root, path).split("/");
  return join(dist, "src", packageFolder, ...file);
}

/** The public entries: what `export *` of a bundle cannot say, each name is said by hand. */
async function writeEntries() {
  const all = await import(pathToFileURL(join(dist, "esm/all.js")).href);
  for (const { name, file } of publicEntries(workspaces)) {
    const names = Object.keys(all[name]).join(", ");
    write(join(dist, "esm/sandstack", file), `import { ${name} as entry } from "../all.js";\nexport const { ${names} } = entry;\n`);
    write(join(dist, "cjs/sandstack", file), `const { ${name}: entry } = require("../all.js");\nconst { ${names} } = entry;\nmodule.exports = { ${names} };\n`);
  }
}

function writeMapped(workspace, format, name, sourceFile, file, text, map) {
  const target = join(dist, format, name, file);
  const source = join(dist, "src", name, sourceFile);
  const mapped = { ...map, file: basename(target), sourceRoot: undefined, sources: [relative(dirname(target), source)] };
  const code = relativeImports(workspace, text, relative(dist, target)).replace(/\n?\/\/# sourceMappingURL=.*\s*$/, "");
  write(target, `${code.trimEnd()}\n//# sourceMappingURL=${basename(target)}.map\n`);
  write(`${target}.map`, JSON.stringify(mapped));
}

/** The text with its imports of other workspaces made relative to `file` (`esm/sqs/queue.js`). */
function relativeImports(workspace, text, file) {
  const inFormat = file.split("/").slice(1);
  const rewrite = (specifier) => {
    const [name] = splitSpecifier(specifier);
    const source = name === workspace.name ? undefined : sourceOf(workspaces, specifier);
    if (source === undefined) return specifier;
    const [, packageFolder, , ...path] = source.split("/"); // packages/core/src/index.ts
    const target = join(packageFolder, ...path).replace(/\.ts$/, ".js");
    return relative(dirname(join(...inFormat)), target).replace(/^(?!\.)/, "./");
  };
  return text
    .split("\n")
    .map((line) => (isComment(line) ? line : line.replace(SPECIFIER, (_, before, specifier, after) => before + rewrite(specifier) + after)))
    .join("\n");
}

/** After the build, each specifier leads to a file of the build, and none names a workspace. */
function checkSpecifiers() {
  const wrong = [];
  for (const file of filesBelow(dist)) {
    if (file.startsWith("src/") || !/\.(js|d\.ts)$/.test(file)) continue;
    for (const line of readFileSync(join(dist, file), "utf8").split("\n")) {
      if (isComment(line)) continue;
      for (const [, , specifier] of line.matchAll(SPECIFIER)) {
        const target = join(dist, dirname(file), specifier);
        const leadsNowhere = specifier.startsWith(".") && !existsSync(file.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target);
        if (leadsNowhere || specifier.startsWith("@sandstack/")) wrong.push(`${file}: ${specifier}`);
      }
    }
  }
  if (wrong.length === 0) return;
  console.error(`Imports that lead nowhere in the build:\n${wrong.join("\n")}`);
  process.exit(1);
}

/** Types that add to others' (`declare module "…"`) count only where a user's program comes upon them: from the main entry on. */
function checkAugmentations() {
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file) || !existsSync(file)) return;
    reached.add(file);
    for (const [, , specifier] of readFileSync(file, "utf8").matchAll(SPECIFIER)) if (specifier.startsWith(".")) visit(join(dirname(file), specifier.replace(/\.js$/, ".d.ts")));
  };
  for (const format of ["esm", "cjs"]) visit(join(dist, format, "sandstack/index.d.ts"));
  const missed = filesBelow(dist).filter((file) => file.endsWith(".d.ts") && !reached.has(join(dist, file)) && ADDS_TO_PUBLIC_TYPES.test(readFileSync(join(dist, file), "utf8")));
  if (missed.length === 0) return;
  console.error(`Types that add to others', which the main entry does not lead to (export them from their package's index):\n${missed.join("\n")}`);
  process.exit(1);
}

function isComment(line) {
  return /^\s*(\*|\/\/|\/\*)/.test(line);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
