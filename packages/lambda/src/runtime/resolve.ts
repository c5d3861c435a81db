import { posix } from "node:path";
import type { ModuleFormat } from "./transform.js";

/** The files of an archive, by path with forward slashes. */
export type Files = Readonly<Record<string, Uint8Array>>;

const EXTENSIONS = [".js", ".json", ".mjs", ".cjs", ".ts", ".mts", ".cts"];
/** What `require` goes by in a package's `exports`, and what there is beside for packages of ES modules alone. */
const CONDITIONS: ReadonlySet<string> = new Set(["node", "require", "module-sync", "default"]);
const WITH_IMPORT: ReadonlySet<string> = new Set([...CONDITIONS, "import"]);

interface PackageJson {
  readonly type?: unknown;
  readonly main?: unknown;
  readonly exports?: unknown;
  readonly imports?: unknown;
}

/**
 * Finds the file that `specifier` means in a file of `directory`, as Node's CommonJS loader does, plus the extensions of ES
 * modules and TypeScript. Paths are relative to the archive's root.
 */
export function resolveInArchive(files: Files, specifier: string, directory: string): string | undefined {
  if (specifier.startsWith("/var/task/")) return resolvePath(files, specifier.slice("/var/task/".length));
  if (/^\.{1,2}(\/|$)/.test(specifier)) return resolvePath(files, posix.normalize(posix.join(directory, specifier)));
  if (specifier.startsWith("#")) return resolveImport(files, specifier, directory);
  for (let folder = directory; ; folder = posix.dirname(folder)) {
    const found = resolvePackage(files, specifier, posix.join(folder, "node_modules"));
    if (found !== undefined) return found;
    if (folder === "." || folder === "") return undefined;
  }
}

/** A file by its path, with or without extension, or a folder's main file. */
export function resolvePath(files: Files, path: string): string | undefined {
  const plain = path.replace(/\/$/, "") || ".";
  return resolveFile(files, plain) ?? resolveFolder(files, plain);
}

function resolveFile(files: Files, path: string): string | undefined {
  if (files[path] !== undefined) return path;
  // TypeScript names the file that it will become.
  const typescript = path.replace(/\.([cm]?)js$/, ".$1ts");
  return [...EXTENSIONS.map((extension) => path + extension), typescript].find((candidate) => files[candidate] !== undefined);
}

function resolveFolder(files: Files, folder: string): string | undefined {
  const main = packageJson(files, folder)?.main;
  const named = typeof main === "string" ? posix.join(folder, main) : undefined;
  return (named === undefined ? undefined : (resolveFile(files, named) ?? resolveFile(files, posix.join(named, "index")))) ?? resolveFile(files, posix.join(folder, "index"));
}

function resolvePackage(files: Files, specifier: string, nodeModules: string): string | undefined {
  const [, name = specifier, rest = ""] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  const folder = posix.join(nodeModules, name);
  const { exports } = packageJson(files, folder) ?? {};
  if (exports === undefined) return resolvePath(files, folder + rest);
  const target = exportsTarget(exports, `.${rest}`);
  return target === undefined ? undefined : resolveFile(files, posix.join(folder, target));
}

function resolveImport(files: Files, specifier: string, directory: string): string | undefined {
  const folder = packageFolderOf(files, directory);
  const target = targetOf(packageJson(files, folder)?.imports, specifier);
  if (target === undefined) return undefined;
  return target.startsWith(".") ? resolveFile(files, posix.join(folder, target)) : resolveInArchive(files, target, directory);
}

function exportsTarget(exports: unknown, subpath: string): string | undefined {
  const hasSubpaths = typeof exports === "object" && exports !== null && Object.keys(exports).some((key) => key.startsWith("."));
  if (!hasSubpaths) return subpath === "." ? conditional(exports) : undefined;
  return targetOf(exports, subpath);
}

/** Looks a key up in a map of `exports` or `imports`, whose keys may have one `*`. */
function targetOf(map: unknown, key: string): string | undefined {
  const entries = Object.entries((map ?? {}) as Record<string, unknown>); // a map by its place in package.json
  const exact = entries.find(([pattern]) => pattern === key);
  if (exact !== undefined) return conditional(exact[1]);
  for (const [pattern, target] of entries) {
    const [before, after] = pattern.split("*");
    if (before === undefined || after === undefined || !key.startsWith(before) || !key.endsWith(after) || key.length < pattern.length) continue;
    return conditional(target)?.replaceAll("*", key.slice(before.length, key.length - after.length));
  }
  return undefined;
}

function conditional(target: unknown): string | undefined {
  return firstOf(target, CONDITIONS) ?? firstOf(target, WITH_IMPORT);
}

function firstOf(target: unknown, conditions: ReadonlySet<string>): string | undefined {
  if (typeof target === "string") return target;
  if (Array.isArray(target)) return target.map((each) => firstOf(each, conditions)).find((found) => found !== undefined);
  if (typeof target !== "object" || target === null) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    const found = conditions.has(condition) ? firstOf(value, conditions) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How a file's text is to be read: by its extension, else by the package it belongs to. */
export function formatOf(files: Files, path: string): ModuleFormat {
  if (/\.[cm]?ts$/.test(path)) return "typescript";
  if (path.endsWith(".mjs")) return "module";
  if (path.endsWith(".cjs")) return "commonjs";
  return packageJson(files, packageFolderOf(files, posix.dirname(path)))?.type === "module" ? "module" : "commonjs";
}

function packageFolderOf(files: Files, directory: string): string {
  for (let folder = directory; ; folder = posix.dirname(folder)) {
    if (files[posix.join(folder, "package.json")] !== undefined || folder === "." || folder === "") return folder;
  }
}

function packageJson(files: Files, folder: string): PackageJson | undefined {
  const bytes = files[posix.join(folder, "package.json")];
  if (bytes === undefined) return undefined;
  const parsed: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
  return typeof parsed === "object" && parsed !== null ? parsed : undefined;
}
