import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { loadPeer, simError } from "@sandstack/core";

/** The files of an asset, by path with forward slashes. */
export type Files = Readonly<Record<string, Uint8Array>>;

/** Reads a JSON file of an assembly. @throws SimInvalidAssembly when it is missing or no JSON */
export function readJson<T>(path: string, meaning: string): T {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as T; // the assembly's schema says what the file holds
  } catch (error) {
    throw simError("SimInvalidAssembly", `${meaning} cannot be read from ${path}: ${(error as Error).message}`);
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** What a deployer would upload: a directory's files, an archive's, or the one file. */
export function readAssetFiles(path: string): Files {
  if (isFolder(path)) return readFolder(path);
  const bytes = new Uint8Array(readFileSync(path));
  return isZip(bytes) ? unzipFiles(bytes) : { [basename(path)]: bytes };
}

function readFolder(folder: string, prefix = ""): Files {
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    // Links are followed, as they are when the deployer zips the directory.
    if (isFolder(path)) Object.assign(files, readFolder(path, `${prefix}${name}/`));
    else files[prefix + name] = new Uint8Array(readFileSync(path));
  }
  return files;
}

/** A zip begins with a local file header, or, when empty, with its end record. */
function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

function unzipFiles(bytes: Uint8Array): Files {
  // Loaded on first need: importing the package stays cheap.
  const { unzipSync } = loadPeer<typeof import("fflate")>("fflate", "to read a zipped asset");
  const entries = Object.entries(unzipSync(bytes));
  // A folder's own entry ends in a slash and holds nothing.
  return Object.fromEntries(entries.filter(([name]) => !name.endsWith("/")));
}
