import { join } from "node:path";
import { readCases } from "../src/case.js";
import { reportLine } from "../src/report.js";
import { runCase, type CaseResult } from "../src/runner.js";
import { ways, type Way } from "../src/via/send.js";

const cases = readCases(join(__dirname, "../fixtures"));

/** What the sandbox lacks, by case. A case that is no longer skipped, or newly is, changes this list. */
const LACKS: Readonly<Record<string, string>> = {
  C008: "FIFO queues, and cannot create q.fifo",
  C010: "FIFO queues, and cannot create q.fifo",
  C012: "FIFO queues, and cannot create dlq.fifo",
  C014: "FIFO queues, and cannot create q.fifo",
  C016: "FIFO queues, and cannot create q.fifo",
  C018: "FIFO queues, and cannot create q.fifo",
  C020: "FIFO queues, and cannot create q.fifo",
  C022: "FIFO queues, and cannot create q.fifo",
  C025: "sqs:StartMessageMoveTask",
  C027: "sqs:StartMessageMoveTask",
  C029: "FIFO queues, and cannot create dlq.fifo",
  C044: "FIFO queues, and cannot create f.fifo",
  C047: "FIFO queues, and cannot create q.fifo",
  C055: "FIFO queues, and cannot create q.fifo",
  C074: expect.stringMatching(/^FIFO queues, and cannot create s-D-\w+\.fifo$/) as string, // a matcher stands for a text
  C088: "custom resources",
  C090: "custom resources",
  C093: "sns",
  C095: "sns",
  C097: "FIFO queues, and cannot create q.fifo",
  C099: "s3",
  C109: "sns",
  C116: "FIFO queues, and cannot create q.fifo",
  C117: "sns",
  C121: "peek",
};

describe.each(Object.keys(ways) as Way[])("via %s", (via) => {
  const results = new Map<string, CaseResult>();

  test.each(cases)("$id $title", async (behaviourCase) => {
    const result = await runCase(behaviourCase, { via });
    results.set(behaviourCase.id, result);
    if (result.outcome === "failed") throw new Error(reportLine(result));
  });

  test("the cases that are skipped, and for what the sandbox lacks, are these and no others", () => {
    const skipped = [...results.values()].flatMap((result) => (result.outcome === "skipped" ? [[result.id, result.lacks]] : []));
    expect(Object.fromEntries(skipped)).toEqual(LACKS);
  });
});
