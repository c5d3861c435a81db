import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { types } from "node:util";
import { awsError, isSimError, uuid, type Scope, type World } from "@sandstack/core";
import { answerRequest, MAX_BODY_BYTES } from "./answer.js";
import { corsHeaders, refusalOf } from "./browser-guard.js";
import { codecs } from "./codec.js";
import { answerControl } from "./control-api.js";
import { credentialScopeOf, type CredentialScope } from "./credential-scope.js";
import { parseForm } from "./form.js";
import { NO_QUERY, type WireRequest, type WireResponse } from "./http.js";
import { credentialsOf, identify, type Identity } from "./identity.js";
import { routeRequest, type Route, type ServiceRoute } from "./route.js";
import { lackOfService, wireServicesOf, type WireService } from "./services.js";
import { verifySignature } from "./sigv4.js";
import { unsigned } from "./wire-errors.js";
import { xmlText } from "./xml.js";

export interface HttpServerOptions {
  /** The account and region of requests that name none. */
  readonly scope: Scope;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /**
   * `"off"`: any key is accepted, one of twelve digits names an account, and the keys that the sandbox gave out are whose they are.
   * `"strict"`: signatures are checked, and other keys are refused.
   */
  readonly auth: "off" | "strict";
}

/** A listening server. */
export interface HttpServer {
  /** `http://127.0.0.1:4566` */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Ends at once: parked receives are answered, then all connections are closed. */
  close(): Promise<void>;
}

/** How long an idle connection is kept for the client's next request, in milliseconds: longer than AWS SDKs and proxies keep theirs. */
const KEEP_ALIVE_MS = 75_000;

/** Where a server that listens on every address is reached from this machine. */
const REACHED_AT: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** What a request is answered that is no HTTP, by the host's code for what is wrong with it. */
const UNREADABLE: Readonly<Record<string, string>> = { HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large", ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout" };

/** @throws the host's own error when the port is taken (`EADDRINUSE`) or may not be had */
export async function startHttpServer(world: World, options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true }, (message, response) => {
    void respond(world, options, message, response);
  });
  server.on("clientError", ({ code }: { code?: string }, socket: Socket) => {
    if (socket.writable) socket.end(`HTTP/1.1 ${UNREADABLE[code ?? ""] ?? "400 Bad Request"}\r\nConnection: close\r\n\r\n`);
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo; // it listens on a port
  const reached = REACHED_AT[options.host] ?? options.host;
  const host = reached.includes(":") ? `[${reached}]` : reached;
  return { url: `http://${host}:${port}`, host: options.host, port, close: () => close(world, server) };
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function close(world: World, server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  world.background.endWaits();
  // The answers to what just ended are written in the turns that follow.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  server.closeAllConnections();
  await closed;
}

/** Whether the client of a request is still there. Its signal is made on demand: few operations wait for anything. */
class Departure {
  isGone = false;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.isGone) this.#controller.abort();
    return this.#controller.signal;
  }

  happened(): void {
    this.isGone = true;
    this.#controller?.abort();
  }
}

async function respond(world: World, options: HttpServerOptions, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const departure = new Departure();
  response.on("close", () => {
    if (!response.writableFinished) departure.happened();
  });
  try {
    const { request, refusal } = await readRequest(message);
    const answered = request === undefined ? refusal : await answer(world, options, request, departure);
    // What is left of a refused body is not waited for.
    if (refusal !== undefined) response.shouldKeepAlive = false;
    write(response, answered, message.method);
  } catch (error) {
    if (!departure.isGone) write(response, plainFailure({ headers: {} }, 500, "InternalFailure", textOf(error)), message.method);
  }
}

function write(response: ServerResponse, { statusCode, headers, body }: WireResponse, method: string | undefined): void {
  if (response.destroyed) return;
  const isBodiless = statusCode === 204 || method === "HEAD";
  // 204 means that there is no body, not even an empty one; an answer to HEAD tells the length of the body that it has not got.
  const length = isBodiless ? {} : { "content-length": typeof body === "string" ? Buffer.byteLength(body) : body.byteLength };
  response.writeHead(statusCode, { ...headers, ...length });
  response.end(isBodiless ? undefined : body);
}

type Read = { readonly request: WireRequest; readonly refusal?: undefined } | { readonly request?: undefined; readonly refusal: WireResponse };

async function readRequest(message: IncomingMessage): Promise<Read> {
  // Node gives one text for each header that a request can have; a list is for answers' cookies alone.
  const headers = message.headers as WireRequest["headers"];
  const body = await readBody(message);
  if (body === undefined) return { refusal: plainFailure({ headers }, 413, "RequestEntityTooLarge", `A request's body may be ${MAX_BODY_BYTES} bytes long.`) };
  const url = message.url ?? "/";
  // A proxy's form of a request line names the host too.
  const target = url.startsWith("/") ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, "");
  const question = target.indexOf("?");
  const parameters = question === -1 ? [] : parseForm(target.slice(question + 1));
  if (parameters === undefined) return { refusal: plainFailure({ headers }, 400, "MalformedQueryString", "The query string contains a syntax error.") };
  const path = question === -1 ? target : target.slice(0, question);
  return { request: { method: message.method ?? "GET", path: path || "/", query: queryOf(parameters), headers, body } };
}

/** The bytes of a body; `undefined` when they are too many. */
function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    message.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    message.on("end", () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    message.on("error", reject);
  });
}

function queryOf(parameters: readonly (readonly [string, string])[]): WireRequest["query"] {
  if (parameters.length === 0) return NO_QUERY;
  const query = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

async function answer(world: World, options: HttpServerOptions, request: WireRequest, departure: Departure): Promise<WireResponse> {
  const refusal = refusalOf(request, options.host);
  if (refusal !== undefined) return jsonResponse(403, { message: refusal });
  const answered = request.method === "OPTIONS" ? { statusCode: 204, headers: {}, body: "" } : ((await answerControl(world, request)) ?? (await answerAws(world, options, request, departure)));
  return request.headers["origin"] === undefined ? answered : { ...answered, headers: { ...answered.headers, ...corsHeaders(request) } };
}

async function answerAws(world: World, options: HttpServerOptions, request: WireRequest, departure: Departure): Promise<WireResponse> {
  const signer = credentialScopeOf(request);
  const host = request.headers["host"];
  let route: Route | undefined;
  try {
    route = routeRequest(request, signer?.service, wireServicesOf(world));
    if (!("model" in route)) return unrouted(world, route, request);
    return await answerRequest(world, route, request, {
      get signal() {
        return departure.signal;
      },
      origin: host === undefined ? undefined : `http://${host}`,
      identify: (service) => authenticate(world, options, service, request, signer),
    });
  } catch (error) {
    const { name, statusCode } = isSimError(error) ? { name: "NotImplemented", statusCode: 501 } : { name: "InternalFailure", statusCode: 500 };
    if (route === undefined || !("model" in route)) return plainFailure(request, statusCode, name, textOf(error));
    const failure = awsError(`@aws-sdk/client-${route.model.service.id}`, { name, fault: "server", httpStatusCode: statusCode }, textOf(error));
    return codecs[route.protocol].encodeError(route, failure, uuid(world.state.random));
  }
}

async function authenticate(world: World, { auth, scope }: HttpServerOptions, service: WireService, request: WireRequest, signer: CredentialScope | undefined): Promise<Identity> {
  if (auth === "off") return identify(world, service, signer, scope, "accept");
  if (signer === undefined && (request.headers["authorization"] !== undefined || service.isOpenToStrangers !== true)) throw unsigned(service, request.headers["authorization"]);
  const identity = identify(world, service, signer, scope, "refuse");
  const secret = signer === undefined ? undefined : credentialsOf(world, signer.accessKeyId)?.secretAccessKey;
  if (signer !== undefined && secret !== undefined) await verifySignature(service, request, signer, secret, Date.now());
  return identity;
}

function unrouted(world: World, route: Exclude<Route, ServiceRoute>, request: WireRequest): WireResponse {
  switch (route.kind) {
    case "unknown-service":
      return plainFailure(request, 501, "NotImplemented", lackOfService(world, route.name));
    case "malformed-form":
      return plainFailure(request, 400, "MalformedQueryString", "The query string contains a syntax error.");
    case "nothing":
      if (route.action !== undefined) return plainFailure(request, 400, "InvalidAction", `The action ${route.action} is not valid for this endpoint.`);
      return { statusCode: 404, headers: { "content-type": "text/xml" }, body: "<UnknownOperationException/>" };
  }
}

/** An error before any protocol is known: in JSON for those who seem to speak it, so that their SDK tells it. */
function plainFailure({ headers }: Pick<WireRequest, "headers">, statusCode: number, name: string, message: string): WireResponse {
  const isJson = headers["x-amz-target"] !== undefined || headers["content-type"]?.includes("json") === true;
  if (isJson) return { statusCode, headers: { "content-type": "application/json", "x-amzn-errortype": name }, body: JSON.stringify({ __type: name, message }) };
  const type = statusCode >= 500 ? "Receiver" : "Sender";
  const body = `<ErrorResponse><Error><Type>${type}</Type><Code>${name}</Code><Message>${xmlText(message)}</Message></Error></ErrorResponse>`;
  return { statusCode, headers: { "content-type": "text/xml", "x-amzn-errortype": name }, body };
}

function jsonResponse(statusCode: number, body: object): WireResponse {
  return { statusCode, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function textOf(error: unknown): string {
  return types.isNativeError(error) ? error.message : String(error);
}
