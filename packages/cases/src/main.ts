import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readCases, type BehaviourCase } from "./case.js";
import { reportLine } from "./report.js";
import { runCase, type CaseResult } from "./runner.js";
import { ways, type Way } from "./via/send.js";

const OWN_CASES = join(dirname(fileURLToPath(import.meta.url)), "..", "fixtures");
const USAGE = `Usage: npm run cases [-- FOLDER] [--via ${Object.keys(ways).join("|")}]`;

const options = readOptions();
if (options === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const cases = readFolder(options.folder);
  process.exitCode = cases === undefined ? 2 : await runAll(cases, options.via);
}

function readOptions(): { folder: string; via: Way } | undefined {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options: { via: { type: "string", default: "direct" } } });
    const { via } = values;
    return isWay(via) && positionals.length <= 1 ? { folder: resolve(positionals[0] ?? OWN_CASES), via } : undefined;
  } catch {
    return undefined; // an option that is none: the usage is shown
  }
}

function isWay(text: string): text is Way {
  return Object.hasOwn(ways, text);
}

/** The cases of a folder; `undefined` where they cannot be read, which is told. */
function readFolder(folder: string): BehaviourCase[] | undefined {
  try {
    return readCases(folder);
  } catch (error) {
    console.error(`The cases of ${folder} cannot be read: ${(error as Error).message}`); // the host and JSON.parse throw errors
    return undefined;
  }
}

/** Runs cases and prints what did not pass; answers the process's exit code. */
async function runAll(cases: readonly BehaviourCase[], via: Way): Promise<number> {
  const results: CaseResult[] = [];
  for (const behaviourCase of cases) {
    const result = await runCase(behaviourCase, { via });
    const line = reportLine(result);
    if (line !== undefined) console.log(line);
    results.push(result);
  }
  const count = (outcome: CaseResult["outcome"]): number => results.filter((result) => result.outcome === outcome).length;
  console.log(`${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  return count("failed") === 0 ? 0 : 1;
}
