import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(__dirname, "../..");

interface Fixture {
  /** Where the code would lie. */
  readonly path: string;
  readonly code: string;
  /** What the rules say of it, in order; nothing when it is left out. */
  readonly refused?: readonly RegExp[];
}

const SEALED: readonly Fixture[] = [
  { path: "packages/sqs/src/time.ts", code: "export const now = [Date.now(), new Date(), Date(), performance.now()];", refused: [/Date\.now is the host's/, /new Date\(\) is/, /Date\(\) is/, /performance/] },
  { path: "packages/sqs/src/time-given.ts", code: "export const at = (ms: number) => new Date(ms);" },
  { path: "packages/sqs/src/timers.ts", code: "setTimeout(() => {}, 1); setInterval(() => {}, 1); globalThis.setImmediate(() => {});", refused: [/setTimeout is/, /setInterval is/, /globalThis\.setImmediate is/] },
  { path: "packages/sqs/src/timer-value.ts", code: "export const timers = { mine: setTimeout };", refused: [/setTimeout is/] },
  { path: "packages/lambda/src/own-timers.ts", code: "export const globals = { setTimeout: (run: () => void) => run() }; globals.setTimeout(() => {});" },
  { path: "packages/lambda/src/hidden-timers.ts", code: "export function start(setTimeout: (run: () => void) => void) { setTimeout(() => {}); }" },
  { path: "packages/sqs/src/timer-module.ts", code: 'import { setTimeout } from "node:timers/promises"; await setTimeout(1);', refused: [/node:timers\/promises/] },
  { path: "packages/iam/src/chance.ts", code: 'import { createHash, randomUUID } from "node:crypto"; export const ids = [Math.random(), randomUUID(), createHash("md5"), crypto.randomUUID()];', refused: [/randomUUID of node:crypto/, /Math\.random/, /crypto\.randomUUID/] },
  { path: "packages/iam/src/chance-of-module.ts", code: 'import crypto from "node:crypto"; export const id = crypto.randomUUID();', refused: [/crypto\.randomUUID/] },
  { path: "packages/core/src/talk.ts", code: 'console.log("here");', refused: [/console is/] },
  { path: "packages/core/src/environment.ts", code: "export const region = process.env.AWS_REGION;", refused: [/process\.env/] },
  { path: "packages/cloudformation/src/files.ts", code: 'import { readFileSync } from "node:fs"; export const text = readFileSync("a"); export const later = import("fs/promises");', refused: [/node:fs/, /fs\/promises/] },
  { path: "packages/protocol/src/net.ts", code: 'import { createServer } from "http"; export const server = createServer(); export const page = fetch("a");', refused: [/http is/, /fetch is/] },
  { path: "packages/protocol/src/net-types.ts", code: 'import type { IncomingMessage } from "node:http"; export type Request = IncomingMessage;' },
  { path: "packages/protocol/src/http-server.ts", code: 'import { createServer } from "node:http"; export const server = createServer();' },
  { path: "packages/core/src/host.ts", code: "export const now = () => [Date.now(), new Date(), Date()]; export const later = setTimeout;" },
  { path: "packages/cdk/src/files.ts", code: 'import { readFileSync } from "node:fs"; export const text = readFileSync(String(Math.random()));', refused: [/Math\.random/] },
  { path: "packages/sqs/test/host.test.ts", code: "console.log(Date.now());" },
];

const DIRECTION: readonly Fixture[] = [
  { path: "packages/sqs/src/core.ts", code: 'import { invariant } from "@sandstack/core"; invariant(true, "a");' },
  { path: "packages/sqs/src/service.ts", code: 'import { iamService } from "@sandstack/iam"; export { lambdaService } from "@sandstack/lambda"; export const service = iamService;', refused: [/may not know @sandstack\/iam/, /may not know @sandstack\/lambda/] },
  { path: "packages/lambda/src/types.ts", code: 'import type { QueueState } from "@sandstack/sqs"; export type State = QueueState;', refused: [/@sandstack\/sqs is not declared in packages\/lambda/] },
  { path: "packages/iam/src/types.ts", code: 'import { type QueueState } from "@sandstack/sqs"; export type State = QueueState; export type Other = import("@sandstack/sqs").QueueState;' },
  { path: "packages/core/src/up.ts", code: 'import type { QueueState } from "@sandstack/sqs"; export type State = QueueState;', refused: [/packages\/core may not know @sandstack\/sqs/] },
  { path: "packages/protocol/src/up.ts", code: 'declare module "@sandstack/sqs" { interface Hidden { a: string } } export {};', refused: [/packages\/protocol may not know @sandstack\/sqs/] },
  { path: "packages/sqs/src/required.ts", code: 'export const iam = require("@sandstack/iam"); export const later = import("sandstack/sqs");', refused: [/may not know @sandstack\/iam/, /may not know sandstack/] },
  { path: "packages/sqs/src/reach.ts", code: 'export { world } from "../../core/src/world.js";', refused: [/reaches into another workspace/] },
  { path: "packages/sqs/test/reach.test.ts", code: 'import { SimAws } from "sandstack"; import { queueOf } from "../src/queue.js"; import { world } from "../../core/src/world.js"; export const all = [SimAws, queueOf, world];', refused: [/reaches into another workspace/] },
  { path: "packages/cdk/src/known.ts", code: 'export { deploy } from "@sandstack/cloudformation"; export { service } from "@sandstack/sqs";', refused: [/packages\/cdk may not know @sandstack\/sqs/] },
  { path: "packages/cases/src/known.ts", code: 'import { SQSClient } from "@aws-sdk/client-sqs"; export { SimAws } from "sandstack"; export { world } from "@sandstack/core"; export const client = SQSClient;', refused: [/packages\/cases may not know @sandstack\/core/] },
  { path: "packages/new/src/index.ts", code: 'export { world } from "@sandstack/core";', refused: [/packages\/new has no line in KNOWS/] },
  { path: "packages/sqs/src/peer.ts", code: 'import { SQSClient } from "@aws-sdk/client-sqs"; export const client = SQSClient;', refused: [/optional peer/] },
  { path: "packages/sqs/src/peer-types.ts", code: 'import type { SQSClient } from "@aws-sdk/client-sqs"; export type Client = SQSClient;' },
  { path: "examples/orders/lib/stack.ts", code: 'import { Stack } from "aws-cdk-lib"; export { SimAws } from "sandstack"; export { world } from "@sandstack/core"; export const stack = Stack;', refused: [/examples\/orders may not know @sandstack\/core/] },
];

const REASONS: readonly Fixture[] = [
  { path: "packages/sqs/src/bare.ts", code: "export const a = (value: unknown) => value as string;\n\nexport const b = (list: string[]) => list[0]!;\n\nexport type C = any;", refused: [/`as` needs/, /`!` needs/, /`any` needs/] },
  { path: "packages/sqs/src/reasoned.ts", code: "export const a = (value: unknown) => value as string; // it was checked\n\n// never empty\nexport const b = (list: string[]) => list[0]!;" },
  { path: "packages/sqs/src/plain.ts", code: 'export const a = ["b"] as const;\n\nexport const text = (error: unknown) => (error as Error).message;\n\nexport const b = (c: object) => (c as Record<string, unknown>).d as unknown[];' },
];

let folder: string;
let findings: ReadonlyMap<string, readonly string[]>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sandstack-lint-"));
  for (const { path, code } of [...SEALED, ...DIRECTION, ...REASONS]) write(path, code);
  for (const name of ["cases", "cdk", "cloudformation", "core", "iam", "lambda", "new", "protocol", "sqs"]) write(`packages/${name}/package.json`, JSON.stringify(manifestOf(name)));
  cpSync(join(root, "packages/sandstack/package.json"), join(folder, "packages/sandstack/package.json"), { recursive: true });
  write("examples/orders/package.json", JSON.stringify({ devDependencies: { sandstack: "0.1.0" } }));
  cpSync(join(root, "scripts/lint"), join(folder, "scripts/lint"), { recursive: true });
  write(".oxlintrc.json", JSON.stringify({ ...ownRules(), categories: { correctness: "off" } }));
  const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/oxlint/bin/oxlint"), "--format", "json"], { cwd: folder, encoding: "utf8" });
  findings = findingsByFile(stdout);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The rules of the repository's own configuration: one that is dropped there fails here. */
function ownRules(): { jsPlugins: string[]; rules: Record<string, string> } {
  const text = readFileSync(join(root, ".oxlintrc.json"), "utf8").replace(/^\s*\/\/.*$/gm, "");
  const { jsPlugins, rules } = JSON.parse(text) as { jsPlugins: string[]; rules: Record<string, string> };
  return { jsPlugins, rules: Object.fromEntries(Object.entries(rules).filter(([name]) => name.startsWith("sandstack/"))) };
}

function manifestOf(name: string): object {
  const knows: Record<string, string[]> = { cases: ["sandstack"], cdk: ["@sandstack/core", "@sandstack/cloudformation"], iam: ["@sandstack/core", "@sandstack/sqs"] };
  return { dependencies: Object.fromEntries((knows[name] ?? ["@sandstack/core"]).map((dependency) => [dependency, "0.1.0"])) };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function findingsByFile(json: string): ReadonlyMap<string, readonly string[]> {
  const { diagnostics } = JSON.parse(json) as { diagnostics: { filename: string; message: string; labels: { span: { offset: number } }[] }[] };
  const byFile = new Map<string, string[]>();
  for (const { filename, message } of diagnostics.sort((a, b) => (a.labels[0]?.span.offset ?? 0) - (b.labels[0]?.span.offset ?? 0))) {
    byFile.set(filename, [...(byFile.get(filename) ?? []), message]);
  }
  return byFile;
}

describe.each([
  ["the world is sealed from the host", SEALED],
  ["the workspaces know each other in one direction", DIRECTION],
  ["what overrules the compiler has its reason beside it", REASONS],
])("%s", (_, fixtures) => {
  test.each(fixtures)("$path: $code", ({ path, refused = [] }) => {
    const found = findings.get(path) ?? [];
    expect(found).toEqual(refused.map((message) => expect.stringMatching(message)));
  });
});
