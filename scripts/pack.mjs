// Packs what `npm run build` made into one tarball: node scripts/pack.mjs [folder, default "build"]. Prints the tarball's path.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { publishedManifest } from "./published.mjs";
import { root } from "./workspaces.mjs";

const folder = resolve(process.argv[2] ?? join(root, "build"));
const dist = join(root, "packages/sandstack/dist");
if (!existsSync(dist)) {
  console.error("Nothing is built yet: npm run build");
  process.exit(1);
}

const staged = join(folder, "package");
rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });
cpSync(dist, join(staged, "dist"), { recursive: true });
for (const file of ["README.md", "LICENSE", "NOTICE"]) cpSync(join(root, file), join(staged, file));
writeFileSync(join(staged, "package.json"), `${JSON.stringify(publishedManifest(), null, 2)}\n`);

const { status, stdout, stderr } = spawnSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: staged, encoding: "utf8", shell: process.platform === "win32" });
if (status !== 0) {
  console.error(stderr);
  process.exit(1);
}
rmSync(staged, { recursive: true });
console.log(join(folder, JSON.parse(stdout)[0].filename));
