import { join } from "node:path";
import { readCases } from "../src/case.js";
import { reportLine } from "../src/report.js";
import { runCase, type CaseResult } from "../src/runner.js";
import { ways, type Way } from "../src/via/send.js";

const cases = readCases(join(__dirname, "../fixtures"));

/** What the sandbox lacks, by case. A case that is no longer skipped, or newly is, changes this list. */
const LACKS: Readonly<Record<string, string>> = {
  C088: "custom resources",
  C090: "custom resources",
  C093: "sns",
  C095: "sns",
  C097: "sns",
  C099: "s3",
  C109: "sns",
  C117: "sns",
};

describe.each(Object.keys(ways) as Way[])("via %s", (via) => {
  const results = new Map<string, CaseResult>();

  test.each(cases)("$id $title", async (behaviourCase) => {
    // Other suites share the machine: budgets are for `npm run cases`.
    const result = await runCase(behaviourCase, { via, holdsBudgets: false });
    results.set(behaviourCase.id, result);
    if (result.outcome === "failed") throw new Error(reportLine(result));
  }, 180_000);

  test("the cases that are skipped, and for what the sandbox lacks, are these and no others", () => {
    const skipped = [...results.values()].flatMap((result) => (result.outcome === "skipped" ? [[result.id, result.lacks]] : []));
    expect(Object.fromEntries(skipped)).toEqual(LACKS);
  });
});
