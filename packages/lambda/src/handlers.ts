import { zip } from "./archive.js";

/**
 * A function that runs in the test's own process.
 * `any`, as handlers are typed by their event: `SQSHandler` of `@types/aws-lambda` is accepted unchanged.
 */
export type SimLambdaHandler = (event: any, context: any, callback: any) => unknown;

/** The table is the process's, so that the ESM and the CommonJS copy of this module share it. */
const HANDLERS = Symbol.for("sandstack.lambda.handlers");
/** What the bytes of an in-process handler begin with, in place of an archive's signature. */
const MAGIC = "sandstack-handler:";
/** What the token of a deployment's binding begins with. */
const BINDING = "binding-";

function handlers(): Map<string, SimLambdaHandler> {
  const holder = globalThis as { [HANDLERS]?: Map<string, SimLambdaHandler> }; // the symbol is ours
  return (holder[HANDLERS] ??= new Map());
}

/**
 * Gives `Code.ZipFile` for a function that runs in process: it closes over the test's state and can be stepped through.
 * The event reaches it as parsed JSON, and what it returns or throws is treated as from any function.
 *
 * Its timers are the host's: the sandbox's clock does not move them, while the function's time-out is on that clock. A handler that neither
 * ends nor calls the sandbox for two seconds of real time is taken to wait for the clock: until it does, `backgroundTasksComplete()` and
 * moves of the clock do not wait for it. One that has timed out goes on running, since nothing can stop it; what comes of it is not used.
 * Code that is to sleep on the sandbox's clock is made with `makeLambdaCodeZip`.
 *
 * @param handler called with the event, the context and, for handlers of the older style, a callback
 */
export function makeLambdaZipFileInput(handler: SimLambdaHandler): Uint8Array {
  return handlerBytes("handler-", handler);
}

/** Gives the code of a function that a deployment binds to a handler. The handler takes the place of what the template has, so that all versions of the function run it. */
export function makeLambdaBinding(handler: SimLambdaHandler): Uint8Array {
  return handlerBytes(BINDING, handler);
}

function handlerBytes(prefix: string, handler: SimLambdaHandler): Uint8Array {
  const table = handlers();
  const token = `${prefix}${table.size + 1}`;
  table.set(token, handler);
  return new Uint8Array(Buffer.from(MAGIC + token));
}

/**
 * Makes the bytes of a real zip archive, run in the isolated runtime.
 *
 * @param source the text of `index.js`, or files by path: `{ "index.mjs": "export const handler = …" }`
 */
export function makeLambdaCodeZip(source: string | Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const files = typeof source === "string" ? { "index.js": source } : source;
  return zip(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, typeof content === "string" ? new Uint8Array(Buffer.from(content)) : content])));
}

/** The token of an in-process handler, or `undefined` when the bytes are an archive's. */
export function handlerTokenOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > 100) return undefined;
  const text = Buffer.from(bytes).toString("latin1");
  return text.startsWith(MAGIC) ? text.slice(MAGIC.length) : undefined;
}

/** True for a handler that a deployment has put in the place of a function's code. */
export function isBindingToken(token: string): boolean {
  return token.startsWith(BINDING);
}

/** What stands for a handler's code in its digest and size: its text, which is the same in every process, where its token counts up. */
export function handlerText(token: string): string {
  const handler = handlerOf(token);
  return handler === undefined ? token : Function.prototype.toString.call(handler);
}

export function handlerOf(token: string): SimLambdaHandler | undefined {
  return handlers().get(token);
}
