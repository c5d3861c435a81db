export { readCases, type BehaviourCase } from "./case.js";
export { runCase, type CaseResult, type RunOptions } from "./runner.js";
export { reportLine } from "./report.js";
