import { Console } from "node:console";
import { Writable } from "node:stream";
import { format } from "node:util";
import type { RuntimeHost } from "./runtime-host.js";

/** The levels Lambda gives to what the console's methods write. */
const LEVELS = { log: "INFO", info: "INFO", warn: "WARN", error: "ERROR", debug: "DEBUG", trace: "TRACE" } as const;

/** A console whose lines become the function's log, errors with their stacks, as on AWS. */
export function createConsole(host: () => RuntimeHost): Console {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, written) {
      host().write("INFO", String(chunk).replace(/\n$/, ""));
      written();
    },
  });
  const lines = new Console({ stdout: stream, stderr: stream });
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.defineProperty(lines, method, { value: (...values: unknown[]) => host().write(level, format(...values)), configurable: true, writable: true });
  }
  // The class is a member of Node's console: loggers make one of their own, on the process's streams.
  return Object.defineProperty(lines, "Console", { value: Console, configurable: true, writable: true });
}
