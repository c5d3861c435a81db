import type * as Esbuild from "esbuild";
import { findPeer, loadPeer } from "@sandstack/core";

/** Code ready to be run as the body of a CommonJS module. */
export interface ModuleCode {
  readonly code: string;
  /** True for a module with `await` at its top level: `code` is then the body of an async function. */
  readonly isAsync: boolean;
  /** From the code to the file's text, as a source map's JSON; absent where the code is the text. */
  readonly map?: string;
}

/** What a file's text is. */
export type ModuleFormat = "commonjs" | "module" | "typescript";

/** Which names the transformed code finds beside those of every CommonJS module. */
export const MODULE_PARAMETERS = ["exports", "require", "module", "__filename", "__dirname", "__importMetaUrl", "__importModule", "__exportAll"] as const;

const NODE_TARGET = "node20";
/** `import(…)` in CommonJS text: a script of a context of its own cannot do it by itself. */
const DYNAMIC_IMPORT = /\bimport\s*\(/;

/** By the bytes of a file, which stay the same object as long as a function's code is the same. */
const transformed = new WeakMap<Uint8Array, ModuleCode>();

/**
 * Makes a file's text the body of a CommonJS module: ES modules and TypeScript through esbuild, CommonJS as it is.
 *
 * @throws SimMissingPeer when esbuild is needed and not installed
 * @throws SyntaxError for text that is not of its format
 */
export function moduleCode(bytes: Uint8Array, filename: string, format: ModuleFormat): ModuleCode {
  let code = transformed.get(bytes);
  if (code === undefined) transformed.set(bytes, (code = transform(Buffer.from(bytes).toString("utf8"), filename, format)));
  return code;
}

function transform(text: string, filename: string, format: ModuleFormat): ModuleCode {
  // A script's first line may name its interpreter.
  const source = text.replace(/^\uFEFF?#!.*/, "");
  if (format === "commonjs") {
    const esbuild = DYNAMIC_IMPORT.test(source) ? findPeer<typeof Esbuild>("esbuild") : undefined;
    return esbuild === undefined ? { code: source, isAsync: false } : toCommonJs(esbuild, source, filename);
  }
  const esbuild = loadPeer<typeof Esbuild>("esbuild", `to run ${filename}, which is ${format === "module" ? "an ES module" : "TypeScript"},`);
  try {
    return toCommonJs(esbuild, source, filename);
  } catch (error) {
    if (String((error as Error).message).includes("Top-level await")) return toAsyncBody(esbuild, source, filename);
    throw syntaxError(error, filename);
  }
}

function loaderOf(filename: string): Esbuild.Loader {
  return /\.[cm]?tsx?$/.test(filename) ? "ts" : "js";
}

const DEFINE = { "import.meta.url": "__importMetaUrl", "import.meta.filename": "__filename", "import.meta.dirname": "__dirname" };

function toCommonJs(esbuild: typeof Esbuild, source: string, filename: string): ModuleCode {
  const { code, map } = esbuild.transformSync(source, {
    format: "cjs",
    loader: loaderOf(filename),
    platform: "node",
    target: NODE_TARGET,
    sourcefile: filename,
    supported: { "dynamic-import": false },
    define: DEFINE,
    sourcemap: "external",
    sourcesContent: false,
    logLevel: "silent",
  });
  return { code, isAsync: false, map };
}

/** esbuild makes no CommonJS of a module that awaits at its top level; with all its imports kept, its output is regular enough to do it here. */
function toAsyncBody(esbuild: typeof Esbuild, source: string, filename: string): ModuleCode {
  const { outputFiles } = esbuild.buildSync({
    stdin: { contents: source, sourcefile: filename, loader: loaderOf(filename) },
    bundle: true,
    external: ["*"],
    write: false,
    outfile: `${filename}.js`,
    sourcemap: "external",
    sourcesContent: false,
    format: "esm",
    platform: "node",
    target: NODE_TARGET,
    define: DEFINE,
    logLevel: "silent",
  });
  const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  const code = textOf(".js")
    .replace(/^import\s+(?:([^"';]*?)\s+from\s+)?("(?:[^"\\]|\\.)*");$/gm, (_statement, names: string | undefined, specifier: string) => importStatement(names, specifier))
    .replace(/^export \* from ("(?:[^"\\]|\\.)*");$/gm, (_statement, specifier: string) => `__exportAll(exports, await __importModule(${specifier}));`)
    .replace(/^export \{([^}]*)\};$/gm, (_statement, names: string) => exportStatement(names));
  return { code, isAsync: true, map: textOf(".map") };
}

/** `a, { b as c }` becomes a destructuring of the module's namespace. */
function importStatement(names: string | undefined, specifier: string): string {
  const imported = `await __importModule(${specifier})`;
  if (names === undefined) return `${imported};`;
  const namespace = /\*\s+as\s+(\S+)$/.exec(names)?.[1];
  const defaultName = /^[\w$]+/.exec(names)?.[0];
  const named = /\{([^}]*)\}/.exec(names)?.[1]?.replace(/(\S+)\s+as\s+(\S+)/g, "$1: $2");
  const parts = [defaultName === undefined ? "" : `default: ${defaultName}`, named?.trim() ?? ""].filter((part) => part !== "");
  const destructured = parts.length === 0 ? "" : `const { ${parts.join(", ")} } = ${imported};`;
  return `${destructured}${namespace === undefined ? "" : `const ${namespace} = ${imported};`}`;
}

function exportStatement(names: string): string {
  const getters = names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => {
      const [local = "", exported = local] = name.split(/\s+as\s+/);
      return `get ${exported}() { return ${local}; }`;
    });
  return `__exportAll(exports, { ${getters.join(", ")} });`;
}

/** What esbuild says of a text that is no JavaScript, as Node says it. */
function syntaxError(error: unknown, filename: string): unknown {
  const [first] = (error as Partial<Esbuild.TransformFailure>).errors ?? []; // absent when it is not esbuild's
  if (first === undefined) return error;
  const at = first.location === null ? filename : `${filename}:${first.location.line}`;
  const made = new SyntaxError(first.text);
  made.stack = `${at}\n${first.location?.lineText ?? ""}\n\nSyntaxError: ${first.text}`;
  return made;
}
