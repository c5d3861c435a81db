import { posix } from "node:path";
import { isBuiltin } from "node:module";
import { compileFunction, type Context } from "node:vm";
import { isSimError } from "@sandstack/core";
import { formatOf, resolveInArchive, type Files } from "./resolve.js";
import { MODULE_PARAMETERS, moduleCode } from "./transform.js";
import { TASK_ROOT } from "./process.js";

/** What every stack of modules ends in, as on AWS. */
const RUNTIME_MODULE = "/var/runtime/index.mjs";

interface LoadedModule {
  readonly id: string;
  readonly filename: string;
  exports: unknown;
  loaded: boolean;
  /** Ends when a module that awaits at its top level has run. */
  ready: Promise<void> | undefined;
}

export interface ModuleSources {
  readonly files: Files;
  readonly context: Context;
  readonly parseJson: (text: string) => unknown;
  /** What to say of a module that is nowhere, beside that; may be empty. */
  readonly missingHint: string;
  /** Takes the source map of a file that was transformed. */
  wasTransformed(path: string, map: string): void;
  /** Runs a module's own code. */
  readonly run: <T>(body: () => T) => T;
  /** Node's own modules, with those that reach out of the sandbox replaced. */
  builtin(name: string): unknown;
  /** What the runtime provides beside the archive; `undefined` for what it does not. */
  provided(specifier: string): unknown;
}

/** The modules of one environment: each is run once. */
export class Modules {
  readonly #sources: ModuleSources;
  readonly #loaded = new Map<string, LoadedModule>();
  readonly #syntaxErrors = new WeakSet<object>();

  constructor(sources: ModuleSources) {
    this.#sources = sources;
  }

  /** Loads a file of the archive; the promise ends when it, and what it awaits at its top level, has run. */
  async import(path: string): Promise<unknown> {
    const loaded = this.#load(path, []);
    await loaded.ready;
    return loaded.exports;
  }

  /** True for an error that says the code cannot be parsed. */
  isSyntaxError(error: unknown): boolean {
    return typeof error === "object" && error !== null && this.#syntaxErrors.has(error);
  }

  /** A `require` for a file of the archive. */
  requireFrom(path: string, requiredBy: readonly string[]): NodeJS.Require {
    const directory = posix.dirname(path);
    const require = (specifier: string): unknown => this.#require(String(specifier), directory, requiredBy);
    const resolve = (specifier: string): string => {
      const found = resolveInArchive(this.#sources.files, specifier, directory);
      if (found !== undefined) return `${TASK_ROOT}/${found}`;
      if (isBuiltin(specifier)) return specifier;
      throw moduleNotFound(specifier, requiredBy, this.#sources.missingHint);
    };
    return Object.assign(require, { resolve, cache: {}, extensions: {}, main: undefined }) as unknown as NodeJS.Require; // what code uses of it
  }

  /** `createRequire` of `node:module`. */
  createRequire(filename: string | URL): NodeJS.Require {
    const path = String(filename).replace(/^file:\/\//, "");
    return this.requireFrom(posix.relative(TASK_ROOT, path), [path]);
  }

  #require(specifier: string, directory: string, requiredBy: readonly string[]): unknown {
    if (isBuiltin(specifier)) return this.#sources.builtin(specifier.replace(/^node:/, ""));
    const found = resolveInArchive(this.#sources.files, specifier, directory);
    if (found !== undefined) return this.#load(found, requiredBy).exports;
    const provided = this.#sources.provided(specifier);
    if (provided === undefined) throw moduleNotFound(specifier, requiredBy, this.#sources.missingHint);
    return provided;
  }

  #load(path: string, requiredBy: readonly string[]): LoadedModule {
    const known = this.#loaded.get(path);
    if (known !== undefined) return known;
    const filename = `${TASK_ROOT}/${path}`;
    const loaded: LoadedModule = { id: filename, filename, exports: {}, loaded: false, ready: undefined };
    this.#loaded.set(path, loaded);
    try {
      this.#run(path, loaded, [filename, ...requiredBy]);
    } catch (error) {
      // As in Node, a module that failed is tried anew by the next who asks for it.
      this.#loaded.delete(path);
      throw error;
    }
    loaded.loaded = loaded.ready === undefined;
    return loaded;
  }

  #run(path: string, loaded: LoadedModule, requiredBy: readonly string[]): void {
    const { files, context, parseJson } = this.#sources;
    const bytes = files[path]!; // path was resolved in these files
    if (path.endsWith(".json")) {
      loaded.exports = parseJson(Buffer.from(bytes).toString("utf8"));
      return;
    }
    const require = this.requireFrom(path, requiredBy);
    const { body, isAsync } = this.#compile(bytes, path, loaded.filename, context);
    const importModule = async (specifier: string): Promise<unknown> => namespaceOf(await this.#importInside(specifier, path, requiredBy));
    const run = (): unknown =>
      body.call(loaded.exports, loaded.exports, require, loaded, loaded.filename, posix.dirname(loaded.filename), `file://${loaded.filename}`, importModule, exportAll);
    const result = this.#sources.run(run);
    if (!isAsync) return;
    loaded.ready = (result as Promise<void>).then(() => void (loaded.loaded = true)); // an async body was compiled
    // Whoever awaits the module gets its error; one that nobody awaits has still been told.
    loaded.ready.catch(() => this.#loaded.delete(path));
  }

  async #importInside(specifier: string, path: string, requiredBy: readonly string[]): Promise<unknown> {
    const found = resolveInArchive(this.#sources.files, specifier, posix.dirname(path));
    if (found === undefined || isBuiltin(specifier)) return this.#require(specifier, posix.dirname(path), requiredBy);
    const loaded = this.#load(found, requiredBy);
    await loaded.ready;
    return loaded.exports;
  }

  #compile(bytes: Uint8Array, path: string, filename: string, context: Context): { body: Function; isAsync: boolean } {
    try {
      const { code, isAsync, map } = moduleCode(bytes, filename, formatOf(this.#sources.files, path));
      if (map !== undefined) this.#sources.wasTransformed(path, map);
      // On one line, so that the lines of a stack are the file's.
      const text = isAsync ? `return (async () => {${code}\n})()` : code;
      return { body: compileFunction(text, [...MODULE_PARAMETERS], { filename, parsingContext: context }), isAsync };
    } catch (error) {
      if (!isSimError(error) && typeof error === "object" && error !== null) this.#syntaxErrors.add(error);
      throw error;
    }
  }
}

/** The error of a module that is nowhere, as Node words it. */
export function moduleNotFound(specifier: string, requiredBy: readonly string[], hint = ""): Error {
  const stack = [...requiredBy, RUNTIME_MODULE];
  const message = `Cannot find module '${specifier}'\nRequire stack:\n${stack.map((file) => `- ${file}`).join("\n")}${hint}`;
  return Object.assign(new Error(message), { code: "MODULE_NOT_FOUND", requireStack: stack });
}

/** What `import` gives of a CommonJS module: its members, and itself as `default`. */
function namespaceOf(exports: unknown): unknown {
  if (typeof exports !== "object" || exports === null) return { default: exports };
  return "__esModule" in exports ? exports : new Proxy(exports, { get: (target, property) => (property === "default" ? target : Reflect.get(target, property)) });
}

function exportAll(exports: object, from: object): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(from))) {
    if (!Object.hasOwn(exports, name)) Object.defineProperty(exports, name, descriptor);
  }
  if (!Object.hasOwn(exports, "__esModule")) Object.defineProperty(exports, "__esModule", { value: true });
}
