import { SourceMap, type SourceMapPayload, type SourceMapping } from "node:module";
import { posix } from "node:path";
import { TASK_ROOT } from "./process.js";
import type { Files } from "./resolve.js";

/** A place of the code's in the text of a stack. */
const PLACE = /\/var\/task\/([^\s:()]+):(\d+):(\d+)/g;
const MAP_COMMENT = /\/\/[#@] sourceMappingURL=(\S+)\s*$/;

/**
 * Tells the places in stacks as the sources have them: always those of files that the sandbox had to transform to run them, and with
 * `followsMaps`, as Node does with `--enable-source-maps`, those of files that come with a source map.
 */
export class SourcePlaces {
  readonly #files: Files;
  readonly #followsMaps: boolean;
  /** By path: from the code that is run to the file's text. */
  readonly #transformed = new Map<string, string>();
  readonly #parsed = new Map<string, SourceMap | undefined>();

  constructor(files: Files, { followsMaps }: { followsMaps: boolean }) {
    this.#files = files;
    this.#followsMaps = followsMaps;
  }

  /** Notes the map, as JSON text, of a file that was transformed. */
  wasTransformed(path: string, map: string): void {
    this.#transformed.set(path, map);
  }

  translate(text: string): string {
    return text.replace(PLACE, (_place, path: string, line: string, column: string) => {
      const run = { source: `${TASK_ROOT}/${path}`, line: Number(line) - 1, column: Number(column) - 1 };
      const inFile = { ...run, ...originOf(this.#fileMap(path), run), source: run.source };
      const origin = this.#followsMaps ? originOf(this.#sourceMap(path), inFile) : undefined;
      const shown = origin === undefined ? inFile : { ...origin, source: posix.resolve(TASK_ROOT, posix.dirname(path), origin.source) };
      return `${shown.source}:${shown.line + 1}:${shown.column + 1}`;
    });
  }

  #fileMap(path: string): SourceMap | undefined {
    return this.#parse(`transformed ${path}`, () => this.#transformed.get(path));
  }

  #sourceMap(path: string): SourceMap | undefined {
    return this.#parse(path, () => this.#mapText(path));
  }

  #mapText(path: string): string | undefined {
    const url = MAP_COMMENT.exec(textOf(this.#files[path]))?.[1];
    if (url === undefined) return undefined;
    const inline = /^data:application\/json[^,]*;base64,(.*)$/.exec(url)?.[1];
    if (inline !== undefined) return Buffer.from(inline, "base64").toString("utf8");
    return textOf(this.#files[posix.join(posix.dirname(path), url)]) || undefined;
  }

  #parse(key: string, map: () => string | undefined): SourceMap | undefined {
    if (!this.#parsed.has(key)) this.#parsed.set(key, parsed(map()));
    return this.#parsed.get(key);
  }
}

/** A place, its line and column counted from 0. */
interface Place {
  readonly source: string;
  readonly line: number;
  readonly column: number;
}

function originOf(map: SourceMap | undefined, { line, column }: Place): Place | undefined {
  const entry: Partial<SourceMapping> = map?.findEntry(line, column) ?? {}; // empty where the map says nothing
  const { originalSource, originalLine, originalColumn } = entry;
  return originalSource === undefined || originalLine === undefined || originalColumn === undefined ? undefined : { source: originalSource, line: originalLine, column: originalColumn };
}

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("utf8");
}

function parsed(map: string | undefined): SourceMap | undefined {
  try {
    return map === undefined ? undefined : new SourceMap(JSON.parse(map) as SourceMapPayload); // by its comment
  } catch {
    return undefined; // a map that cannot be read is none, for Node too
  }
}
