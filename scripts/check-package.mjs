// Checks what would be published: packs it, lints the tarball, and uses it as its users would, in a folder outside the repository.
//
//   node scripts/check-package.mjs [--keep]      --keep leaves the folder and prints it
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./workspaces.mjs";

const OTHER_NODES = ["20", "22", "24"].filter((major) => major !== process.versions.node.split(".")[0]);

const folder = mkdtempSync(join(tmpdir(), "sandstack-package-"));
const bare = join(folder, "bare");
const full = join(folder, "full");
const isKept = process.argv.includes("--keep");

process.on("exit", () => (isKept ? console.log(folder) : rmSync(folder, { recursive: true, force: true })));

const tarball = node("pack", [join(root, "scripts/pack.mjs"), folder]).trim();
node("publint", [join(root, "node_modules/publint/src/cli.js"), "--strict", tarball]);
// Node 10 knows no exports map, so it is left out.
node("attw", [join(root, "node_modules/@arethetypeswrong/cli/dist/index.js"), tarball, "--profile", "node16", "--no-color"]);
cpSync(join(root, "scripts/consumers"), folder, { recursive: true });

install(bare, [tarball]);
node("plain Node without optional peers", ["sandstack.mjs"], bare);
run("the command", join(bare, "node_modules/.bin/sandstack"), ["--help"], bare);

install(full, [tarball, ...OTHER_NODES.map((major) => `node${major}@npm:node-${process.platform}-${process.arch}@${major}`)]);
node("jest, CommonJS", ["node_modules/jest/bin/jest.js", "--rootDir", "commonjs"], full);
node("vitest", ["node_modules/vitest/vitest.mjs", "run", "--root", "vitest"], full);
node("types under nodenext", ["node_modules/typescript/bin/tsc", "-p", "types/tsconfig.nodenext.json"], full);
node("types under bundler", ["node_modules/typescript/bin/tsc", "-p", "types/tsconfig.bundler.json"], full);
node("types under exactOptionalPropertyTypes", ["node_modules/typescript/bin/tsc", "-p", "types/tsconfig.exact.json"], full);
// The last TypeScript that resolves without reading `exports`.
node("types under node10", ["node_modules/typescript5/bin/tsc", "-p", "node10/tsconfig.node10.json"], full);
node("plain Node, ES modules", ["esm/sandstack.mjs"], full);
for (const major of OTHER_NODES) run(`plain Node ${major}, ES modules`, join(full, `node_modules/node${major}/bin/node`), ["esm/sandstack.mjs"], full);

function install(cwd, packages) {
  run("install", "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", ...packages], cwd);
}

function node(what, args, cwd = folder) {
  return run(what, process.execPath, args, cwd);
}

/** Runs a command; prints one line when it succeeds, and all it said when it fails. */
function run(what, command, args, cwd) {
  const startedMs = Date.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", env: { ...process.env, CI: "true", FORCE_COLOR: "0" }, shell: command === "npm" && process.platform === "win32" });
  if (status !== 0) {
    console.error(`failed: ${what}\n${error?.message ?? ""}${stdout ?? ""}${stderr ?? ""}`);
    process.exit(1);
  }
  console.log(`ok: ${what} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
  return stdout;
}
