import { bytesOf, type WireRequest } from "./http.js";
import type { WireService } from "./services.js";
import { incompleteBody } from "./wire-errors.js";

const ENCODING = "aws-chunked";

/**
 * A request whose body SDKs wrote in chunks with checksums behind it (Signature Version 4, "Signature calculations for trailing headers"), as
 * the one it stands for. The chunks' own signatures are not looked at: that of the request was.
 *
 * @throws IncompleteBody (400)
 */
export function unchunked(service: WireService, request: WireRequest): WireRequest {
  const encodings = request.headers["content-encoding"]?.split(",").map((encoding) => encoding.trim());
  if (encodings?.includes(ENCODING) !== true) return request;
  const found = readChunks(bytesOf(request.body));
  const wantedLength = request.headers["x-amz-decoded-content-length"];
  if (found === undefined || (wantedLength !== undefined && Number(wantedLength) !== found.body.length)) throw incompleteBody(service);
  const others = encodings.filter((encoding) => encoding !== ENCODING).join(",");
  const headers = { ...request.headers, ...found.trailers, "content-encoding": others === "" ? undefined : others, "content-length": String(found.body.length) };
  return { ...request, headers, body: found.body };
}

interface Chunks {
  readonly body: Uint8Array;
  readonly trailers: Readonly<Record<string, string>>;
}

/** `400;chunk-signature=…\r\n…bytes…\r\n0\r\nx-amz-checksum-crc32:…\r\n\r\n` */
function readChunks(bytes: Uint8Array): Chunks | undefined {
  const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = encoded.indexOf("\r\n", at);
    const length = lineEnd === -1 ? undefined : /^([0-9a-fA-F]{1,8})(;|$)/.exec(encoded.toString("latin1", at, lineEnd))?.[1];
    if (length === undefined) return undefined;
    const start = lineEnd + 2;
    const end = start + Number.parseInt(length, 16);
    if (end === start) return { body: new Uint8Array(Buffer.concat(chunks)), trailers: readTrailers(encoded.toString("latin1", start)) };
    if (end > encoded.length) return undefined;
    chunks.push(encoded.subarray(start, end));
    at = end + 2;
  }
}

function readTrailers(text: string): Record<string, string> {
  const trailers: Record<string, string> = {};
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (line.startsWith("x-amz-checksum-") && colon !== -1) trailers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return trailers;
}
