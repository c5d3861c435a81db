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
  readonly signedHeaders: readonly string[];
  /** In lower-case hexadecimal. */
  readonly signature: string;
  readonly isPresigned: boolean;
}

const HEADER_FORM = /^AWS4-HMAC-SHA256\s+Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-fA-F]+)\s*$/;

/** Reads a request's credential scope; `undefined` when it is unsigned, or signed in no form that AWS knows. */
export function credentialScopeOf(request: WireRequest): CredentialScope | undefined {
  const authorization = request.headers["authorization"];
  if (authorization !== undefined) {
    const found = HEADER_FORM.exec(authorization);
    if (found === null) return undefined;
    const [, credential = "", signedHeaders = "", signature = ""] = found;
    return scopeOf(credential, signedHeaders, signature, request.headers["x-amz-security-token"], false);
  }
  const [credential] = request.query.get("X-Amz-Credential") ?? [];
  if (credential === undefined) return undefined;
  const [signedHeaders = ""] = request.query.get("X-Amz-SignedHeaders") ?? [];
  const [signature = ""] = request.query.get("X-Amz-Signature") ?? [];
  return scopeOf(credential, signedHeaders, signature, request.query.get("X-Amz-Security-Token")?.[0], true);
}

function scopeOf(credential: string, signedHeaders: string, signature: string, sessionToken: string | undefined, isPresigned: boolean): CredentialScope | undefined {
  const parts = credential.split("/");
  // The access key may hold slashes in theory; the four parts behind it are fixed.
  const [date = "", region = "", service = "", end] = parts.slice(-4);
  if (parts.length < 5 || end !== "aws4_request") return undefined;
  return { accessKeyId: parts.slice(0, -4).join("/"), date, region, service, sessionToken, signedHeaders: signedHeaders.split(";"), signature: signature.toLowerCase(), isPresigned };
}
