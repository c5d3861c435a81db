// Builds what is published into packages/sandstack/dist: every workspace file by file, as ES modules and as CommonJS, with types for both.
//
//   dist/esm/<package>/**   what `tsc -b` emitted
//   dist/cjs/<package>/**   each source through esbuild, beside the same types
//   dist/src/<package>/**   the sources that source maps and declaration maps point at
//
// Imports of a workspace become relative paths. Nothing is bundled: a bundle for each entry would hold its own copy of the core.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import { transform } from "esbuild";
import { publishedWorkspaces } from "./published.mjs";
import { readWorkspaces, root, sourceOf, splitSpecifier } from "./workspaces.mjs";

const dist = join(root, "packages/sandstack/dist");

// The places of a module's name: from "x", import "x", import("x"), require("x"), declare module "x".
const SPECIFIER = /(\bfrom\s*"|\bimport\s*\(?\s*"|\brequire\("|\bdeclare module ")([^"]+)(")/g;

const workspaces = readWorkspaces();
const published = publishedWorkspaces(workspaces);

rmSync(dist, { recursive: true, force: true });
compileTypes();
for (const workspace of published) await assemble(workspace);
write(join(dist, "cjs/package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
checkSpecifiers();

function compileTypes() {
  const { status } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", ...published.map(({ folder }) => folder)], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

async function assemble(workspace) {
  const { folder, manifest } = workspace;
  // A command is run, not imported: Node takes it as a module.
  const formats = manifest.publishConfig?.bin === undefined ? ["esm", "cjs"] : ["esm"];
  const name = basename(folder);
  const emitted = join(root, folder, "build");
  cpSync(join(root, folder, "src"), join(dist, "src", name), { recursive: true });
  for (const file of filesBelow(join(root, folder, "src"))) {
    if (extname(file) !== ".ts") {
      for (const format of formats) cpSync(join(root, folder, "src", file), join(dist, format, name, file));
      continue;
    }
    const stem = file.slice(0, -".ts".length);
    for (const extension of [".js", ".d.ts"]) {
      const text = readFileSync(join(emitted, stem + extension), "utf8");
      const map = JSON.parse(readFileSync(join(emitted, `${stem}${extension}.map`), "utf8"));
      for (const format of extension === ".js" ? ["esm"] : formats) writeMapped(workspace, format, name, file, stem + extension, text, map);
    }
    if (!formats.includes("cjs")) continue;
    const commonJs = await toCommonJs(join(root, folder, "src", file));
    writeMapped(workspace, "cjs", name, file, `${stem}.js`, commonJs.code, JSON.parse(commonJs.map));
  }
}

/** One source as CommonJS. */
async function toCommonJs(path) {
  const source = readFileSync(path, "utf8");
  const knowsItsPlace = source.includes("import.meta.url");
  const { code, map, warnings } = await transform(source, {
    loader: "ts",
    format: "cjs",
    platform: "node",
    target: "node20",
    sourcemap: "external",
    sourcesContent: false,
    sourcefile: path,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    ...(knowsItsPlace && {
      define: { "import.meta.url": "__moduleUrl" },
      banner: 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;',
    }),
  });
  if (warnings.length > 0) throw new Error(`${path} as CommonJS: ${warnings.map(({ text }) => text).join(" ")}`);
  return { code, map };
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
