import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The repository's root. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * A file of the package as it is published; without a build, one file made of the sources.
 *
 * @param workspace the folder's name under `packages`
 * @param name the file's name in its sources, without extension
 */
export async function packageEntry(workspace: string, name: string): Promise<string> {
  const published = join(root, `packages/sandstack/dist/esm/${workspace}/${name}.js`);
  if (existsSync(published)) return published;
  // Inside the repository, where peers would be found.
  const outfile = join(root, `node_modules/.cache/sandstack/bench-${workspace}-${name}.mjs`);
  await build({
    entryPoints: [join(root, `packages/${workspace}/src/${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sandstack/source"],
    external: ["@aws-sdk/*", "@smithy/*", "aws-cdk-lib", "constructs", "esbuild"],
    // What is bundled may ask for built-in modules with `require`, which a module has not got.
    banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  });
  return outfile;
}
