import * as crypto from "node:crypto";

// `hash` (Node 20.12) saves the making of a hash object: a third of the cost for small inputs.
const digest: (algorithm: string, data: string | Uint8Array) => string =
  typeof crypto.hash === "function" ? (algorithm, data) => crypto.hash(algorithm, data, "hex") : (algorithm, data) => crypto.createHash(algorithm).update(data).digest("hex");

/** The MD5 of text (as UTF-8) or bytes, in lower-case hexadecimal digits. */
export function md5(data: string | Uint8Array): string {
  return digest("md5", data);
}

/** The SHA-256 of text (as UTF-8), in lower-case hexadecimal digits. */
export function sha256(text: string): string {
  return digest("sha256", text);
}
