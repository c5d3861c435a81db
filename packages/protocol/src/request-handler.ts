import { Readable } from "node:stream";
import { simError, type Scope, type World } from "@sandstack/core";
import { answerRequest } from "./answer.js";
import { credentialScopeOf } from "./credential-scope.js";
import { NO_QUERY, type WireRequest, type WireResponse } from "./http.js";
import { identify, type UnknownKeys } from "./identity.js";
import { routeRequest } from "./route.js";
import { lackOfService, wireServicesOf } from "./services.js";

/** What an SDK client hands to its `requestHandler` (`HttpRequest` of `@smithy/core`), as far as it is read here. */
export interface SdkHttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly hostname?: string;
  readonly body?: unknown;
}

/** The platform's signal, or the SDK's own of older days. */
type SdkAbortSignal = AbortSignal | { readonly aborted: boolean; onabort: unknown };

/** What an SDK client expects of its `requestHandler`. */
export interface SdkHttpResponse {
  readonly response: { readonly statusCode: number; readonly headers: Record<string, string>; readonly body: Uint8Array | Readable };
}

export interface SdkRequestHandlerOptions {
  /** The account and region of requests that name none. */
  readonly scope: Scope;
  /** Default `"refuse"`. */
  readonly unknownKeys?: UnknownKeys;
}

/** Answers an SDK client's requests from a world in this process: no socket, and all of the client's own work is real. */
export class SdkRequestHandler {
  readonly metadata = { handlerProtocol: "sandstack" };
  readonly #world: World;
  readonly #options: SdkRequestHandlerOptions;

  constructor(world: World, options: SdkRequestHandlerOptions) {
    this.#world = world;
    this.#options = options;
  }

  async handle(request: SdkHttpRequest, options: { abortSignal?: SdkAbortSignal | undefined } = {}): Promise<SdkHttpResponse> {
    const abortSignal = options.abortSignal === undefined ? undefined : platformSignal(options.abortSignal);
    if (abortSignal?.aborted === true) throw abortError(abortSignal);
    const wire = wireRequest(request, isWhole(request.body) ? request.body : await collected(request.body));
    const { scope, unknownKeys = "refuse" } = this.#options;
    // The client is in this process, so its key is taken for its own: the signature is not computed again.
    const signer = credentialScopeOf(wire);
    const route = routeRequest(wire, signer?.service, wireServicesOf(this.#world));
    if (!("model" in route)) throw simError("SimUnsupported", lackOfService(this.#world, route.kind === "unknown-service" ? route.name : (request.hostname ?? request.path)));
    const identified = (): ReturnType<typeof identify> => identify(this.#world, route.model.service, signer, scope, unknownKeys);
    const answer = answerRequest(this.#world, route, wire, { signal: abortSignal, identify: identified });
    return { response: sdkResponse(request.method, await (abortSignal === undefined ? answer : orAborted(answer, abortSignal))) };
  }

  /** There is nothing to configure: no connection is made. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }

  destroy(): void {}
}

function sdkResponse(method: string, { statusCode, headers, body, isStreamed }: WireResponse): SdkHttpResponse["response"] {
  // As over a connection: the answer to HEAD has no body.
  if (method === "HEAD") return { statusCode, headers, body: NO_BYTES };
  // A copy: the client makes the bytes of a payload into an object of its own kind, in place.
  const bytes = typeof body === "string" ? Buffer.from(body) : new Uint8Array(body);
  return { statusCode, headers, body: isStreamed === true ? Readable.from([bytes]) : bytes };
}

function platformSignal(signal: SdkAbortSignal): AbortSignal {
  if ("addEventListener" in signal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  signal.onabort = () => controller.abort();
  return controller.signal;
}

/** Leaves as soon as the client aborts, as a broken connection does: what was begun goes on. */
function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortError(signal));
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, (error: unknown) => reject(signal.aborted ? abortError(signal) : error)).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** As the SDK's own handlers make it of the reason that was given. */
function abortError({ reason }: AbortSignal): Error {
  const isText = typeof reason === "string" && reason !== "";
  return Object.assign(new Error(isText ? reason : "Request aborted", isText ? {} : { cause: reason }), { name: "AbortError" });
}

function wireRequest({ method, path, query, headers }: SdkHttpRequest, body: string | Uint8Array): WireRequest {
  return { method, path, query: queryMap(query), headers: lowerCased(headers), body };
}

const NO_BYTES = new Uint8Array();

function isWhole(body: unknown): body is string | Uint8Array {
  return typeof body === "string" || ArrayBuffer.isView(body);
}

/** The bytes of a streamed body, or of none. */
async function collected(body: unknown): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  if (body === undefined || body === null) return NO_BYTES;
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) chunks.push(Buffer.from(chunk as Uint8Array)); // the SDK's other bodies are streams of bytes or text
  return Buffer.concat(chunks);
}

function queryMap(query: SdkHttpRequest["query"]): WireRequest["query"] {
  const entries = Object.entries(query ?? {});
  if (entries.length === 0) return NO_QUERY;
  return new Map(entries.map(([name, value]) => [name, value === null ? [""] : typeof value === "string" ? [value] : value]));
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const name in headers) lower[name.toLowerCase()] = headers[name]!; // the name is the object's own
  return lower;
}
