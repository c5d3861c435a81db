import { loadPeer } from "@sandstack/core";

/** Loaded on first need: its tables take longer to make than the rest of the sandbox to import. */
function fflate(): typeof import("fflate") {
  return loadPeer("fflate", "to read and write zip archives");
}

/** The bytes of an archive. The same files give the same bytes: their times are left out. */
export function zip(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  return fflate().zipSync({ ...files }, { mtime: "1980-01-01T00:00:00", level: 6 });
}

/** An archive's files by path, without the entries of folders. @throws what fflate throws for bytes that are no archive */
export function unzip(bytes: Uint8Array): Record<string, Uint8Array> {
  const entries = Object.entries(fflate().unzipSync(bytes));
  return Object.fromEntries(entries.filter(([path]) => !path.endsWith("/")).map(([path, content]) => [path.replace(/^\.\//, ""), content]));
}
