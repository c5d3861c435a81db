import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { figure, type Benchmark } from "../figure.js";
import { interleaved } from "../measure.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const ROUNDS = 15;
const LIMIT_MS = 60;

/** What importing the package and making a world adds to an empty Node process, and which SDK modules that loads. */
export const startUp: Benchmark = {
  name: "start-up",
  async run() {
    const entry = await builtPackage();
    const world = `import { SimAws } from ${JSON.stringify(pathToFileURL(entry).href)}; new SimAws();`;
    const loaded = runNode(`${world} import Module from "node:module"; console.log(Object.keys(Module._cache).filter((path) => /@aws-sdk|@smithy|aws-cdk-lib/.test(path)).length);`);
    const timesMs = await interleaved(ROUNDS, { empty: () => runNode(""), world: () => runNode(world) });
    return [
      figure("start-up.import-and-world", timesMs.world - timesMs.empty, "ms more than an empty process", { target: LIMIT_MS }),
      figure("start-up.sdk-modules-loaded", Number(loaded), "modules", { target: 0 }),
    ];
  },
};

/** The package's entry as it is published; without a build, one file made of the sources. */
async function builtPackage(): Promise<string> {
  const published = join(root, "packages/sandstack/dist/esm/sandstack/index.js");
  if (existsSync(published)) return published;
  // Inside the repository, where peers would be found.
  const outfile = join(root, "node_modules/.cache/sandstack/bench-start-up.mjs");
  await build({
    entryPoints: [join(root, "packages/sandstack/src/index.ts")],
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

function runNode(source: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", source], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`A process of the benchmark failed: ${stderr}`);
  return stdout;
}
