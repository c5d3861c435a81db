#!/usr/bin/env node
import type { CommandIo } from "./command-io.js";

const USAGE = `Sandstack, a sealed AWS.

Usage: sandstack serve     serves it over HTTP
       sandstack deploy    deploys a template or an assembly into a fresh one

Each tells its options with --help.
`;

const io: CommandIo = { out: (text) => process.stdout.write(text), err: (text) => process.stderr.write(text) };

/** Until the user or the system ends the process: Ctrl-C, or a stop from outside. */
function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}

async function run([command, ...argv]: readonly string[]): Promise<number> {
  // Each is loaded when it is asked for: a server should answer at once.
  if (command === "serve") return (await import("./serve-command.js")).serveCommand(argv, io, untilEnded);
  if (command === "deploy") return (await import("./deploy-command.js")).deployCommand(argv, io);
  const isHelp = command === "--help" || command === "-h" || command === "help";
  (isHelp ? io.out : io.err)(isHelp || command === undefined ? USAGE : `There is no command ${command}.\n\n${USAGE}`);
  return isHelp ? 0 : 2;
}

void run(process.argv.slice(2)).then((exitCode) => process.exit(exitCode));
