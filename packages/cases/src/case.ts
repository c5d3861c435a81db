import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One scenario: what AWS does for a small sequence of calls. */
export interface BehaviourCase {
  readonly id: string;
  readonly area: string;
  readonly title: string;
  readonly settings?: CaseSettings;
  readonly steps: readonly Step[];
}

export interface CaseSettings {
  /** Default `"off"`. */
  readonly iam?: "enforce" | "off";
  /** ISO time at which the clock starts. Default: any. */
  readonly startAt?: string;
}

/** A step as it stands in the file; its kind is told by the key it has. */
export type Step = Readonly<Record<string, unknown>>;

/** Reads all cases of a folder, in the order of their file names. @throws naming the file that cannot be read */
export function readCases(folder: string): BehaviourCase[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => readCase(join(folder, name)));
}

function readCase(path: string): BehaviourCase {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as BehaviourCase; // the format's README is the contract
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error }); // the host and JSON.parse throw errors
  }
}
