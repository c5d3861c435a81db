import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "@swc/core";

// The compiler runs in one of the tests.
jest.setTimeout(60_000);

const root = join(__dirname, "../../..");

/** One fenced block of TypeScript or JavaScript. */
interface Snippet {
  readonly document: string;
  /** `README.md:12`, where it begins. */
  readonly place: string;
  /** `./orders-stack`, where the fence gives a file name after the language: the document's other snippets may import it. */
  readonly importedAs: string | undefined;
  readonly code: string;
}

type Body = () => unknown;

const documents = ["README.md", ...readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
const snippets = documents.flatMap(snippetsOf);

test.each(snippets)("the snippet at $place runs", async (snippet) => {
  const bodies: Body[] = [];
  await evaluate(snippet, bodies);
  for (const body of bodies) await body();
});

test("the snippets are well typed", () => {
  const folder = join(root, "node_modules/.cache/sandstack/snippets");
  rmSync(folder, { recursive: true, force: true });
  const files = snippets.map(({ document, place, importedAs, code }) => {
    const file = join(document, `${importedAs ?? place.replace(/\W/g, "-")}.ts`);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `export {};${code}`);
    return file;
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: join(root, "tsconfig.json"), files, include: [], compilerOptions: { noUnusedLocals: false } }));
  const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"], { encoding: "utf8", cwd: folder });
  // What is wrong in the sources is the type check's to tell.
  expect(stdout.split("\n").filter((line) => files.some((file) => line.startsWith(file)))).toEqual([]);
});

function snippetsOf(document: string): Snippet[] {
  const text = readFileSync(join(root, document), "utf8");
  return [...text.matchAll(/^```(?:ts|typescript|js|javascript)(?:[ \t]+(\S+)\.[jt]s)?[ \t]*\n([\s\S]*?)^```/gm)].map(({ 1: name, 2: code = "", index }) => ({
    document,
    place: `${document}:${text.slice(0, index).split("\n").length}`,
    importedAs: name === undefined ? undefined : `./${name}`,
    code,
  }));
}

/** Runs a snippet as a module; the tests that it declares are added to `bodies`. Answers its exports. */
async function evaluate(snippet: Snippet, bodies: Body[]): Promise<object> {
  const { code } = transformSync(snippet.code, {
    filename: snippet.place,
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
  });
  const imported = new Map<string, object>();
  for (const other of snippets) {
    if (other.importedAs !== undefined && snippet.code.includes(`"${other.importedAs}.js"`)) imported.set(`${other.importedAs}.js`, await evaluate(other, bodies));
  }
  const exports = {};
  const globals = {
    require: (specifier: string): unknown => imported.get(specifier) ?? require(specifier),
    exports,
    test: (_name: string, body: Body) => bodies.push(body),
    expect,
    console: { log() {} },
  };
  // A module may await at its top, so it is run as the body of an asynchronous function.
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (...parts: string[]) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction(...Object.keys(globals), code)(...Object.values(globals));
  return exports;
}
