import type { AnyHandler } from "./call-handler.js";
import { runtimeError } from "./failure.js";
import { moduleNotFound, type Modules } from "./modules.js";
import type { Files } from "./resolve.js";
import { isFrame, isFrameOfCode, stackLines } from "./stack.js";

/** The extensions that a handler's module is looked for with, in order; TypeScript is the sandbox's addition. */
const HANDLER_EXTENSIONS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"];

/**
 * Loads the function that a handler's name means: `dir/file.method`, where the method may be nested (`index.api.handler`).
 *
 * @throws Runtime.ImportModuleError, Runtime.UserCodeSyntaxError, Runtime.HandlerNotFound, Runtime.MalformedHandlerName, or what the module itself throws
 */
export async function loadHandler(modules: Modules, files: Files, handler: string): Promise<AnyHandler> {
  const [, directory = "", moduleName, method] = /^(.*\/)?([^./]*)\.(.+)$/.exec(handler.replace(/^\.\//, "")) ?? [];
  if (moduleName === undefined || method === undefined || handler.includes("..")) throw runtimeError("Runtime.MalformedHandlerName", "Bad handler");
  const root = directory + moduleName;
  const path = HANDLER_EXTENSIONS.map((extension) => root + extension).find((candidate) => files[candidate] !== undefined);
  if (path === undefined) throw importFailed(moduleNotFound(root, []));
  const exported = await importModule(modules, path);
  const found = method.split(".").reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined | null)?.[name], exported); // whatever the module exports
  if (found === undefined || found === null) throw runtimeError("Runtime.HandlerNotFound", `${handler} is undefined or not exported`);
  if (typeof found !== "function") throw runtimeError("Runtime.HandlerNotFound", `${handler} is not a function`);
  return found as AnyHandler; // a function, called as a handler
}

async function importModule(modules: Modules, path: string): Promise<unknown> {
  try {
    return await modules.import(path);
  } catch (error) {
    if (modules.isSyntaxError(error)) throw syntaxFailed(error as Error); // syntax errors are errors
    if ((error as { code?: unknown } | null)?.code === "MODULE_NOT_FOUND") throw importFailed(error as Error); // made by the modules' require
    throw error;
  }
}

/** What Node says of a text begins with its place in it. */
function syntaxFailed(error: Error): Error {
  return runtimeError("Runtime.UserCodeSyntaxError", `${error.name}: ${error.message}`, stackLines(error).filter((line) => !isFrame(line)));
}

function importFailed(error: Error): Error {
  return runtimeError("Runtime.ImportModuleError", `Error: ${error.message}`, stackLines(error).filter(isFrameOfCode));
}
