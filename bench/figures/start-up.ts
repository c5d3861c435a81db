import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { figure, type Benchmark } from "../figure.js";
import { interleaved } from "../measure.js";
import { packageEntry, root } from "../package-entry.js";

const ROUNDS = 15;
const LIMIT_MS = 60;

/** What importing the package and making a world adds to an empty Node process, and which SDK modules that loads. */
export const startUp: Benchmark = {
  name: "start-up",
  async run() {
    const entry = await packageEntry("sandstack", "index");
    const world = `import { SimAws } from ${JSON.stringify(pathToFileURL(entry).href)}; new SimAws();`;
    const loaded = runNode(`${world} import Module from "node:module"; console.log(Object.keys(Module._cache).filter((path) => /@aws-sdk|@smithy|aws-cdk-lib/.test(path)).length);`);
    const timesMs = await interleaved(ROUNDS, { empty: () => runNode(""), world: () => runNode(world) });
    return [
      figure("start-up.import-and-world", timesMs.world - timesMs.empty, "ms more than an empty process", { target: LIMIT_MS }),
      figure("start-up.sdk-modules-loaded", Number(loaded), "modules", { target: 0 }),
    ];
  },
};

function runNode(source: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", source], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`A process of the benchmark failed: ${stderr}`);
  return stdout;
}
