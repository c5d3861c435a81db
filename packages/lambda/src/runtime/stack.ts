import { fileURLToPath } from "node:url";

/** The beginning of a line that says where in the code a call was made; what console output puts behind it is not part of it. */
const FRAME = /^\s+at (?:.*:\d+:\d+\)?|.*\(<anonymous>\)|.*\(index \d+\)|.*\(native\))/;
const SANDBOX_FILE = sandboxFile(import.meta.url);
/** The function's own code, and what its runtime brings along. */
const CODE_FILE = /[ (/]var\/task\/|[\\/]node_modules[\\/]@(aws-sdk|aws-crypto|smithy)[\\/]/;
/** Node's own code, and frames without a place. */
const PLACELESS = /\bnode:|\((<anonymous>|index \d+|native)\)/;

/** Recognises the sandbox's own files in the text of a stack: the packages' sources in its repository, all that was published elsewhere. */
function sandboxFile(here: string): RegExp {
  const [, packages, published] = /^(?:(.*\/packages\/)lambda\/src|(.*\/dist))\//.exec(here) ?? [];
  const place = packages ?? (published === undefined ? here : `${published}/`);
  const below = packages === undefined ? "" : String.raw`[^\\/]+[\\/]src[\\/]`;
  return new RegExp(`(?:${escaped(place)}|${escaped(fileURLToPath(place))})${below}`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** True for a line of a stack that names a place, as opposed to those of the message. */
export function isFrame(line: string): boolean {
  return FRAME.test(line);
}

/** True for a frame of isolated code or of what its runtime brings along. */
export function isFrameOfCode(line: string): boolean {
  return isFrame(line) && CODE_FILE.test(line);
}

/**
 * The lines of an error's stack without the sandbox's own frames: of isolated code down to its own outermost frame, of a handler in
 * process down to where the sandbox called it.
 */
export function stackLines(error: Error): string[] {
  return withoutSandboxFrames(String(error.stack ?? `${error.name}: ${error.message}`)).split("\n");
}

/** A text that may hold stacks, as a line on a console does, without the sandbox's own frames. */
export function withoutSandboxFrames(text: string): string {
  if (!SANDBOX_FILE.test(text)) return text;
  const kept: string[] = [];
  let frames: string[] = [];
  for (const line of text.split("\n")) {
    if (isFrame(line)) {
      frames.push(line);
      continue;
    }
    keepFrames(kept, frames);
    frames = [];
    kept.push(line);
  }
  keepFrames(kept, frames);
  return kept.join("\n");
}

/** Adds what is to be kept of one stack's frames. */
function keepFrames(kept: string[], frames: readonly string[]): void {
  if (!frames.some((frame) => SANDBOX_FILE.test(frame))) {
    kept.push(...frames);
    return;
  }
  kept.push(...framesOfCode(frames));
  // An object's members begin behind the last frame: `    at f (a.js:1:1) {`
  const rest = frames.at(-1)?.replace(FRAME, "") ?? "";
  if (kept.length > 0 && !kept.at(-1)!.endsWith(rest)) kept.push(`${kept.pop()}${rest}`); // there is a last one
}

function framesOfCode(frames: readonly string[]): string[] {
  const outermost = frames.findLastIndex(isFrameOfCode);
  if (outermost !== -1) return frames.slice(0, outermost + 1).filter((frame) => !SANDBOX_FILE.test(frame));
  // In process: what the sandbox itself threw begins with its own frames, and ends where it called the handler.
  const start = frames.findIndex((frame) => !SANDBOX_FILE.test(frame));
  const end = frames.findIndex((frame, at) => at > start && SANDBOX_FILE.test(frame));
  const own = start === -1 ? [] : frames.slice(start, end === -1 ? undefined : end);
  return own.slice(0, own.findLastIndex((frame) => !PLACELESS.test(frame)) + 1);
}

/** The first frame of code that is neither Node's nor a package's: where the reader's own code stood. Without `    at `. */
export function ownFrame(trace: readonly string[]): string | undefined {
  const own = trace.find((line) => isFrame(line) && !PLACELESS.test(line) && !/[\\/]node_modules[\\/]/.test(line));
  return own?.trim().replace(/^at /, "");
}
