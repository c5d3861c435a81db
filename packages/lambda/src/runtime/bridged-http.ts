import { Readable, Writable } from "node:stream";
import { types } from "node:util";
import type { RuntimeHost } from "./runtime-host.js";
import { sealedError } from "./sealed.js";

/** What an SDK's `requestHandler` takes and gives, as far as it is needed here. */
interface RequestHandler {
  handle(request: HttpRequest, options: object): Promise<{ readonly response: HttpResponse }>;
}

interface HttpRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

interface HttpResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** What `http.request` takes, as far as it is read. */
interface RequestOptions {
  readonly protocol?: string | null;
  readonly host?: string | null;
  readonly hostname?: string | null;
  readonly method?: string;
  readonly path?: string | null;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Hosts of AWS: what is asked of them is answered by the sandbox's own services. */
const AWS_HOST = /(^|\.)amazonaws\.com(\.cn)?$/;

/** Answers a request to AWS from the sandbox: an SDK that a bundle brings along reaches it like any other. @throws SimSealed for other hosts */
async function answer(host: RuntimeHost, request: HttpRequest): Promise<HttpResponse> {
  const handler = host.requestHandler as RequestHandler | undefined; // the world's wire makes no others
  if (handler === undefined || !AWS_HOST.test(request.hostname)) throw sealedError(`${request.method} ${request.protocol}//${request.hostname}${request.path}`);
  return (await handler.handle(request, {})).response;
}

function requestTo(url: URL, method: string, headers: Readonly<Record<string, string>>, body: Uint8Array): HttpRequest {
  return { protocol: url.protocol, hostname: url.hostname, method, path: url.pathname, query: Object.fromEntries(url.searchParams), headers, body };
}

/** `fetch` that reaches AWS in the sandbox and nothing else. */
export function bridgedFetch(host: () => RuntimeHost): typeof fetch {
  return async (resource, init) => {
    const request = new Request(resource, init);
    const sent = requestTo(new URL(request.url), request.method, Object.fromEntries(request.headers), new Uint8Array(await request.arrayBuffer()));
    const { statusCode, headers, body } = await answer(host(), sent);
    return new Response(statusCode === 204 || statusCode === 304 ? null : Buffer.from(body), { status: statusCode, headers });
  };
}

/** `request` and `get` of `node:http` or `node:https` that reach AWS in the sandbox and nothing else. */
export function bridgedHttp(host: () => RuntimeHost, protocol: "http:" | "https:"): { request: unknown; get: unknown } {
  const request = (...args: readonly unknown[]): BridgedRequest => {
    const onResponse = args.find((arg): arg is (response: Readable) => void => typeof arg === "function");
    const made = new BridgedRequest(host, optionsOf(args, protocol));
    if (onResponse !== undefined) made.once("response", onResponse);
    return made;
  };
  return { request, get: (...args: readonly unknown[]) => request(...args).end() };
}

/** Node takes a URL, options, or both. */
function optionsOf(args: readonly unknown[], defaultProtocol: string): { url: URL; method: string; headers: Record<string, string> } {
  let options: RequestOptions = {};
  for (const arg of args) {
    if (typeof arg === "string" || arg instanceof URL) options = { ...options, ...partsOf(new URL(arg)) };
    else if (typeof arg === "object" && arg !== null) options = { ...options, ...arg };
  }
  const { protocol, hostname, host = "localhost", path, method = "GET", headers = {} } = options;
  const url = new URL(path ?? "/", `${protocol ?? defaultProtocol}//${(hostname ?? host ?? "localhost").replace(/:\d+$/, "")}`);
  return { url, method: method.toUpperCase(), headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])) };
}

function partsOf(url: URL): RequestOptions {
  return { protocol: url.protocol, hostname: url.hostname, path: url.pathname + url.search };
}

/** A request as `node:http` makes them: written to, and answered when it ends. */
class BridgedRequest extends Writable {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly protocol: string;
  readonly #host: () => RuntimeHost;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #chunks: Uint8Array[] = [];

  constructor(host: () => RuntimeHost, { url, method, headers }: { url: URL; method: string; headers: Record<string, string> }) {
    super();
    this.#host = host;
    this.#url = url;
    this.#headers = headers;
    this.method = method;
    this.path = url.pathname + url.search;
    this.host = url.hostname;
    this.protocol = url.protocol;
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, written: (error?: Error) => void): void {
    this.#chunks.push(chunk);
    written();
  }

  override _final(ended: (error?: Error) => void): void {
    ended();
    answer(this.#host(), requestTo(this.#url, this.method, this.#headers, Buffer.concat(this.#chunks))).then(
      (response) => this.emit("response", incoming(response)),
      (error: unknown) => this.destroy(types.isNativeError(error) ? error : new Error(String(error))),
    );
  }

  setHeader(name: string, value: unknown): this {
    this.#headers[name.toLowerCase()] = String(value);
    return this;
  }
  getHeader(name: string): string | undefined {
    return this.#headers[name.toLowerCase()];
  }
  removeHeader(name: string): void {
    delete this.#headers[name.toLowerCase()];
  }
  getHeaders(): Record<string, string> {
    return { ...this.#headers };
  }
  abort(): void {
    this.destroy();
  }
  // There is no socket to wait for or to keep.
  setTimeout(): this {
    return this;
  }
  setNoDelay(): void {}
  setSocketKeepAlive(): void {}
  flushHeaders(): void {}
}

/** An answer as `node:http` gives them. */
function incoming({ statusCode, headers, body }: HttpResponse): Readable {
  const stream = Readable.from(body.length === 0 ? [] : [Buffer.from(body)], { objectMode: false });
  return Object.assign(stream, { statusCode, statusMessage: "", headers, rawHeaders: Object.entries(headers).flat(), httpVersion: "1.1", complete: true });
}
