import type { WireRequest } from "./http.js";

/** What a signed request says of its signer, before anything is checked (AWS Signature Version 4, header and query forms). */
export interface CredentialScope {
  readonly accessKeyId: string;
  /** `20251124` */
  readonly date: string;
  readonly region: string;
  /** The service's name in signatures: `sqs`. */
  readonly service: string;
  readonly sessionToken: string | undefined;
  readonly isPresigned: boolean;
}

/** The part of a credential scope that a client's requests of one day share. */
type Credential = Pick<CredentialScope, "accessKeyId" | "date" | "region" | "service">;

const CREDENTIAL = "Credential=";

/** Reads a request's credential scope; `undefined` when it is unsigned, or signed in no form that AWS knows. */
export function credentialScopeOf(request: WireRequest): CredentialScope | undefined {
  const authorization = request.headers["authorization"];
  if (authorization !== undefined) {
    const start = authorization.indexOf(CREDENTIAL);
    if (!authorization.startsWith("AWS4-HMAC-SHA256 ") || start === -1) return undefined;
    const end = authorization.indexOf(",", start);
    const credential = end === -1 ? undefined : credentialOf(authorization.slice(start + CREDENTIAL.length, end));
    return credential && { ...credential, sessionToken: request.headers["x-amz-security-token"], isPresigned: false };
  }
  const [text] = request.query.get("X-Amz-Credential") ?? [];
  const credential = text === undefined ? undefined : credentialOf(text);
  return credential && { ...credential, sessionToken: request.query.get("X-Amz-Security-Token")?.[0], isPresigned: true };
}

/** The most credentials kept, so that those of a client are read once. */
const MAX_KNOWN_CREDENTIALS = 1_000;
const known = new Map<string, Credential>();

/** `AKIAIOSFODNN7EXAMPLE/20251124/us-east-1/sqs/aws4_request` */
function credentialOf(text: string): Credential | undefined {
  const found = known.get(text);
  if (found !== undefined) return found;
  const parts = text.split("/");
  // The access key may hold slashes in theory; the four parts behind it are fixed.
  const [date = "", region = "", service = "", end] = parts.slice(-4);
  if (parts.length < 5 || end !== "aws4_request") return undefined;
  const credential = { accessKeyId: parts.slice(0, -4).join("/"), date, region, service };
  if (known.size >= MAX_KNOWN_CREDENTIALS) known.clear();
  known.set(text, credential);
  return credential;
}

export interface SignaturePart {
  /** In lower case. */
  readonly signedHeaders: readonly string[];
  /** In lower-case hexadecimal. */
  readonly signature: string;
}

/** The signature of a request that has a credential scope; `undefined` when it is not whole. */
export function signatureOf(request: WireRequest): SignaturePart | undefined {
  const authorization = request.headers["authorization"];
  const signedHeaders = authorization === undefined ? request.query.get("X-Amz-SignedHeaders")?.[0] : /\bSignedHeaders=([^,\s]+)/.exec(authorization)?.[1];
  const signature = authorization === undefined ? request.query.get("X-Amz-Signature")?.[0] : /\bSignature=([0-9a-fA-F]+)\s*$/.exec(authorization)?.[1];
  if (signedHeaders === undefined || signature === undefined) return undefined;
  return { signedHeaders: signedHeaders.toLowerCase().split(";"), signature: signature.toLowerCase() };
}
