import { createHash, createHmac, timingSafeEqual, type Hash, type Hmac } from "node:crypto";
import { awsError, loadPeer, type AwsError } from "@sandstack/core";
import { signatureOf, type CredentialScope } from "./credential-scope.js";
import { bytesOf, type WireRequest } from "./http.js";
import type { WireService } from "./services.js";
import { unsigned } from "./wire-errors.js";

/** How far a request's date may be from the host's, either way (Signature Version 4, "Elements of an AWS API request signature"). */
const MAX_SKEW_MS = 15 * 60 * 1000;

/** The longest a presigned URL is good for, in seconds: a week. */
const MAX_EXPIRES_SECONDS = 7 * 24 * 60 * 60;

/** The header in which a client says which hash of the body it signed. */
const BODY_HASH = "x-amz-content-sha256";

/** What stands for a body's hash when the body is not signed. */
const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

/** What such a hash begins with where the body is written in chunks. */
const CHUNKED_PAYLOAD = "STREAMING-";

/**
 * Checks a request's signature with the secret of the key that it names.
 *
 * @param hostNowMs the host's time: clients sign with it, however far the sandbox's clock was moved
 * @throws SignatureDoesNotMatch or InvalidSignatureException (403), IncompleteSignature (400)
 */
export async function verifySignature(service: WireService, request: WireRequest, signer: CredentialScope, secretAccessKey: string, hostNowMs: number): Promise<void> {
  if (signer.service !== service.id) throw doesNotMatch(service, `Credential should be scoped to correct service: '${service.id}'.`);
  const date = signer.isPresigned ? request.query.get("X-Amz-Date")?.[0] : request.headers["x-amz-date"];
  const dateMs = date === undefined ? undefined : readDate(date);
  if (date === undefined || dateMs === undefined) throw incomplete(service, "Date must be in ISO-8601 'basic format'. Got a date that is not. See http://en.wikipedia.org/wiki/ISO_8601");
  if (!date.startsWith(signer.date)) throw doesNotMatch(service, `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${signer.date}' != '${date.slice(0, 8)}', from '${date}'.`);
  checkAge(service, request, signer, date, dateMs, hostNowMs);
  const given = signatureOf(request);
  if (given === undefined) throw unsigned(service, request.headers["authorization"] ?? "");
  if (!given.signedHeaders.includes("host")) throw doesNotMatch(service, "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
  const body = bytesOf(request.body);
  // A URL is given away before there is a body: S3 signs none.
  const claimedHash = signer.isPresigned && service.protocols[0] === "restXml" ? UNSIGNED_PAYLOAD : request.headers[BODY_HASH];
  const isBodyAsClaimed = claimedHash === undefined || claimedHash === UNSIGNED_PAYLOAD || claimedHash.startsWith(CHUNKED_PAYLOAD) || claimedHash === createHash("sha256").update(body).digest("hex");
  const expected = await expectedSignature({ ...request, headers: { ...request.headers, [BODY_HASH]: claimedHash } }, body, signer, given.signedHeaders, secretAccessKey, dateMs);
  if (!isBodyAsClaimed || !isEqual(expected, given.signature)) {
    throw doesNotMatch(service, "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.");
  }
}

function checkAge(service: WireService, request: WireRequest, signer: CredentialScope, date: string, dateMs: number, hostNowMs: number): void {
  const [expires] = signer.isPresigned ? (request.query.get("X-Amz-Expires") ?? []) : [];
  const lifeSeconds = Number(expires ?? MAX_SKEW_MS / 1000);
  if (!(lifeSeconds >= 0 && lifeSeconds <= MAX_EXPIRES_SECONDS)) throw incomplete(service, "X-Amz-Expires must be a number of seconds up to a week.");
  const now = writeDate(hostNowMs);
  const earliestMs = hostNowMs - lifeSeconds * 1000;
  if (dateMs < earliestMs) throw doesNotMatch(service, `Signature expired: ${date} is now earlier than ${writeDate(earliestMs)} (${now} - ${Math.round(lifeSeconds / 60)} min.)`);
  const latestMs = hostNowMs + MAX_SKEW_MS;
  if (dateMs > latestMs) throw doesNotMatch(service, `Signature not yet current: ${date} is still later than ${writeDate(latestMs)} (${now} + ${MAX_SKEW_MS / 60_000} min.)`);
}

async function expectedSignature(request: WireRequest, body: Uint8Array, signer: CredentialScope, signedHeaderNames: readonly string[], secretAccessKey: string, dateMs: number): Promise<string> {
  const { SignatureV4 } = loadPeer<typeof import("@smithy/signature-v4")>("@smithy/signature-v4", "to check signatures");
  const { accessKeyId, sessionToken, region, service } = signer;
  const signedHeaders = new Set(signedHeaderNames);
  const v4 = new SignatureV4({ credentials: { accessKeyId, secretAccessKey, ...(signer.isPresigned && { sessionToken }) }, region, service, sha256: NodeSha256, uriEscapePath: service !== "s3", applyChecksum: false });
  const unsigned = {
    method: request.method,
    protocol: "http:",
    hostname: "",
    path: request.path,
    query: Object.fromEntries([...request.query].filter(([name]) => !signer.isPresigned || !PRESIGNING_PARAMETERS.has(name)).map(([name, values]) => [name, [...values]])),
    headers: Object.fromEntries(Object.entries(request.headers).filter((header): header is [string, string] => header[1] !== undefined && (signedHeaders.has(header[0]) || header[0] === BODY_HASH))),
    body,
  };
  const options = { signingDate: new Date(dateMs), signableHeaders: signedHeaders, unsignableHeaders: new Set(signedHeaders.has(BODY_HASH) ? [] : [BODY_HASH]) };
  if (signer.isPresigned) {
    const expiresIn = Number(request.query.get("X-Amz-Expires")?.[0] ?? 0);
    const presigned = await v4.presign(unsigned, { ...options, expiresIn, unhoistableHeaders: new Set([...signedHeaders, BODY_HASH]) });
    return String(presigned.query?.["X-Amz-Signature"]);
  }
  const signed = await v4.sign(unsigned, options);
  return /Signature=([0-9a-f]+)$/.exec(signed.headers["authorization"] ?? "")?.[1] ?? "";
}

/** What presigning adds to a query by itself. */
const PRESIGNING_PARAMETERS = new Set(["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-SignedHeaders"]);

/** SHA-256 and its HMAC as the signer wants them. */
class NodeSha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", typeof secret === "string" ? secret : toBytes(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === "string" ? data : toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

function toBytes(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
}

/** Takes as long for a near miss as for a far one. */
function isEqual(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

/** `20251124T231118Z` */
function readDate(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

function writeDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "");
}

function doesNotMatch(service: WireService, message: string): AwsError {
  return awsError(`@aws-sdk/client-${service.id}`, { name: "InvalidSignatureException", queryCode: "SignatureDoesNotMatch", httpStatusCode: 403 }, message);
}

function incomplete(service: WireService, message: string): AwsError {
  return awsError(`@aws-sdk/client-${service.id}`, { name: "IncompleteSignatureException", queryCode: "IncompleteSignature", httpStatusCode: 400 }, message);
}
