import { Readable } from "node:stream";
import { decodeRequest } from "../src/answer.js";
import { codecs } from "../src/codec.js";
import { credentialScopeOf } from "../src/credential-scope.js";
import { bytesOf, type WireRequest } from "../src/http.js";
import { routeRequest } from "../src/route.js";
import type { WireServices } from "../src/services.js";

/** What SDK client commands have in common here. */
interface Sendable {
  readonly input: object;
}
type AnyClient = { send(command: never): Promise<object> };

/** A call of a real client: what the service sees of it, and what the client makes of the answer. */
export interface RoundTrip {
  readonly name: string;
  readonly client: (config: object) => AnyClient;
  readonly command: Sendable;
  /** What the service is to see, where it is not the command's input. */
  readonly input?: object;
  readonly output: object;
  /** What the client is to give, where it is not the output. */
  readonly given?: object;
}

/** Makes the call, and answers what it came to beside what it should come to. */
export async function travel(services: WireServices, { client, command, input = command.input, output, given = output }: RoundTrip) {
  let decoded: unknown;
  const requestHandler = {
    metadata: { handlerProtocol: "test" },
    async handle(request: { method: string; path: string; query: Record<string, string | string[]>; headers: Record<string, string>; body?: unknown }) {
      const wire: WireRequest = { ...request, query: new Map(Object.entries(request.query).map(([name, value]) => [name, [value ?? ""].flat()])), headers: lowerCased(request.headers), body: await bytesOfBody(request.body) };
      const route = routeRequest(wire, credentialScopeOf(wire)?.service, services);
      if (route.kind !== "operation") throw new Error(`routed to ${route.kind}`);
      expect(`${route.operation.name}Command`).toBe(command.constructor.name);
      decoded = decodeRequest(route, wire);
      const { body, isStreamed, ...response } = codecs[route.protocol].encode(route, output, "request-1");
      const bytes = new Uint8Array(bytesOf(body));
      return { response: { ...response, body: isStreamed === true ? Readable.from([bytes]) : bytes } };
    },
  };
  const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" };
  // md5: the outputs here are made up.
  const { $metadata, ...answered } = (await client({ region: "us-east-1", credentials, requestHandler, md5: false }).send(command as never)) as { $metadata: { requestId: string } };
  expect($metadata.requestId).toBe("request-1");
  return { decoded: plain(decoded), input: plain(input), answered: plain(answered), given: plain(given) };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

async function bytesOfBody(body: unknown): Promise<string | Uint8Array> {
  if (body === undefined || body === null) return "";
  if (typeof body === "string" || ArrayBuffer.isView(body)) return body as string | Uint8Array;
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Blobs as plain bytes (clients give a subclass), and no members that are undefined. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined).map(([name, member]) => [name, plain(member)]));
}
